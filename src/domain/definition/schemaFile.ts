import { DefinitionSchema } from '#domain/definition/grammar.ts';

/** `definitions/definition.schema.json`, from which editors complete: the grammar as plain JSON Schema. */
export const schemaFile = (): Record<string, unknown> => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'A definition: what a module is and where it appears',
  ...(JSON.parse(JSON.stringify(DefinitionSchema)) as Record<string, unknown>),
});
