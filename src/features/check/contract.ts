import { Type } from 'typebox';
import { lookup, submit } from '#domain/call.ts';
import { CodeIds, IssueCode, Nullable, OptionalCode, Sn, StationItem, Urls, Warning } from '#domain/wire.ts';

const right = 'rmaCheckBill:check' as const;

/** Whether a unit waits for its first test, and what is known of it. */
export const validateSn = lookup({
  method: 'POST',
  path: '/api/rmaCheckBill/validateSn.json',
  right,
  input: Type.Object({ sn: Sn, checkType: OptionalCode }),
  data: Type.Object({
    sn: Type.String(),
    powerSn: Nullable(Type.String()),
    mtbId: Nullable(Type.String()),
    item: StationItem,
    receiveIssueCodes: Type.Array(IssueCode),
    quotedFaultCode: Nullable(Type.String()),
    maintains: Type.Integer(),
    warranty: Nullable(Type.String()),
  }),
});

/** The first test of one unit. Rule: events#e08, events#e09, events#e10. */
export const check = submit({
  path: '/api/rmaCheckBill/check.json',
  right,
  input: Type.Object({
    sn: Sn,
    powerSn: Type.Optional(Nullable(Sn)),
    checkUrls: Urls,
    issueCodeIdList: CodeIds,
    powerIssueCodeList: Type.Optional(Nullable(CodeIds)),
    checkType: OptionalCode,
    repairChipCount: Type.Optional(Nullable(Type.Number())),
  }),
  data: Type.Object({
    ckbId: Type.String(),
    sn: Type.String(),
    nextNode: Type.String(),
    confirm: Type.Union([Type.Literal('none'), Type.Literal('scrap'), Type.Literal('nofault')]),
    warning: Warning,
  }),
});

/** Why a supervisor sent a unit back to its first test. Rule: checking#remarks. */
export const getScrapRemark = lookup({
  path: '/api/rmaCheckBill/getScrapRemark.json',
  right,
  input: Type.Object({ sn: Sn }),
  data: Type.Object({
    declineScrapRemark: Nullable(Type.String()),
    nofaultConfirmRemark: Nullable(Type.String()),
  }),
});
