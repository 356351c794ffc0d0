import { numberOf } from '#server/db/numbers.ts';
import { createDayFormatter, type Calendar } from './calendar.ts';
import type { Customer } from './customers.ts';
import type { Machine } from './machines.ts';
import type { Paper } from './papers.ts';
import type { Crew } from './people.ts';
import type { Random } from './random.ts';
import type { Row, Rows } from './rows.ts';

/** A site with its people, its hours and its pictures. */
export interface Site {
  siteId: string;
  crew: Crew;
  calendar: Calendar;
  /** `/file/<id>` of each picture. */
  photos: string[];
}

export interface BillLine {
  row: Row<'rma_maintain_bill_line'>;
  items: Row<'rma_maintain_bill_line_item'>[];
}

export interface Stockup {
  row: Row<'rma_stockup_bill'>;
  lines: Row<'rma_stockup_bill_line'>[];
  /** How its customer wants it sent; entered with the waybill. */
  shipId: string;
}

export interface Bill {
  site: Site;
  customer: Customer;
  row: Row<'rma_maintain_bill'>;
  lines: BillLine[];
  stockups: Stockup[];
}

/** A bill of the site's own goods, and the registration that made it. */
interface OwnBill {
  bill: Bill;
  registration: Row<'rma_defective_product_repair_bill'>;
}

/** A machine in the workshop, or that was. `item` is none for a machine of the site's own stock. */
export interface Unit {
  machine: Machine;
  site: Site;
  row: Row<'rma_inventory'>;
  item: Row<'rma_maintain_bill_line_item'> | null;
  bill: Bill | null;
  history: Row<'rma_maintain_bill_line_item'>[];
  /** The board that took its place on its bill. */
  successor?: Unit;
}

/** What the demo holds so far: the rows, the numbers given, the units by their SN. */
export interface World {
  now: number;
  timeZone: string;
  random: Random;
  rows: Rows;
  sites: Record<string, Site>;
  units: Map<string, Unit>;
  /** Of customers. */
  bills: Bill[];
  ownBills: OwnBill[];
  /** Of money bills, to be drawn. */
  papers: Paper[];
  /** The next bill number of the day on which the moment falls. */
  numberAt(prefix: string, at: number): string;
}

/** Gives numbers by day as the server does, and keeps the last ones as rows, so that the server goes on from there. */
export function numbering(rows: Rows, timeZone: string): World['numberAt'] {
  const last = new Map<string, Row<'bill_number'>>();
  const dayAt = createDayFormatter(timeZone);
  return (prefix, at) => {
    const day = dayAt(at);
    const key = `${prefix} ${day}`;
    const row = last.get(key) ?? rows.add('bill_number', { prefix, day, last: 0 });
    last.set(key, row);
    row.last += 1;
    return numberOf(prefix, day.replaceAll('-', ''), row.last);
  };
}

export const stamp = (at: number, userId: string) => ({ createBy: userId, createTime: new Date(at) });

/** The version of a changed row is left at its start: nobody holds an older one. */
export function touch(row: { updateBy?: unknown; updateTime?: unknown }, at: number, userId: string): void {
  row.updateBy = userId;
  row.updateTime = new Date(at);
}
