import type { Definition } from '#domain/definition/grammar.ts';

/**
 * By module of lines, the numbers by which a shipped bill leads to the list of all of its lines, which need not stand in
 * that list. Lines of a published change are told as their own list tells them. Rule: lists#long-bills.
 */
export function billNumbers(all: ReadonlyMap<string, Definition>): ReadonlyMap<string, ReadonlySet<string>> {
  const known = cached.get(all);
  if (known) return known;
  const found = new Map<string, Set<string>>();
  for (const { lines = [] } of all.values()) {
    for (const { module, by } of lines.filter((it) => !it.related))
      found.set(module, (found.get(module) ?? new Set()).add(by));
  }
  cached.set(all, found);
  return found;
}
const cached = new WeakMap<ReadonlyMap<string, Definition>, ReadonlyMap<string, ReadonlySet<string>>>();
