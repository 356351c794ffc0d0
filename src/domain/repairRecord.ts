import { PIECES_MAX } from '#domain/enums.ts';
import type { Problem } from '#domain/refusal.ts';
import { imageLimits, splitUrls } from '#domain/images.ts';
import { parseSlots } from '#domain/slots.ts';
import { isSn, NO_PART, normaliseSn } from '#domain/sn.ts';

/** How a part was repaired. Rule: repairing#methods. */
export const RepairMethod = {
  FlyLine: '1',
  Replace: '2',
  ChangeSlot: '3',
  Burnt: '4',
  IoReburn: '5',
  BbScrapped: '6',
  Program: '7',
  Welding: '8',
  ChangeMaterial: '9',
  Rechange: '10',
  Brush: '11',
  ErrorTest: '12',
  Other: '99',
} as const;

/** The type of what is no part of a device, but the device itself. Rule: repairing#kinds. */
export const DEVICE_TYPE = '1';
/** The first of the computing boards; the others follow it in their order. Rule: repairing#kinds. */
export const FIRST_BOARD_TYPE = 7;
export const MOST_BOARDS = 8;

/** The board type that has no slots: no board, or something else. Rule: repairing#slots. */
export const NO_SLOT_TYPE = '15';

const REPLACE_SN_LENGTH = 17;
const replacing: readonly string[] = [RepairMethod.Replace, RepairMethod.BbScrapped];
const countedBySlots: readonly string[] = [RepairMethod.Replace, RepairMethod.ChangeSlot];
/** The methods by which something is decided. */
export const namedMethods: readonly string[] = [...new Set([...replacing, ...countedBySlots])];

/** One row of a repair as it is entered. */
export interface RepairRecord {
  partsType: string;
  repairMethod: string;
  issueCodes: readonly unknown[];
  slot: string;
  spendItemCount: number | null;
  repairUrls: string | readonly string[] | null | undefined;
  replaceSn: string;
}

/** A replaced or scrapped part names the part that took its place. Rule: repairing#new-sn. */
export const needsReplaceSn = (repairMethod: string): boolean => replacing.includes(repairMethod);

/** The new part's SN has 17 characters; XXXX says that nothing was put in. Rule: repairing#new-sn. */
const isReplaceSn = (sn: string): boolean => sn === NO_PART || (sn.length === REPLACE_SN_LENGTH && isSn(sn));

/**
 * Replacing and changing slots spend one piece a slot; otherwise the count is what was entered. Rule: repairing#spent.
 */
export const spendCountOf = (row: Pick<RepairRecord, 'repairMethod' | 'slot' | 'spendItemCount'>): number | null =>
  countedBySlots.includes(row.repairMethod) ? parseSlots(row.slot).length : row.spendItemCount;

export const isCountedBySlots = (repairMethod: string): boolean => countedBySlots.includes(repairMethod);

/** What is wrong with one row of a repair; `at` is put before each field's name. Rule: repairing#records. */
export function validateRecord(row: RepairRecord, at = ''): Problem[] {
  const problems: Problem[] = [];
  const missing = (field: string): Problem => ({
    key: 'required',
    field: at + field,
    args: { fields: [{ module: 'rmaRepairBillLine', field }] },
  });
  if (row.partsType === '') problems.push(missing('partsType'));
  if (row.repairMethod === '') problems.push(missing('repairMethod'));
  if (row.issueCodes.length === 0) problems.push({ ...missing('icdIds'), field: `${at}issueCodeIdList` });
  if (row.partsType !== NO_SLOT_TYPE && parseSlots(row.slot).length === 0) problems.push(missing('slot'));
  const replaceSn = normaliseSn(row.replaceSn);
  if (needsReplaceSn(row.repairMethod) && replaceSn === '') problems.push(missing('replaceSn'));
  if (replaceSn !== '' && !isReplaceSn(replaceSn))
    problems.push({ key: 'replaceSn', field: `${at}replaceSn`, args: { sn: replaceSn } });
  const count = spendCountOf(row);
  const spent = { module: 'rmaRepairBillLine', field: 'spendCount' };
  if (count !== null && (!Number.isInteger(count) || (count < 1 && !isCountedBySlots(row.repairMethod))))
    problems.push({ key: 'format', field: `${at}spendItemCount`, args: { field: spent } });
  else if (count !== null && count > PIECES_MAX)
    problems.push({ key: 'atMost', field: `${at}spendItemCount`, args: { field: spent, max: PIECES_MAX } });
  if (splitUrls(row.repairUrls).length > imageLimits.repairRow)
    problems.push({ key: 'images', field: `${at}repairUrls`, args: { min: 0, max: imageLimits.repairRow } });
  return problems;
}

/** A row of a device's repair, its SNs normalised. */
export interface RepairRow extends RepairRecord {
  /** The part's own SN; empty when it has none. */
  sn: string;
}

/** What the enumerations allow. */
interface Known {
  partsTypes: readonly string[];
  repairMethods: readonly string[];
}

/** A repair has rows, each of them whole. Rule: repairing#records. */
export function validateRepair(rows: readonly RepairRow[], known: Known, list = 'partsList'): Problem[] {
  if (rows.length === 0) {
    const args = { fields: [{ module: 'rmaRepairBillLine', field: 'partsType' }] };
    return [{ key: 'required', field: list, args }];
  }
  return rows.flatMap((row, i) => {
    const at = `${list}.${i}.`;
    const unknown = (name: 'partsType' | 'repairMethod', values: readonly string[]): Problem[] =>
      row[name] === '' || values.includes(row[name])
        ? []
        : [{ key: 'format', field: at + name, args: { field: { module: 'rmaRepairBillLine', field: name } } }];
    return [
      ...validateRecord(row, at),
      ...unknown('partsType', known.partsTypes),
      ...unknown('repairMethod', known.repairMethods),
    ];
  });
}

/** The slots of a part whose bill of material is known are in it; `slots` is null where none is known. */
export function validateSlots(
  row: Pick<RepairRow, 'slot'>,
  index: number,
  slots: ReadonlySet<string> | null,
): Problem[] {
  if (!slots) return [];
  return parseSlots(row.slot)
    .filter((slot) => !slots.has(slot))
    .map((slot) => ({ key: 'slot' as const, field: `partsList.${index}.slot`, args: { slot } }));
}
