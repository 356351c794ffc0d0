import { Type } from 'typebox';
import { submit } from '#domain/call.ts';
import { Nullable, OptionalCode, Remark, SeenVersion, Sn } from '#domain/wire.ts';

/** `version` is that of the check's line, which is what the supervisor judges. */
const proposal = { mtbId: OptionalCode, ckbId: OptionalCode, sn: Sn, version: SeenVersion };
const answer = Type.Object({
  sn: Type.String(),
  nextNode: Type.String(),
  billStatus: Nullable(Type.String()),
});

/** A supervisor's word on a proposed scrap. Rule: events#e11, events#e12. */
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

/** A supervisor's word on a proposed no-fault. Rule: events#e13, events#e14. */
export const nofaultConfirm = submit({
  path: '/api/rmaCheckBill/nofaultConfirm.json',
  right: 'rmaNofaultConfirm:nofaultConfirm',
  input: Type.Object({ ...proposal, nofaultConfirmStatus: OptionalCode, nofaultConfirmRemark: Remark }),
  data: answer,
});
