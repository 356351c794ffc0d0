import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { schemaFile } from '#domain/definition/schemaFile.ts';
import { registers } from '#main/registers.ts';
import { formatDefinition } from '#server/definitions/formatDefinition.ts';
import { BadDefinitions, readModel } from '#server/definitions/read.ts';
import { createTypes } from '#server/definitions/types.ts';
import { ROOT } from '#server/root.ts';
import { refuseWords } from '#main/refuseWords.ts';

const TABLES = join(ROOT, 'src/server/db/tables.ts');
const SCHEMA = join(ROOT, 'definitions/definition.schema.json');

/** `npm run definitions:types`: writes the tables' types and the JSON Schema; nothing while a definition is wrong. */
refuseWords('npm run definitions:types');
try {
  writeFileSync(SCHEMA, await formatDefinition(SCHEMA, schemaFile()));
  const definitions = [...readModel(registers).definitions.values()];
  writeFileSync(TABLES, createTypes(definitions));
  console.log(`Wrote the types of ${definitions.length} tables to ${TABLES}`);
} catch (error) {
  console.error(error instanceof BadDefinitions ? error.message : error);
  process.exit(1);
}
