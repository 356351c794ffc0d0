import { Type } from 'typebox';
import { lookup, submit } from '#domain/call.ts';
import { Nullable, OptionalCode, Remark, RowId, Sn } from '#domain/wire.ts';

const right = 'ubsItemObject:changeSerial' as const;
const Text = Nullable(Type.String());

/** What is known of an SN that is to be changed; refused where it may not be. Rule: labels#changing. */
export const querySnInfo = lookup({
  path: '/api/ubsItemObject/querySnInfo.json',
  right,
  input: Type.Object({ sn: Sn }),
  data: Type.Object({
    itemObjectId: Type.Integer(),
    sn: Type.String(),
    salesCode: Text,
    description: Text,
    modelCode: Text,
    /** What it is, as the kinds of labels say it. */
    shape: Type.String(),
    ivyId: Text,
    siteId: Text,
  }),
});

/** A number that nobody has, kept for this thing; the archive learns it with the change. Rule: labels#changing. */
export const generateSn = submit({
  path: '/api/ubsItemObject/generateSn.json',
  right,
  input: Type.Object({ itemObjectId: RowId }),
  data: Type.Object({ sn: Type.String() }),
});

/** The unit has another SN from now on, and all that is open about it goes by that. Rule: labels#changing. */
export const changeSn = submit({
  path: '/api/ubsItemObject/changeSn.json',
  right,
  input: Type.Object({ cause: OptionalCode, oldSn: Type.Optional(Sn), newSn: Type.Optional(Sn), remark: Remark }),
  data: Type.Object({
    itemObjectId: Type.Integer(),
    sn: Type.String(),
    /** For its label. */
    modelCode: Type.String(),
    barcodeType: Type.String(),
  }),
});

/** A change is taken back as long as nothing was done with the unit since. Rule: labels#changing, events#e41. */
export const rollbackChange = submit({
  method: 'GET',
  path: '/api/ubsSnChangeLog/rollbackById.json',
  right: 'ubsSnChangeLog:rollback',
  input: Type.Object({ id: OptionalCode, remark: Remark }),
  data: Type.Object({ id: Type.Integer(), sn: Type.String() }),
});
