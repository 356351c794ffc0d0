import { sql } from 'kysely';
import { OperateStatus } from '#domain/enums.ts';
import type { Context } from '#server/context.ts';

/** What one row of a report said of a position of an order. */
export interface ReportedRow {
  position: string;
  /** What came, by bins, and what was lost, as a text that is the same for the same. */
  told: string;
  /** As it is compared; empty where none was said. */
  dateCode: string;
  /** Which of several that say the same. */
  repeat: number;
}

/** A row that is booked, and who booked it when. */
interface BookedRow extends ReportedRow {
  userName: string;
  at: number;
}

/** The rows of an order that stand, those booked first before the others. Rule: wafer-bank#once. */
export async function readBookedRows({ db }: Context, workOrderNo: string): Promise<BookedRow[]> {
  const rows = await db
    .selectFrom('reported_row as r')
    .leftJoin('admin_user as u', 'u.userId', 'r.userId')
    .select(['r.position', 'r.told', 'r.dateCode', 'r.repeat', 'r.userId', 'r.at', 'u.userName'])
    .where('r.workOrderNo', '=', workOrderNo)
    .orderBy('r.id')
    .execute();
  return rows.map(({ userId, userName, ...it }) => ({ ...it, userName: userName ?? userId }));
}

/** Books rows of an order, each once: the database keeps it. @returns by position, by which its entries name the row. */
export async function bookRows(
  { db, currentUser }: Context,
  workOrderNo: string,
  rows: readonly ReportedRow[],
): Promise<ReadonlyMap<string, string>> {
  if (rows.length === 0) return new Map();
  const booked = await db
    .insertInto('reported_row')
    .values(rows.map((it) => ({ ...it, workOrderNo, userId: currentUser.userId })))
    .returning(['id', 'position'])
    .execute();
  return new Map(booked.map((it) => [it.position, String(it.id)]));
}

/** A row of which no entry stands any more can be booked again. Rule: wafer-bank#once. */
export async function freeRow({ db }: Context, workOrderNo: string, reportMark: string): Promise<void> {
  await sql`
    DELETE FROM reported_row WHERE "workOrderNo" = ${workOrderNo} AND id::text = ${reportMark}
       AND NOT EXISTS (SELECT 1 FROM icop_transaction WHERE "workOrderNo" = ${workOrderNo} AND "reportMark" = ${reportMark}
                          AND "operateStatus" = ${OperateStatus.Normal})`.execute(db);
}
