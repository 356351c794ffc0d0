import { ADVANCED, VIEW } from '#app/engine/filterNames.ts';
import type { SearchGroup } from '#app/engine/wire.ts';
import type { Matching } from '#app/parts/dialog.ts';

/** A list's filter apart: the simple search as text, and the nested one. */
export function conditionsOf(filterValues: Record<string, unknown>): Pick<Matching, 'query' | 'condition'> {
  const { [ADVANCED]: advanced, [VIEW]: _, ...simple } = filterValues;
  return {
    query: Object.fromEntries(Object.entries(simple).map(([name, value]) => [name, String(value)])),
    condition: advanced ? (JSON.parse(String(advanced)) as SearchGroup) : null,
  };
}

/** What is said by a line of conditions: a state whose tab is pressed is said there already. Rule: lists#tabs. */
export function saidBeside(filterValues: Record<string, unknown>, tabs: string | undefined): Record<string, unknown> {
  if (tabs === undefined || typeof filterValues[tabs] !== 'string') return filterValues;
  const { [tabs]: _, ...others } = filterValues;
  return others;
}
