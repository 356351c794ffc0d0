import { BillStatus } from '#domain/enums.ts';
import { countsOf, isFinished, type ItemState } from '#domain/maintainBill.ts';
import { touch, type World } from './world.ts';

/**
 * What follows from the items: the counts of lines, and which bills are finished. Rule: counts#lines, counts#finish.
 */
export function settleBills({ bills, ownBills }: World): void {
  for (const bill of [...bills, ...ownBills.map((it) => it.bill)]) {
    for (const { row, items } of bill.lines) Object.assign(row, countsOf(items.map(stateOf)));
    const items = bill.lines.flatMap((it) => it.items);
    if (!isFinished(bill.row.billStatus, items.map(stateOf))) continue;
    bill.row.billStatus = BillStatus.Finished;
    const moments = items.map((it) => Number(it.updateTime ?? 0));
    touch(bill.row, Math.max(...moments), bill.site.crew.warehouse);
  }
  for (const { bill, registration } of ownBills) registration.billStatus = bill.row.billStatus;
}

export const stateOf = (item: Partial<ItemState>): ItemState => ({
  receiveStatus: item.receiveStatus ?? null,
  deliverStatus: item.deliverStatus ?? null,
  scrap: item.scrap ?? null,
});
