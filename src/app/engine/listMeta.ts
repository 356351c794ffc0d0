import type { Column, Pager } from '#app/engine/wire.ts';

/** What a list's answer says beside its rows. */
export type ListMeta = Partial<Omit<Pager, 'items' | 'itemTotal'>>;

/**
 * One column for each entry of the title, in its order; how it is typed stands beside it. Behind them those that the list
 * has besides, which somebody may want to see. Rule: lists#columns.
 */
export function columnsOf({ title = {}, columns = [] }: ListMeta): Column[] {
  const typed = new Map(columns.map((it) => [it.name, it]));
  const shown = Object.entries(title).map(([name, label]) => ({
    name,
    type: 'String' as const,
    ...typed.get(name),
    label,
  }));
  const others = columns.filter((it) => !Object.hasOwn(title, it.name)).map((it) => ({ ...it, isOther: true }));
  return [...shown, ...others];
}
