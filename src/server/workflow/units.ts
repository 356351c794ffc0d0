import type { Kysely } from 'kysely';
import { Confirmation } from '#domain/enums.ts';
import type { Hold } from '#domain/hold.ts';
import { Disposition } from '#domain/issueCode.ts';
import { Node } from '#domain/nodes.ts';
import { refuseIfAny, type Problem } from '#domain/refusal.ts';
import { isSn, normaliseSn, repeatedSns } from '#domain/sn.ts';
import { validateUnit, type GuardedUnit, type Step } from '#domain/workflow.ts';
import type { Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import type { Tables } from '#server/db/tables.ts';
import { billHoldOf, selectBillHold } from '#server/workflow/holds.ts';
import { refuseFormer } from '#server/workflow/names.ts';

/** A unit with what its bill and its item say of it. */
export interface Unit extends GuardedUnit {
  type: string;
  /** Of its bill; null of a customer's. */
  billType: string | null;
  salesCode: string;
  itemName: string;
  mtblId: string | null;
  mtbliId: string | null;
  itemRowId: number | null;
  /** The SN that was received for its item: another one's, where this part took its place. Rule: events#e16. */
  receiveSn: string | null;
  /** When it was checked on this bill. */
  checkTime: number | null;
  powerSn: string | null;
  deliverStatus: string | null;
  deliverPriority: string | null;
  deliverSiteId: string | null;
  deliverShipId: string | null;
  /** Another bill with whose goods it ships; null with its own bill's. Rule: events#e32. */
  deliverMtbId: string | null;
  /** Those that ship apart from the other goods of their bill. */
  deliverGroup: string | null;
}

type Db = Kysely<Tables>;

/** The scanned SNs as they are kept, checked by themselves: there, well formed, none twice. Rule: guard#sns. */
export function readSns(scanned: readonly (string | null | undefined)[], fieldOf: (i: number) => string): string[] {
  const sns = scanned.map((it) => normaliseSn(it ?? ''));
  refuseIfAny(sns.flatMap((sn, i) => validateSnText(sn, fieldOf(i))));
  refuseIfAny(
    repeatedSns(sns).map((sn) => ({ key: 'duplicateSn', field: fieldOf(sns.lastIndexOf(sn)), args: { sn } })),
  );
  return sns;
}

/** What is wrong with an SN before anything is known of its unit. */
export function validateSnText(sn: string, field: string): Problem[] {
  if (sn === '') return [{ key: 'required', field, args: { fields: [{ zh: 'SN', en: 'SN' }] } }];
  return isSn(sn) ? [] : [{ key: 'format', field, args: { field: { zh: 'SN', en: 'SN' } } }];
}

/** The unit of one scanned SN, if this step may be done on it; reads only. */
export async function scanUnit(ctx: Context, scanned: string, step: Exclude<Step, 'receive'>): Promise<Unit> {
  const sn = normaliseSn(scanned);
  refuseIfAny(validateSnText(sn, 'sn'));
  const unit = (await readUnits(ctx.db, [sn])).get(sn);
  if (!unit) await refuseFormer(ctx, [sn]);
  refuseIfAny(validateUnit(sn, unit, step, ctx.currentUser.siteId));
  return unit as Unit;
}

/** A unit on a maintain bill: its line and its item go with it. */
export type UnitOnBill = Unit & Record<'mtbId' | 'mtblId' | 'mtbliId', string>;
export const isOnBill = (unit: Unit): unit is UnitOnBill =>
  unit.mtbId !== null && unit.mtblId !== null && unit.mtbliId !== null;

/** The units of these SNs; an SN that the workshop does not know is not in the map. */
export async function readUnits(db: Db, sns: readonly string[]): Promise<Map<string, Unit>> {
  const rows = await db
    .selectFrom('rma_inventory as u')
    .leftJoin('rma_maintain_bill as b', 'b.mtbId', 'u.mtbId')
    .leftJoin('rma_maintain_bill_line_item as i', 'i.mtbliId', 'u.mtbliId')
    .leftJoinLateral(
      (it) =>
        it
          .selectFrom('rma_check_bill_line as l')
          .select(['l.id as lineId', 'l.ckbId', 'l.disposition', 'l.scrapStatus', 'l.nofaultConfirmStatus'])
          .select('l.createTime as checkedAt')
          .whereRef('l.sn', '=', 'u.sn')
          // A power that was checked along with its device has a line as well; that decides nothing of a unit.
          .where('l.disposition', 'is not', null)
          .where('u.ivyId', '=', Node.AwaitingCheck)
          .orderBy('l.id', 'desc')
          .limit(1)
          .as('c'),
      (join) => join.onTrue(),
    )
    .select(['u.sn', 'u.type', 'u.salesCode', 'u.itemName', 'u.siteId', 'u.ivyId', 'u.mtbId', 'u.mtblId', 'u.mtbliId'])
    .$call(selectBillHold)
    .select(['b.billType', 'b.billStatus', 'i.id as itemRowId', 'i.powerSn', 'i.deliverStatus', 'i.deliverPriority'])
    .select(['i.deliverSiteId', 'i.deliverShipId', 'i.deliverMtbId', 'i.deliverGroup', 'i.checkTime', 'i.receiveSn'])
    .select(['c.lineId', 'c.ckbId', 'c.disposition', 'c.scrapStatus', 'c.nofaultConfirmStatus', 'c.checkedAt'])
    .where('u.sn', '=', anyOf(sns))
    .execute();
  return new Map(
    rows.map(({ lineId, ckbId, disposition, scrapStatus, nofaultConfirmStatus, checkedAt, ...rest }) => {
      const { holdKind, holdBillId, holdTime, holdSiteIds, ...row } = rest;
      return [
        row.sn,
        {
          ...row,
          salesCode: row.salesCode ?? '',
          itemName: row.itemName ?? '',
          ivyId: row.ivyId as Node | null,
          held:
            billHoldOf({ holdKind, holdBillId, holdTime, holdSiteIds }) ??
            proposalOf({ lineId, ckbId, disposition, scrapStatus, nofaultConfirmStatus, checkedAt }),
        },
      ];
    }),
  );
}

type LatestCheck = Record<'ckbId' | 'disposition' | 'scrapStatus' | 'nofaultConfirmStatus', string | null> &
  Record<'lineId' | 'checkedAt', number | null>;

/** What the latest check proposed, while nobody has said a word on it. */
function proposalOf({ lineId, ckbId, checkedAt, ...it }: LatestCheck): Hold | null {
  if (!ckbId || lineId === null) return null;
  const hold = { billId: ckbId, since: checkedAt ?? 0, lineId };
  if (it.disposition === Disposition.Scrap && it.scrapStatus === Confirmation.Waiting)
    return { kind: 'scrap', ...hold };
  if (it.disposition === Disposition.NoFault && it.nofaultConfirmStatus === Confirmation.Waiting)
    return { kind: 'nofault', ...hold };
  return null;
}
