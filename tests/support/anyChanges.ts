import type pg from 'pg';
import { expect } from 'vitest';
import type { ContentsAnswer, DefinitionChange } from '#domain/definition/change.ts';
import type { Field, FieldType } from '#domain/definition/grammar.ts';
import { Refusal } from '#domain/refusal.ts';
import { quoted } from '#server/db/quoted.ts';
import type { Publication } from '#server/definitions/definitions.ts';
import { publish } from '#server/definitions/publish.ts';
import { BadDefinitions } from '#server/definitions/read.ts';
import { registers } from '#tests/support/features.ts';

const modules = ['ubsSite', 'ubsShipment', 'toolLoan', 'visitor', 'nowhere', 'rmaInventory'];
const LONG = 'aNameThatIsAsLongAsTheOneOfAFieldMayBe';
const fieldNames = ['fax', 'telex', `${LONG}A`, `${LONG}B`, 'siteName', 'xmin', 'no good', `${LONG}TooLong`];
const types: FieldType[] = [
  'String',
  'LongString',
  'Integer',
  'Long',
  'BigDecimal',
  'date',
  'dateTime',
  'Month',
  'select',
];
const tables = [
  'tool_loan',
  'visitor',
  'ubs_site',
  'ubs_site_pkey',
  'tool_loan_id_seq',
  'ledger',
  'x'.repeat(63),
  'x'.repeat(64),
];
const words = (en: string) => ({ zh: en, en });

/** Changes as anybody may send them, half of them wrong in some way, and all the same for the same `random`. */
export function anyChange(random: () => number): { module: string; change: DefinitionChange } {
  const one = <T>(among: readonly T[]): T => among[Math.floor(random() * among.length)] as T;
  const some = <T>(most: number, make: () => T): T[] => Array.from({ length: 1 + Math.floor(random() * most) }, make);
  const maybe = <T>(chance: number, it: T): T | undefined => (random() < chance ? it : undefined);
  const given = <T extends object>(it: T): T =>
    Object.fromEntries(Object.entries(it).filter(([, value]) => value !== undefined)) as T;
  const isWild = random() < 0.4;
  /** The first so many are right. */
  const among = <T>(all: readonly T[], right: number) => one(isWild ? all : all.slice(0, right));
  const name = () => among(fieldNames, 4);
  const ref = () => ({
    ...{ module: among(['ubsSite', ...modules], 1), value: among(['siteId', 'fax', 'nothing'], 1) },
    ...{ label: among(['siteName', 'name'], 1), ...(isWild && { mayDangle: 'as it may' }) },
  });
  const field = () =>
    given({
      type: one(isWild ? types : ['String', 'String', 'String', 'Integer', 'date']),
      label: isWild ? maybe(0.8, words('Any')) : words('Any'),
      unique: maybe(0.4, true),
      required: maybe(0.2, true),
      maxLength: maybe(0.4, one([1, 40, 3000])),
      computed: isWild ? maybe(0.2, one(['fax + telex', 'name', '((('])) : undefined,
      ref: maybe(0.1, ref()),
    }) as Field;
  /** Some of them say what becomes of what is still there. */
  const answered = (it: DefinitionChange): DefinitionChange => {
    const names = Object.keys(it.fields ?? it.definition?.fields ?? {});
    if (names.length % 2 === 0) return it;
    const answer: ContentsAnswer = (names[0] ?? '').length % 2 === 0 ? 'keep' : 'empty';
    const contents = it.definition
      ? { table: answer }
      : { fields: Object.fromEntries(names.map((of) => [of, answer])) };
    return { ...it, contents };
  };
  const fields = () => Object.fromEntries(some(3, () => [name(), field()]));
  const indexes = () => some(2, () => some(among([1, 2, 33], 2), name));
  const module = among(modules, 4);
  const definition = () => {
    const its = { name: { type: 'String', label: words('Name') } as Field, ...fields() };
    const more = { unique: maybe(0.3, [some(2, () => one(Object.keys(its)))]) };
    const table = isWild ? one(tables) : module.toLowerCase();
    return given({ module, label: words(module), table, site: 'all' as const, fields: its, ...more });
  };
  const change = among<() => object>(
    [
      () => answered({ fields: fields() }),
      () => answered({ definition: definition() }),
      () => ({ fields: { [name()]: { unique: true } } }),
      () => ({ indexes: indexes() }),
      () => ({ fields: Object.fromEntries(fieldNames.slice(0, 4).map((it) => [it, field()])), indexes: indexes() }),
      () => ({ label: words('Other') }),
      () => ({ label: one([{ zh: '别' }, null]) }),
      () => ({ list: { columns: some(3, name) } }),
      () => ({ ofANewerVersion: { fields: fields() } }),
    ],
    6,
  )();
  return { module, change };
}

/** Publishes it as the studio does, and says whether it counts; it is refused in words or done, and nothing else. */
export async function tryToPublish(url: string, given: Partial<Publication>): Promise<number | undefined> {
  const publication = { changes: [], takesBack: [], note: 'any', userId: 'admin', siteId: 'SZ', ...given };
  try {
    const { id, leftOut } = await publish(url, registers, publication);
    expect(leftOut, JSON.stringify(given)).toEqual([]);
    return id;
  } catch (error) {
    if (error instanceof BadDefinitions || error instanceof Refusal) return undefined;
    throw new Error(`Neither refused nor done: ${JSON.stringify(given)}`, { cause: error });
  }
}

/** What people leave in the columns: nothing, the same twice, and far more than a list shows. */
const awkward: Record<string, string> = {
  text: `CASE id % 4 WHEN 0 THEN NULL WHEN 1 THEN 'same' WHEN 2 THEN 'own' || id
           ELSE (SELECT string_agg(md5(id::text || i), '') FROM generate_series(1, 300) AS i) END`,
  integer: 'id % 3',
  bigint: 'id % 3',
  'numeric(18,6)': 'id % 3',
  date: `date '2026-01-01' + (id % 3)::int`,
  'timestamp with time zone': `timestamptz '2026-01-01' + (id % 3) * interval '1 day'`,
};

/** Fills the columns that publishes have brought, wherever a rule does not keep it out. */
export async function fillAwkwardly(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string; type: string }>(
    `SELECT c.relname AS table, a.attname AS column, format_type(a.atttypid, a.atttypmod) AS type
       FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
        AND a.attgenerated = '' AND (c.relname IN ('toolloan', 'tool_loan', 'visitor') OR c.relname LIKE 'xxx%' OR a.attname = ANY ($1))
        AND a.attname NOT IN ('id', 'version', 'createBy', 'createTime', 'updateBy', 'updateTime', 'siteName', 'name')`,
    [fieldNames],
  );
  for (const table of new Set(rows.map((it) => it.table)))
    await client.query(`INSERT INTO ${quoted(table)} DEFAULT VALUES`).catch(() => undefined);
  for (const { table, column, type } of rows) {
    const value = awkward[type];
    if (value === undefined) continue;
    await client.query(`UPDATE ${quoted(table)} SET ${quoted(column)} = ${value}`).catch(() => undefined);
  }
}
