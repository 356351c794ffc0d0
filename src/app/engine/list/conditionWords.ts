import { valuesIn } from '#domain/searchBounds.ts';
import type { Column, Labels, SearchGroup, SearchMetadata, SearchRule } from '#app/engine/wire.ts';
import { kindOf, textOf, listed } from '#app/fields/format.ts';

/** Where a rule or a group stands in the tree: the groups on the way, then the rule, or nothing for the group itself. */
export interface ConditionPath {
  groups: readonly number[];
  rule?: number;
}

/** The tree without what stands at a place; groups that are then empty go too. Null when nothing is left. */
export function without(group: SearchGroup, { groups: [next, ...deeper], rule }: ConditionPath): SearchGroup | null {
  const inner =
    next === undefined
      ? { ...group, rules: group.rules.filter((_, i) => i !== rule) }
      : {
          ...group,
          groups: group.groups.flatMap((it, i) => {
            if (i !== next) return [it];
            return deeper.length === 0 && rule === undefined ? [] : (without(it, toPath(deeper, rule)) ?? []);
          }),
        };
  return inner.rules.length + inner.groups.length === 0 ? null : inner;
}

const toPath = (groups: number[], rule: number | undefined): ConditionPath => ({
  groups,
  ...(rule !== undefined && { rule }),
});

/** A rule as a sentence: "Status equals Done". Until the metadata is there, in its own names. */
export function ruleWords(rule: SearchRule, metadata: SearchMetadata | undefined, labels?: Labels): string {
  const label = metadata?.title[rule.column] ?? rule.column;
  const relation = metadata?.relations[rule.relation] ?? rule.relation;
  if (rule.relation.endsWith('NULL')) return `${label} ${relation}`;
  const column = metadata?.columns?.find((it) => it.name === rule.column);
  const values = rule.relation === 'IN' ? valuesIn(rule.value) : [rule.value];
  return `${label} ${relation} ${listed(values.map((it) => valueWords(it, column, labels)))}`;
}

function valueWords(value: string, column: Column | undefined, labels: Labels = {}): string {
  if (!column) return value;
  const isMoment = ['moment', 'day'].includes(kindOf(column)) && /^\d+$/.test(value);
  return textOf(column, isMoment ? Number(value) : value, labels);
}
