import { Type } from 'typebox';
import { submit } from '#domain/call.ts';
import { Code, OptionalCode, Remark, Sn } from '#domain/wire.ts';

/** As many items as the detail can show of a bill's lines at once. */
const MOST_ROWS = 500;

/** An item by its row id or its number; one of them is enough. Rule: bills#identifiers. */
const Item = Type.Object({ id: OptionalCode, mtbliId: OptionalCode });
const Items = Type.Array(Item, { maxItems: MOST_ROWS });

/** Items go to another site, with effect at once. Rule: events#e33. */
export const changeSite = submit({
  path: '/api/rmaMaintainBillLineItem/updateSiteId.json',
  right: 'rmaMaintainBillLineItem:updateSiteId',
  input: Type.Object({ rmaMaintainBillLineItemList: Items, updateSiteId: OptionalCode }),
  data: Type.Object({ updatedCount: Type.Integer() }),
});

/** Another model is sent for items, or they were registered under a wrong code. Rule: events#e31. */
export const replaceSaleCode = submit({
  path: '/api/rmaMaintainBillLineItem/replaceSaleCode.json',
  right: 'rmaMaintainBillLineItem:replaceSaleCode',
  input: Type.Object({
    rmaMaintainBillLineItemList: Items,
    salesCode: OptionalCode,
    replaceFlag: OptionalCode,
    salesCodeCount: Type.Optional(Type.Integer({ minimum: 0, maximum: MOST_ROWS })),
  }),
  data: Type.Object({ updatedCount: Type.Integer(), mtblId: Type.String() }),
});

/** Items go to another bill, ship with it, or ship apart. Rule: events#e32. */
export const moveBill = submit({
  path: '/api/rmaMaintainBillLineItem/moveBill.json',
  right: 'rmaMaintainBillLineItem:moveBill',
  input: Type.Object({
    ids: Type.Array(Code, { maxItems: MOST_ROWS }),
    mtbId: OptionalCode,
    mtblId: OptionalCode,
    moveBillFlag: OptionalCode,
    deliverFlag: OptionalCode,
    splitDeliverFlag: OptionalCode,
  }),
  data: Type.Object({ movedCount: Type.Integer(), mtbId: Type.String(), mtblId: Type.String() }),
});

const BoughtOut = Type.Array(
  Type.Object({
    mtblId: OptionalCode,
    mtbliIdList: Type.Array(Code, { maxItems: MOST_ROWS }),
    remark: Remark,
  }),
  { maxItems: MOST_ROWS },
);

/** The company buys items from their customer. The list may stand alone. Rule: events#e28. */
export const buyOut = submit({
  path: '/api/rmaMaintainBillLineItem/buyOut.json',
  right: 'rmaMaintainBillLineItem:buyOut',
  input: Type.Union([BoughtOut, Type.Object({ list: BoughtOut })]),
  data: Type.Object({ buyOutCount: Type.Integer(), billStatus: Type.String() }),
});

/** A bill is closed as it is; what is still in the workshop is given up only where that is said. Rule: events#e29. */
export const terminate = submit({
  path: '/api/rmaMaintainBill/terminate.json',
  right: 'rmaMaintainBill:terminate',
  input: Type.Object({ mtbId: OptionalCode, discardInHouse: OptionalCode }),
  data: Type.Object({
    mtbId: Type.String(),
    billStatus: Type.String(),
    notReceivedCount: Type.Integer(),
    discardedSnList: Type.Array(Type.String()),
  }),
});

const Returned = Type.Array(Type.Object({ sn: Sn, mtbliId: OptionalCode, mtbId: OptionalCode }), {
  maxItems: MOST_ROWS,
});

/** Units are tested from the beginning again. Rule: events#e30. */
export const rollbackToPreliminaryTest = submit({
  path: '/api/rmaMaintainBillLineItem/rollbackToPreliminaryTest.json',
  right: 'rmaMaintainBillLineItem:rollbackToPreliminaryTest',
  input: Type.Union([Returned, Type.Object({ list: Returned })]),
  data: Type.Object({ snList: Type.Array(Type.String()) }),
});
