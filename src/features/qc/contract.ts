import { Type } from 'typebox';
import { lookup, submit } from '#domain/call.ts';
import { CodeId, IssueCodeChoice, Nullable, OptionalCode, OptionalText, Sn, TestedSn } from '#domain/wire.ts';

const right = 'rmaExamineBill:examine' as const;

export const loadIssueCodeList = lookup({
  method: 'POST',
  path: '/api/rmaExamineBill/loadIssueCodeList.json',
  right,
  input: Type.Object({ billType: OptionalCode }),
  data: Type.Object({ issueCodeList: Type.Array(IssueCodeChoice) }),
});

/** Whether a unit may be listed with this result; stores nothing. Rule: guard#attempts. */
export const checkExamination = lookup({
  method: 'POST',
  path: '/api/rmaExamineBill/attemptExamine.json',
  right,
  input: Type.Object({ sn: Sn, icdId: Type.Optional(Nullable(CodeId)) }),
  data: TestedSn,
});

/** The results of an inspection. Rule: events#e20, events#e21. */
export const submitExamineBill = submit({
  path: '/api/rmaExamineBill/submitExamineBill.json',
  right,
  input: Type.Object({
    rmaExamineBillLineList: Type.Array(
      Type.Object({ sn: Sn, salesCode: OptionalText, icdId: Type.Optional(Nullable(CodeId)) }),
      { maxItems: 1000 },
    ),
  }),
  data: Type.Object({ exbId: Type.String(), passCount: Type.Integer(), failCount: Type.Integer() }),
});
