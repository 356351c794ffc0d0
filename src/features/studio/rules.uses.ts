import type { DataOf } from '#domain/call.ts';
import type { Words } from '#domain/words.ts';
import type { checkDraft } from './contract.ts';

type Use = DataOf<typeof checkDraft>['uses'][number];

/** All that uses a field in one way. */
export interface UseGroup extends Omit<Use, 'name'> {
  names: Words[];
}

/** What uses fields, one group for each field and way, in the order of the first of each. */
export function groupUses(uses: readonly Use[]): UseGroup[] {
  const groups = new Map<string, UseGroup>();
  for (const { name, ...it } of uses) {
    const key = `${it.module} ${it.field} ${it.kind}`;
    const group = groups.get(key) ?? { ...it, names: [] };
    groups.set(key, { ...group, names: [...group.names, name] });
  }
  return [...groups.values()];
}
