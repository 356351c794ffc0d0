import { isOwnBill } from '#domain/maintainBill.ts';
import { Refusal } from '#domain/refusal.ts';
import type { RmaMaintainBill } from '#server/db/tables.ts';
import type { Hooks } from '#server/engine/hooks.ts';
import { customersMeet, selectBillShips } from '#server/workflow/oneCustomer.ts';

const customer = { module: 'rmaMaintainBill', field: 'btmUserId' };

/**
 * Own goods have no customer: none is entered. A bill whose goods ship with those of another customer's would send them
 * to the wrong one. Rule: bills#own-goods, stock-up#one-customer.
 */
export const maintainBillHooks: Hooks<RmaMaintainBill> = {
  check: (row, before) =>
    isOwnBill(before?.billType) && row.btmUserId
      ? [{ key: 'fixed', field: 'btmUserId', args: { field: customer } }]
      : [],
  async afterWrite(row, before, { db }) {
    if (!row?.mtbId || row.btmUserId === before?.btmUserId) return;
    const { mtbId } = row;
    const other = (await customersMeet(db, selectBillShips(mtbId))).find((it) => it !== mtbId);
    if (other) throw new Refusal({ key: 'shipsTogether', field: 'btmUserId', args: { id: other } });
  },
};
