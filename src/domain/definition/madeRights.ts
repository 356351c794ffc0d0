import type { DefinitionChange } from '#domain/definition/change.ts';
import type { Model } from '#domain/definition/grammar.ts';

type Changes = readonly { module: string; change: DefinitionChange }[];

/**
 * The rights that changes make: to each button that they add, and to a new module. They are given with the publish, by whoever
 * publishes; who had one of the same name has it no more. Rule: rights#giving.
 */
export function madeRights({ definitions }: Pick<Model, 'definitions'>, changes: Changes): Set<string> {
  const rights = changes.flatMap(({ module, change: { definition, buttons = {} } }) => {
    const known = definitions.get(module);
    const isNew = (btnNo: string) => !known?.buttons?.some((it) => it.btnNo === btnNo);
    const ofModule = definition ? ['list', ...(definition.buttons ?? []).map((it) => it.btnNo)] : [];
    const made = known ? Object.keys(buttons).filter(isNew) : ofModule;
    return made.map((it) => `${module}:${it}`);
  });
  return new Set(rights);
}

/** Those of them that the changes give to no role: their maker has them himself, as nobody else could give them. */
export function keptRights(model: Pick<Model, 'definitions'>, changes: Changes): string[] {
  const given = changes.flatMap(({ module, change: { rights = {} } }) =>
    Object.values(rights)
      .flat()
      .map((it) => `${module}:${it}`),
  );
  return [...madeRights(model, changes)].filter((it) => !given.includes(it));
}
