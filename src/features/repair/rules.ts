import { ComponentType } from '#domain/assembly.ts';
import { RepairType } from '#domain/enums.ts';
import type { Problem } from '#domain/refusal.ts';
import { needsReplaceSn, problemsOfRecord, slotsOfText, type RepairRecord } from '#domain/repairRecord.ts';
import { NO_PART } from '#domain/sn.ts';

/** A row of a device's repair, its SNs normalised. */
export interface RepairRow extends RepairRecord {
  /** The part's own SN; empty when it has none. */
  sn: string;
}

/** What the enumerations allow. */
export interface Known {
  partsTypes: readonly string[];
  repairMethods: readonly string[];
}

/** A repair has rows, each of them whole. Spec 2 §5 Repair. */
export function problemsOfRepair(rows: readonly RepairRow[], known: Known): Problem[] {
  if (rows.length === 0) {
    const args = { fields: [{ module: 'rmaRepairBillLine', field: 'partsType' }] };
    return [{ key: 'required', field: 'partsList', args }];
  }
  return rows.flatMap((row, i) => {
    const at = `partsList.${i}.`;
    const unknown = (name: 'partsType' | 'repairMethod', values: readonly string[]): Problem[] =>
      row[name] === '' || values.includes(row[name])
        ? []
        : [{ key: 'format', field: at + name, args: { field: { module: 'rmaRepairBillLine', field: name } } }];
    return [
      ...problemsOfRecord(row, at),
      ...unknown('partsType', known.partsTypes),
      ...unknown('repairMethod', known.repairMethods),
    ];
  });
}

/** The new part of each row that puts one in. */
export const replacementsOf = (rows: readonly RepairRow[]): { row: RepairRow; index: number }[] =>
  rows.flatMap((row, index) => (needsReplaceSn(row.repairMethod) && row.replaceSn !== NO_PART ? [{ row, index }] : []));

/** A new part goes into one place and is none of the parts that are there. */
export function problemsOfReplacements(deviceSn: string, rows: readonly RepairRow[]): Problem[] {
  const news = replacementsOf(rows);
  return news.flatMap(({ row, index }): Problem[] => {
    const sn = row.replaceSn;
    const isTwice = news.some((it) => it.index < index && it.row.replaceSn === sn);
    const isThere = sn === deviceSn || rows.some((it) => it.sn === sn);
    return isTwice || isThere ? [{ key: 'duplicateSn', field: `partsList.${index}.replaceSn`, args: { sn } }] : [];
  });
}

/** The slots of a part whose bill of material is known are in it; `slots` is null where none is known. */
export function problemsOfSlots(
  row: Pick<RepairRow, 'slot'>,
  index: number,
  slots: ReadonlySet<string> | null,
): Problem[] {
  if (!slots) return [];
  return slotsOfText(row.slot)
    .filter((slot) => !slots.has(slot))
    .map((slot) => ({ key: 'slot' as const, field: `partsList.${index}.slot`, args: { slot } }));
}

/** A part is exchanged as a whole: one new SN takes its place. Decisions 2 E16. */
export function problemsOfExchange(rows: readonly RepairRow[]): Problem[] {
  const args = { field: { module: 'rmaRepairBillLine', field: 'replaceSn' } };
  return replacementsOf(rows)
    .slice(1)
    .map(({ index }) => ({ key: 'format' as const, field: `partsList.${index}.replaceSn`, args }));
}

/** Only a machine of the site's own stock has a repair type; a customer's is none of these. Decisions 2, O-27. */
export function repairTypeOf(
  isStock: boolean,
  sent: string,
  proposed: string = RepairType.Defective,
): { repairType: string | null; problems: Problem[] } {
  if (!isStock) return { repairType: null, problems: [] };
  const repairType = sent === '' ? proposed : sent;
  const isKnown = Object.values<string>(RepairType).includes(repairType);
  const args = { field: { module: 'rmaRepairBill', field: 'repairType' } };
  return { repairType, problems: isKnown ? [] : [{ key: 'format', field: 'repairType', args }] };
}

const byPartsType: Record<string, ComponentType> = { 2: ComponentType.Power, 3: ComponentType.Controls };

/** What a new part is to its device, by the type of board that it replaces. Spec 2 §9. */
export const componentTypeOf = (partsType: string): ComponentType => byPartsType[partsType] ?? ComponentType.Board;
