import { BillStatus, DeliverStatus, Flag, StockupStatus } from '#domain/enums.ts';
import { countsOf, isFinished, type ItemState } from '#domain/maintainBill.ts';
import { enterWaybill } from './storing.ts';
import { touch, type Bill, type Stockup, type World } from './world.ts';

/** What follows from the items: the counts of lines, and which bills are finished. Decisions 2, 1.3. */
export function settleBills({ bills }: World): void {
  for (const bill of bills) {
    for (const { row, items } of bill.lines) Object.assign(row, countsOf(items.map(stateOf)));
    const items = bill.lines.flatMap((it) => it.items);
    if (!isFinished(bill.row.billStatus ?? null, items.map(stateOf))) continue;
    bill.row.billStatus = BillStatus.Finished;
    const moments = items.map((it) => Number(it.updateTime ?? 0));
    touch(bill.row, Math.max(...moments), bill.site.crew.warehouse);
  }
}

const stateOf = (item: Partial<ItemState>): ItemState => ({
  receiveStatus: item.receiveStatus ?? null,
  deliverStatus: item.deliverStatus ?? null,
  scrap: item.scrap ?? null,
});

/** Stock-up bills that were stopped or cancelled, and waybills entered ahead of the delivery. */
export function touchStockups(world: World): void {
  for (const site of Object.values(world.sites)) {
    const open = world.bills
      .filter((it) => it.site === site)
      .flatMap((it) => it.stockups.map((stockup) => ({ bill: it, stockup })))
      .filter(({ stockup }) => stockup.row.status === StockupStatus.Open);
    open.forEach(({ bill, stockup }, i) => {
      if (open.length > 3 && i === 0) stop(bill, stockup);
      else if (open.length > 3 && i === 1) cancel(bill, stockup);
      else if (i % 2 === 0) enterWaybill(world, stockup, Number(stockup.row.updateTime), site.crew.warehouse);
    });
  }
}

function stop(bill: Bill, { row }: Stockup): void {
  row.status = StockupStatus.Stopped;
  touch(row, Number(row.updateTime), bill.site.crew.warehouse);
}

/** Its items stay on the shelf and wait for another one. */
function cancel(bill: Bill, { row, lines }: Stockup): void {
  row.status = StockupStatus.Cancelled;
  const ids = new Set(lines.map((it) => it.mtbliId));
  for (const item of bill.lines.flatMap((it) => it.items).filter((it) => ids.has(it.mtbliId))) {
    item.stockup = Flag.No;
    item.deliverStatus = DeliverStatus.CanShip;
  }
}
