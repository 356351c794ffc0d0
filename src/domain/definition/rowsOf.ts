import type { Definition, Model } from '#domain/definition/grammar.ts';

/**
 * The definitions by which a list comes to its rows: itself, the one whose rows it shows, and so on to the module that has
 * them; of any other module itself alone. Where they lead in a circle, each once. Rule: definitions#reach.
 */
export function rowsChain(definition: Definition, { definitions }: Pick<Model, 'definitions'>): Definition[] {
  const chain = new Set([definition]);
  for (const { rowsOf } of chain) {
    const base = rowsOf && definitions.get(rowsOf.module);
    if (base) chain.add(base);
  }
  return [...chain];
}

/** The module that has the rows which a definition lists, however many lists lead to it: its sites, owner and fields count. */
export const rowsAre = (definition: Definition, model: Pick<Model, 'definitions'>): Definition =>
  rowsChain(definition, model).at(-1) ?? definition;
