import { Type } from 'typebox';
import { submit } from '#domain/call.ts';
import { Code, Nullable, OptionalCode, Remark, Sn } from '#domain/wire.ts';

/** `0` is a value of its own here: an empty text stays one. */
const Choice = Type.Optional(Code);

const proposal = { mtbId: OptionalCode, ckbId: Choice, sn: Sn };
const answer = Type.Object({
  sn: Type.String(),
  nextNode: Type.String(),
  billStatus: Nullable(Type.String()),
});

/** A supervisor's word on a proposed scrap. Spec 2 §7, decisions 2 E11 and E12. */
export const scrapConfirm = submit({
  path: '/api/rmaCheckBill/scrapConfirm.json',
  right: 'rmaScrapConfirm:scrapConfirm',
  input: Type.Object({
    ...proposal,
    scrapStatus: Choice,
    declineScrapRemark: Remark,
    dutySourse: Choice,
    dutySourseRemark: Remark,
  }),
  data: answer,
});

/** A supervisor's word on a proposed no-fault. Spec 2 §7, decisions 2 E13 and E14. */
export const nofaultConfirm = submit({
  path: '/api/rmaCheckBill/nofaultConfirm.json',
  right: 'rmaNofaultConfirm:nofaultConfirm',
  input: Type.Object({ ...proposal, nofaultConfirmStatus: Choice, nofaultConfirmRemark: Remark }),
  data: answer,
});
