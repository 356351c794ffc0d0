import { MAX_WIDTH, MIN_WIDTH, type ColumnChoice } from '#domain/listView.ts';
import type { Column } from '#app/engine/wire.ts';

/** A column where the user put it, shown or not. */
export interface Arranged {
  column: Column;
  width?: number;
  hidden: boolean;
}

/**
 * The list's columns in the user's order. The first one stays where it is and always shows: it names the row and leads
 * to it. What the definition has added since stands at the end, shown.
 */
export function arrangedBy(columns: readonly Column[], choices: readonly ColumnChoice[]): Arranged[] {
  const [first, ...rest] = columns;
  if (!first) return [];
  const chosen = new Map(choices.map((it) => [it.name, it]));
  const positions = new Map(choices.map((it, i) => [it.name, i]));
  const last = choices.length;
  const sorted = rest
    .map((column, i) => ({ column, at: positions.get(column.name) ?? last + i }))
    .sort((a, b) => a.at - b.at)
    .map((it) => it.column);
  return [first, ...sorted].map((column, i) => {
    const { width, hidden } = chosen.get(column.name) ?? {};
    const isHidden = hidden ?? column.isOther === true;
    return { column, ...(width !== undefined && { width }), hidden: i > 0 && isHidden };
  });
}

/** What is kept of an arrangement. */
export const choicesOf = (arranged: readonly Arranged[]): ColumnChoice[] =>
  arranged.map(({ column, width, hidden }) => ({
    name: column.name,
    ...(width !== undefined && { width }),
    ...(hidden !== (column.isOther === true) && { hidden }),
  }));

/** The column at another place; the first place is taken. */
export function moved(arranged: readonly Arranged[], name: string, to: number): Arranged[] {
  const from = arranged.findIndex((it) => it.column.name === name);
  const it = arranged[from];
  const index = Math.min(Math.max(to, 1), arranged.length - 1);
  if (!it || from === 0 || from === index) return [...arranged];
  const others = arranged.filter((_, i) => i !== from);
  return [...others.slice(0, index), it, ...others.slice(index)];
}

/** A column as it is drawn: with what stands under it. */
export type ShownColumn = Column & { below?: Column };

/** Those that are shown; what stands in small under another one is not shown twice. */
export function shownOf(arranged: readonly Arranged[]): ShownColumn[] {
  const hidden = new Map(arranged.filter((it) => it.hidden).map(({ column }) => [column.name, column]));
  return arranged
    .filter((it) => !it.hidden)
    .map(({ column }) => {
      const below = column.under === undefined ? undefined : hidden.get(column.under);
      return below ? { ...column, below } : column;
    });
}

/** How many facts a card has besides its title. */
const FACTS = 6;

/** What stands in small under a column comes where the columns themselves leave room. Rule: lists#columns. */
export function factsOfCard(columns: readonly ShownColumn[], isLeftOut: (it: Column) => boolean): Column[] {
  const isFact = (it: Column | undefined): it is Column => it !== undefined && !isLeftOut(it);
  const own = columns.filter(isFact).slice(0, FACTS);
  const below = columns.map((it) => it.below).filter(isFact);
  const chosen = new Set([...own, ...below.slice(0, FACTS - own.length)]);
  return columns.flatMap((it) => [it, it.below].filter(isFact)).filter((it) => chosen.has(it));
}

/** The first column and a group's, in the group's order; the others are hidden and keep their places behind. */
export function grouped(arranged: readonly Arranged[], names: readonly string[]): Arranged[] {
  const [first, ...rest] = arranged;
  if (!first) return [];
  const chosen = names.flatMap((name) => rest.filter((it) => it.column.name === name));
  const others = rest.filter((it) => !chosen.includes(it));
  return [first, ...chosen.map((it) => ({ ...it, hidden: false })), ...others.map((it) => ({ ...it, hidden: true }))];
}

/** One column changed; `width: undefined` gives it back the width of what stands in it. */
export const changed = (
  arranged: readonly Arranged[],
  name: string,
  change: { width?: number | undefined; hidden?: boolean },
): Arranged[] =>
  arranged.map((it, i): Arranged => {
    if (it.column.name !== name) return it;
    const width = 'width' in change ? change.width : it.width;
    const hidden = i > 0 && (change.hidden ?? it.hidden);
    return { column: it.column, hidden, ...(width !== undefined && { width: boundedWidth(width) }) };
  });

export const boundedWidth = (width: number): number => Math.round(Math.min(Math.max(width, MIN_WIDTH), MAX_WIDTH));
