import type { Column, Pager } from '#app/engine/wire.ts';

/** What a list's answer says beside its rows. */
export type ListMeta = Partial<Omit<Pager, 'items' | 'itemTotal'>>;

/** One column for each entry of the title, in its order; how it is typed stands beside it. Rule: lists#columns. */
export function columnsOf({ title, columns }: ListMeta): Column[] {
  const typed = new Map((columns ?? []).map((it) => [it.name, it]));
  return Object.entries(title ?? {}).map(([name, label]) => ({
    name,
    type: 'String' as const,
    ...typed.get(name),
    label,
  }));
}
