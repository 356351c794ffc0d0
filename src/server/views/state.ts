import type { Definition } from '#domain/definition/grammar.ts';
import { queryOf, type ViewState } from '#domain/listView.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { createCondition } from '#server/engine/conditions.ts';
import { createFilters } from '#server/engine/filters.ts';
import { parsePage } from '#server/engine/rows.ts';

/** A whole view as text; far above what its other bounds add up to, and far below what would weigh in a list of views. */
const MAX_STATE = 20_000;

/**
 * A view as it is kept: searched by what the list can be searched by, refused by the same words as the search itself;
 * columns that the list does not have are left out.
 */
export function checkedState(definition: Definition, state: ViewState, ctx: Context): ViewState {
  if (JSON.stringify(state).length > MAX_STATE) {
    throw new Refusal({ key: 'tooLong', field: 'state', args: { field: 'state', max: MAX_STATE } });
  }
  createFilters(definition, queryOf(state), ctx);
  if (state.condition != null) createCondition(definition, state.condition, ctx);
  parsePage(definition, { sortBy: state.sortBy, order: state.order });
  return withKnownColumns(definition, state);
}

/**
 * A kept view under today's definition: columns that are gone go quietly, and so does an order by one; conditions that
 * can't be asked any more are left out and named, for without them the list shows more than the view was made for.
 */
export function currentState(
  definition: Definition,
  saved: ViewState,
  ctx: Context,
): { state: ViewState; dropped: string[] } {
  const dropped = new Set<string>();
  const isAsked = (name: string, ask: () => unknown) => {
    try {
      ask();
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      dropped.add(name);
      return false;
    }
  };
  const filter = (saved.filter ?? []).filter(({ name, value }) =>
    isAsked(name, () => createFilters(definition, { [name]: value }, ctx)),
  );
  const condition = isGroup(saved.condition)
    ? prunedGroup(saved.condition, (rule) =>
        isAsked(String(rule['column']), () => createCondition(definition, { rules: [rule], groups: [] }, ctx)),
      )
    : null;
  const { filter: _, condition: __, sortBy, order, ...rest } = withKnownColumns(definition, saved);
  const isSorted = sortBy !== undefined && definition.list?.columns.includes(sortBy) === true;
  return {
    state: {
      ...rest,
      ...(filter.length > 0 && { filter }),
      ...(condition && { condition: condition as NonNullable<ViewState['condition']> }),
      ...(isSorted && { sortBy, ...(order && { order }) }),
    },
    dropped: [...dropped],
  };
}

interface Group {
  connector?: unknown;
  rules: Record<string, unknown>[];
  groups: Group[];
}

/** A nested search without the rules that fail; null when nothing is left of it. */
function prunedGroup(group: Group, stays: (rule: Record<string, unknown>) => boolean): Group | null {
  const rules = (group.rules ?? []).filter(stays);
  const groups = (group.groups ?? []).flatMap((it) => prunedGroup(it, stays) ?? []);
  return rules.length + groups.length === 0 ? null : { ...group, rules, groups };
}

const isGroup = (it: unknown): it is Group => typeof it === 'object' && it !== null;

function withKnownColumns(definition: Definition, state: ViewState): ViewState {
  if (!state.columns) return state;
  return { ...state, columns: knownColumns(definition, state.columns) };
}

/** The choices of columns that the list has, each once. */
export function knownColumns<Choice extends { name: string }>(
  definition: Definition,
  choices: readonly Choice[],
): Choice[] {
  const known = new Set(definition.list?.columns ?? Object.keys(definition.fields));
  return choices.filter((it) => known.delete(it.name));
}
