import { Type } from 'typebox';
import { lookup, submit } from '#domain/call.ts';
import { CodeId, Nullable, OptionalCode, OptionalText, Remark, Sn } from '#domain/wire.ts';

const right = 'rmaStoreBill:store' as const;

/** Whether a unit waits for storage; stores nothing. Rule: guard#attempts. */
export const checkStorage = lookup({
  method: 'POST',
  path: '/api/rmaStoreBill/attemptStore.json',
  right,
  input: Type.Object({ sn: Sn }),
  data: Type.Object({
    sn: Type.String(),
    salesCode: Type.String(),
    name: Type.String(),
    mtbId: Nullable(Type.String()),
  }),
});

/** Units go on the shelf, and on the stock-up bill of their customer. Rule: events#e22, stock-up#tally. */
export const submitStoreBill = submit({
  path: '/api/rmaStoreBill/submitStoreBill.json',
  right,
  input: Type.Object({
    rmaStoreBillLineList: Type.Array(
      Type.Object({
        sn: Sn,
        salesCode: OptionalText,
        name: OptionalText,
        icdId: Type.Optional(Nullable(CodeId)),
      }),
      { maxItems: 1000 },
    ),
    packageCount: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 10_000 }))),
    subinventoryCode: OptionalCode,
  }),
  data: Type.Object({
    stbId: Type.String(),
    storedCount: Type.Integer(),
    skbIdList: Type.Array(Type.String()),
  }),
});

const activation = {
  input: Type.Object({ sn: Type.Optional(Nullable(Sn)), remark: Remark, subinventoryCode: OptionalCode }),
  data: Type.Object({ sn: Type.String(), nextNode: Type.String() }),
};

/** A machine of the site's own stock is put to use: it goes where its warehouse says. Rule: events#e23. */
export const storeStart = submit({
  path: '/api/rmaStoreBill/storeStart.json',
  right: 'rmaStoreBill:storeStart',
  ...activation,
});

/** The same from the inventory. Rule: events#e23. */
export const activateInventory = submit({
  path: '/api/rmaInventory/activate.json',
  right: 'rmaInventory:activation',
  ...activation,
});

/** Whether an SN may be activated, and where it stands; stores nothing. Rule: events#e23, guard#attempts. */
export const validateInventorySn = lookup({
  path: '/api/rmaInventory/validateSn.json',
  right: 'rmaInventory:activation',
  input: Type.Object({ sn: Sn }),
  data: Type.Object({
    sn: Type.String(),
    ivyId: Nullable(Type.String()),
    type: Type.String(),
    salesCode: Nullable(Type.String()),
    itemName: Nullable(Type.String()),
    subinventoryCode: Nullable(Type.String()),
  }),
});
