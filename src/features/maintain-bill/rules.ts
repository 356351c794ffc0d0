import { GoodsType } from '#domain/enums.ts';
import { groupBy } from '#domain/group.ts';
import type { Problem } from '#domain/refusal.ts';

export interface DeclaredLine {
  type: string | null;
  salesCode: string;
  count: number;
}

export interface CatalogueItem {
  salesCode: string;
  name: string;
  productName: string | null;
  type: string;
}

/** A bill declares at least one line, each with what and how many. Rule: bills#creating. */
export function validateDeclaredLines(lines: readonly DeclaredLine[]): Problem[] {
  const missing = (name: string, field: string): Problem => ({
    key: 'required',
    field,
    args: { fields: [{ module: 'rmaMaintainBillLine', field: name }] },
  });
  const problems: Problem[] = [];
  if (lines.length === 0) problems.push(missing('salesCode', 'rmaMaintainBillLineList'));
  lines.forEach((line, i) => {
    const at = `rmaMaintainBillLineList.${i}`;
    if (line.salesCode === '') problems.push(missing('salesCode', `${at}.salesCode`));
    if (!(line.count >= 1)) problems.push(missing('count', `${at}.count`));
  });
  if (lines.reduce((sum, it) => sum + it.count, 0) > MOST_UNITS) {
    const args = { field: { module: 'rmaMaintainBillLine', field: 'count' } };
    problems.push({ key: 'format', field: 'rmaMaintainBillLineList', args });
  }
  return problems;
}

/** Each declared unit is a row; nobody sends in more at once. */
const MOST_UNITS = 10_000;

/** Declared goods are in the catalogue, as what they are. */
export function validateCatalogueItems(lines: readonly DeclaredLine[], catalogue: ReadonlyMap<string, CatalogueItem>) {
  const label = (field: string) => ({ module: 'rmaMaintainBillLine', field });
  return lines.flatMap(({ salesCode, type }, i): Problem[] => {
    const at = `rmaMaintainBillLineList.${i}`;
    const item = catalogue.get(salesCode);
    if (!item) {
      return [{ key: 'notFound', field: `${at}.salesCode`, args: { what: label('salesCode'), value: salesCode } }];
    }
    const fits = type === null || (isGoodsType(type) && type === item.type);
    return fits ? [] : [{ key: 'format', field: `${at}.type`, args: { field: label('type') } }];
  });
}

const isGoodsType = (type: string): boolean => type === GoodsType.Device || type === GoodsType.Board;

/** A unit of the bill, as far as it decides which actions take it. */
export interface FittingUnit {
  /** By the button of an action that would refuse it: the key of the refusal. */
  refused?: Readonly<Record<string, string>>;
}

/** Why an action does not take what is selected: which of them for which reason. */
export interface Misfit<Unit extends FittingUnit = FittingUnit> {
  /** The key of a refusal, or that the action takes one unit at a time. */
  why: string;
  units: readonly Unit[];
}

/** What stands against an action on all of these units at once; nothing, if it takes them. Rule: bills#detail. */
export function findMisfits<Unit extends FittingUnit>(
  { btnNo, rows }: { btnNo: string; rows?: 1 | 'many' },
  units: readonly Unit[],
): Misfit<Unit>[] {
  if (rows === 1 && units.length > 1) return [{ why: 'oneAtATime', units }];
  const refused = units.flatMap((unit) => {
    const why = unit.refused?.[btnNo];
    return why === undefined ? [] : [{ why, unit }];
  });
  return [...groupBy(refused, (it) => it.why)].map(([why, those]) => ({ why, units: those.map((it) => it.unit) }));
}
