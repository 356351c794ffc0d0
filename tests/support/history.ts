import type { Insertable, Kysely } from 'kysely';
import type { Tables } from '#server/db/tables.ts';
import type { UnitOnBill } from '#tests/support/factories.ts';

type Db = Kysely<Tables>;
type Row<Table extends keyof Tables> = Partial<Insertable<Tables[Table]>>;

let made = 0;
const next = (prefix: string) => `${prefix}${String(++made).padStart(5, '0')}`;

/** A moment on the workshop's clock: `2026-09-01 08:00` or at noon of `2026-09-01`, in Shanghai; one with a Z is itself. */
export const at = (text: string): string =>
  text.endsWith('Z') ? text : `${text.replace(' ', 'T')}${text.includes(' ') ? '' : 'T12:00'}:00+08:00`;

/** Where each step leads when nothing goes wrong. */
const ways: Record<string, [from: string | null, to: string]> = {
  receive: [null, '10'],
  check: ['10', '50'],
  repair: ['50', '60'],
  assemble: ['60', '70'],
  aging: ['70', '80'],
  qc: ['80', '90'],
  store: ['90', '100'],
  deliver: ['100', '900'],
};

export type HistoryEntry = [step: string, when: string, more?: Row<'rma_transaction'>];

/** Writes down what happened to a unit, as the stations do: each step where the chain has it, unless `more` says otherwise. */
export async function happened(
  db: Db,
  unit: Pick<UnitOnBill, 'sn' | 'siteId'> & { mtbId: string | null; mtbliId?: string | null },
  story: HistoryEntry[],
) {
  if (story.length === 0) return;
  const rows = story.map(([step, when, more]) => ({
    sn: unit.sn,
    mtbId: unit.mtbId,
    mtbliId: unit.mtbliId ?? null,
    siteId: unit.siteId,
    step,
    fromNode: ways[step]?.[0] ?? null,
    toNode: ways[step]?.[1] ?? null,
    operateStatus: 'Normal',
    eventTime: at(when),
    userId: 'tech',
    ...more,
  }));
  await db.insertInto('rma_transaction').values(rows).execute();
}

/** The record of a first test. */
export async function checked(
  db: Db,
  unit: UnitOnBill,
  when: string,
  line: Row<'rma_check_bill_line'> = {},
): Promise<string> {
  const ckbId = next('CKB-H');
  const { mtbId, mtbliId, siteId, sn } = unit;
  await db
    .insertInto('rma_check_bill')
    .values({ ckbId, mtbId, siteId, userId: 'tech', createTime: at(when) })
    .execute();
  await db
    .insertInto('rma_check_bill_line')
    .values({ ckbId, sn, mtbliId, billTime: at(when), icdIds: 'FX01', disposition: 'repair', ...line })
    .execute();
  return ckbId;
}

/** The record of a repair, with its rows. */
export async function repaired(
  db: Db,
  unit: UnitOnBill,
  when: string,
  lines: Row<'rma_repair_bill_line'>[] = [{}],
): Promise<string> {
  const rpbId = next('RPB-H');
  const { mtbId, mtbliId, siteId, sn } = unit;
  await db
    .insertInto('rma_repair_bill')
    .values({ rpbId, mtbId, mtbliId, siteId, sn, userId: 'tech', createTime: at(when) })
    .execute();
  await db
    .insertInto('rma_repair_bill_line')
    .values(
      lines.map((it) => ({
        rpbId,
        partsType: '7',
        repairMethod: '2',
        slot: 'U1,U2',
        icdIds: 'RP01',
        icdDescriptions: 'RP01',
        spendCount: 2,
        ...it,
      })),
    )
    .execute();
  return rpbId;
}

/** The record of a delivery; the item says so as well. */
export async function delivered(db: Db, unit: UnitOnBill, when: string, deliverSn = unit.sn): Promise<string> {
  const dvbId = next('DVB-H');
  const { mtbId, mtbliId, siteId } = unit;
  const deliverShipNo = `${dvbId}-SF`;
  await db
    .insertInto('rma_deliver_bill')
    .values({ dvbId, siteId, deliverShipNo, deliverShipId: 'SF', userId: 'warehouse', createTime: at(when) })
    .execute();
  await db.insertInto('rma_deliver_bill_line').values({ dvbId, mtbId, mtbliId, sn: deliverSn }).execute();
  await db
    .updateTable('rma_maintain_bill_line_item')
    .set({ deliverStatus: '2', deliverTime: at(when), deliverSn, deliverShipNo })
    .where('mtbliId', '=', mtbliId)
    .execute();
  return dvbId;
}

/** A moment so many days ago. */
export const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
