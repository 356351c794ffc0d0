import { Type } from 'typebox';
import { submit } from '#domain/call.ts';
import { Nullable, OptionalCode, Remark, Sn } from '#domain/wire.ts';

const proposal = { mtbId: OptionalCode, ckbId: OptionalCode, sn: Sn };
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
    scrapStatus: OptionalCode,
    declineScrapRemark: Remark,
    dutySourse: OptionalCode,
    dutySourseRemark: Remark,
  }),
  data: answer,
});

/** A supervisor's word on a proposed no-fault. Spec 2 §7, decisions 2 E13 and E14. */
export const nofaultConfirm = submit({
  path: '/api/rmaCheckBill/nofaultConfirm.json',
  right: 'rmaNofaultConfirm:nofaultConfirm',
  input: Type.Object({ ...proposal, nofaultConfirmStatus: OptionalCode, nofaultConfirmRemark: Remark }),
  data: answer,
});
