import { ComponentType } from '#domain/assembly.ts';
import { GoodsType, RepairType } from '#domain/enums.ts';
import type { Problem } from '#domain/refusal.ts';
import { DEVICE_TYPE, FIRST_BOARD_TYPE, MOST_BOARDS, needsReplaceSn, type RepairRow } from '#domain/repairRecord.ts';
import { NO_PART } from '#domain/sn.ts';

/** The new part of each row that puts one in. */
export const replacementsOf = (rows: readonly RepairRow[]): { row: RepairRow; index: number }[] =>
  rows.flatMap((row, index) => (needsReplaceSn(row.repairMethod) && row.replaceSn !== NO_PART ? [{ row, index }] : []));

/** A new part goes into one place and is none of the parts that are there. */
export function validateReplacements(deviceSn: string, rows: readonly RepairRow[]): Problem[] {
  const news = replacementsOf(rows);
  return news.flatMap(({ row, index }): Problem[] => {
    const sn = row.replaceSn;
    const isTwice = news.some((it) => it.index < index && it.row.replaceSn === sn);
    const isThere = sn === deviceSn || rows.some((it) => it.sn === sn);
    return isTwice || isThere ? [{ key: 'duplicateSn', field: `partsList.${index}.replaceSn`, args: { sn } }] : [];
  });
}

/** A part is exchanged as a whole: one new SN takes its place. Rule: events#e16. */
export function validateExchange(rows: readonly RepairRow[]): Problem[] {
  const args = { field: { module: 'rmaRepairBillLine', field: 'replaceSn' } };
  return replacementsOf(rows)
    .slice(1)
    .map(({ index }) => ({ key: 'format' as const, field: `partsList.${index}.replaceSn`, args }));
}

/**
 * Only for a machine of the site's own stock it is said; a customer's is defective. Rule: repairing#repair-type.
 */
export function repairTypeOf(
  isStock: boolean,
  sent: string,
  proposed: string = RepairType.Defective,
): { repairType: string; problems: Problem[] } {
  if (!isStock) return { repairType: RepairType.Defective, problems: [] };
  const repairType = sent === '' ? proposed : sent;
  const isKnown = Object.values<string>(RepairType).includes(repairType);
  const args = { field: { module: 'rmaRepairBill', field: 'repairType' } };
  return { repairType, problems: isKnown ? [] : [{ key: 'format', field: 'repairType', args }] };
}

const byPartsType: Record<string, ComponentType> = { 2: ComponentType.Power, 3: ComponentType.Controls };

/** What a new part is to its device, by the type of board that it replaces. Rule: repairing#kinds. */
export const componentTypeOf = (partsType: string): ComponentType => byPartsType[partsType] ?? ComponentType.Board;

interface Bound {
  componentType: string;
  componentSn: string;
}

/** Which type of board a part of the device is: boards are numbered as the page shows them. */
export function findPartsType(components: readonly Bound[], sn: string): string | undefined {
  const part = components.find((it) => it.componentSn === sn);
  if (!part) return undefined;
  const single = Object.entries(byPartsType).find(([, type]) => type === part.componentType);
  if (single) return single[0];
  const at = components.filter((it) => it.componentType === part.componentType).indexOf(part);
  return at < MOST_BOARDS ? String(FIRST_BOARD_TYPE + at) : undefined;
}

/** The part that a type of board can only mean, because the device has no other of its kind. */
export function findOnlyPart(components: readonly Bound[], partsType: string): string | undefined {
  const number = Number(partsType);
  const isBoard = number >= FIRST_BOARD_TYPE && number < FIRST_BOARD_TYPE + MOST_BOARDS;
  if (!isBoard && byPartsType[partsType] === undefined) return undefined;
  const alike = components.filter((it) => it.componentType === componentTypeOf(partsType));
  return alike.length === 1 ? alike[0]?.componentSn : undefined;
}

/** What this user did last: how a code was repaired, and which type of board a model is. */
export interface Habits {
  methods: Readonly<Record<string, string>>;
  types: Readonly<Record<string, string>>;
}
export const noHabits: Habits = { methods: {}, types: {} };

/** More codes than a technician meets; the oldest go first. */
const MOST_HABITS = 200;

/** The habits after a record; what was done last stands last. */
export function habitsAfter(
  habits: Habits,
  row: { partsType: string; repairMethod: string; codes: readonly { code: string }[] },
  model: string | null,
): Habits {
  const methods = row.codes.map((it) => [it.code, row.repairMethod] as const);
  return {
    methods: withLast(habits.methods, methods),
    types: model === null ? habits.types : withLast(habits.types, [[model, row.partsType]]),
  };
}

function withLast(
  before: Readonly<Record<string, string>>,
  news: readonly (readonly [string, string])[],
): Record<string, string> {
  const others = Object.entries(before).filter(([name]) => !news.some(([it]) => it === name));
  return Object.fromEntries([...others, ...news].slice(-MOST_HABITS));
}

/**
 * The record that is proposed: for the codes that the tests found and no record names yet, on the device itself, or on a
 * board as one of its model was recorded last, repaired as such a code was last.
 */
export function proposeRecord<Code extends { codeId: number; code: string }>(
  unit: { type: string; salesCode: string; found: readonly Code[] },
  rows: readonly { codes: readonly { codeId: number }[] }[],
  habits: Habits,
): { codes: Code[]; partsType: string; repairMethod: string } | undefined {
  const isNamed = (it: Code) => rows.some((row) => row.codes.some(({ codeId }) => codeId === it.codeId));
  const codes = unit.found.filter((it, i, all) => !isNamed(it) && all.findIndex((o) => o.codeId === it.codeId) === i);
  if (codes.length === 0 && rows.length > 0) return undefined;
  const partsType = unit.type === GoodsType.Board ? (habits.types[unit.salesCode] ?? '') : DEVICE_TYPE;
  const known = codes.find((it) => habits.methods[it.code] !== undefined);
  return { codes, partsType, repairMethod: known ? (habits.methods[known.code] ?? '') : '' };
}
