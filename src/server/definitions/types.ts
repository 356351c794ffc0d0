import { isAlways } from '#domain/definition/columns.ts';
import type { Definition, Field, FieldType } from '#domain/definition/grammar.ts';

/** By field type, of a column that is NOT NULL, and of one that is not. */
const tsTypes: Record<FieldType, [always: string, maybe: string]> = {
  String: ['string', 'string | null'],
  LongString: ['string', 'string | null'],
  Number: ['number', 'number | null'],
  Integer: ['number', 'number | null'],
  Long: ['number', 'number | null'],
  BigDecimal: ['Decimal', 'MaybeDecimal'],
  password: ['Secret', 'Secret'],
  date: ['Day', 'MaybeDay'],
  dateTime: ['Moment', 'MaybeMoment'],
  Month: ['string', 'string | null'],
  select: ['string', 'string | null'],
  List: ['List', 'MaybeList'],
};
const itemTypes = { String: 'string', Integer: 'number' } as const;

function tsType(field: Field): string {
  const type = tsTypes[field.type][isAlways(field) ? 0 : 1];
  if (!field.items) return type;
  const items = Object.entries(field.items).map(([name, it]) => `${name}: ${itemTypes[it]}`);
  return `${type}<{ ${items.join('; ')} }>`;
}

/** The Kysely types of every table: the definitions are the source, the types follow. */
export function createTypes(definitions: Definition[]): string {
  const tables = definitions
    .filter((it) => !it.rowsOf && !it.viewOf)
    .toSorted((a, b) => (a.table < b.table ? -1 : 1))
    .map((it) => {
      const fields = Object.entries(it.fields).map(([name, field]) => `  ${name}: ${tsType(field)};`);
      return {
        table: it.table,
        module: it.module,
        name: nameOf(it.module),
        text: `export interface ${nameOf(it.module)} extends StandardColumns {\n${fields.join('\n')}\n}`,
      };
    });
  return `// Written by \`npm run definitions:types\` from definitions/. Do not edit.
import type { ColumnType, Generated } from 'kysely';
import type { MaybeMoment, Moment, PlatformTables } from '#server/db/platformTables.ts';

/** A decimal: read as a string, so that no digit is lost. */
type Decimal = ColumnType<string, string | number>;
type MaybeDecimal = ColumnType<string | null, string | number | null | undefined, string | number | null>;
/** A calendar day: read as epoch ms of its midnight in the workshop's zone, written as yyyy-mm-dd. */
type Day = ColumnType<number, string>;
type MaybeDay = ColumnType<number | null, string | null | undefined, string | null>;
/** Entries of several values each: read as they are, written as JSON. */
type List<Entry> = ColumnType<readonly Entry[], string>;
type MaybeList<Entry> = ColumnType<readonly Entry[] | null, string | null | undefined, string | null>;
/** The hash of a password: no call reads it. */
export type Secret = ColumnType<string | null, string | null | undefined, string | null>;

export interface StandardColumns {
  id: Generated<number>;
  version: Generated<number>;
  createBy: Generated<string>;
  createTime: ColumnType<number, Date | string | undefined, Date | string>;
  updateBy: string | null;
  updateTime: MaybeMoment;
}

${tables.map((it) => it.text).join('\n\n')}

export interface Tables extends PlatformTables {
${tables.map((it) => `  ${it.table}: ${it.name};`).join('\n')}
}

/** The table of each module that has one of its own. */
export interface Modules {
${tables.map((it) => `  ${it.module}: ${it.name};`).join('\n')}
}
`;
}

const nameOf = (module: string) => module.charAt(0).toUpperCase() + module.slice(1);
