import type { Definition, Model } from '#domain/definition/grammar.ts';

/** The definition of a module that the code knows by name; a model without it can't run this code. */
export function requireDefinition(model: Model, module: string): Definition {
  const definition = model.definitions.get(module);
  if (!definition) throw new Error(`the model has no ${module}`);
  return definition;
}
