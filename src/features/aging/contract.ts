import { Type } from 'typebox';
import { lookup, submit } from '#domain/call.ts';
import { CodeId, IssueCodeChoice, Nullable, OptionalCode, OptionalText, Sn, TestedSn, Urls } from '#domain/wire.ts';

const right = 'rmaBurninBill:burnin' as const;

export const loadIssueCodeList = lookup({
  method: 'POST',
  path: '/api/rmaBurninBill/loadIssueCodeList.json',
  right,
  input: Type.Object({ billType: OptionalCode }),
  data: Type.Object({ issueCodeList: Type.Array(IssueCodeChoice) }),
});

/** Whether a unit may be listed with this result; stores nothing. Rule: guard#attempts. */
export const checkBurnin = lookup({
  method: 'POST',
  path: '/api/rmaBurninBill/attemptBurnin.json',
  right,
  input: Type.Object({ sn: Sn, icdId: Type.Optional(Nullable(CodeId)), burninUrlList: Urls, burninUrls: Urls }),
  data: TestedSn,
});

/** The results of an aging test. Rule: events#e18, events#e19. */
export const submitBurninBill = submit({
  path: '/api/rmaBurninBill/submitBurninBill.json',
  right,
  input: Type.Object({
    rmaBurninBillLineList: Type.Array(
      Type.Object({
        sn: Sn,
        salesCode: OptionalText,
        icdId: Type.Optional(Nullable(CodeId)),
        burninUrlList: Urls,
        burninUrls: Urls,
      }),
      { maxItems: 1000 },
    ),
  }),
  data: Type.Object({ bnbId: Type.String(), passCount: Type.Integer(), failCount: Type.Integer() }),
});
