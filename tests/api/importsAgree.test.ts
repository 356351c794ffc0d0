import type { CellValue } from 'hucre';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayFromSql } from '#domain/day.ts';
import type { Definition, Field } from '#domain/definition/grammar.ts';
import { readModel } from '#server/definitions/read.ts';
import { sentFields } from '#server/engine/form.ts';
import { alwaysOf, insertRow } from '#tests/support/always.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { settingImports } from '#tests/support/bulkRounds.ts';
import { registers } from '#tests/support/features.ts';
import { sendFile, workbook } from '#tests/support/workbooks.ts';

/** What comes by a workbook is judged and written as what comes by the form, and by no other way where there is none. */
type Row = Record<string, unknown>;

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp({ exportWaitMs: 120_000 }, { worksJobs: true });
});
afterAll(() => testApp?.close());

const { definitions, options } = readModel(registers);

/** Each module whose rows a form makes and a workbook brings. */
const both = [...definitions.values()].filter(
  ({ writes, buttons = [] }) => (writes === 'all' || writes?.create) && buttons.some((it) => it.script === 'upload'),
);

interface Looked {
  url: string;
  bad: number;
  imported: number;
  problems: { msg: string; fields: string[] }[];
}
/** As the call has it, and as a cell has it. */
interface Said {
  wire: unknown;
  cell: CellValue;
}
const alike = (value: string | number): Said => ({ wire: value, cell: value });
const DAY = '2027-03-01';

let made = 0;
async function fitting(name: string, field: Field): Promise<Said> {
  made += 1;
  if (field.ref) {
    const { module, value } = field.ref;
    const target = definitions.get(module) as Definition;
    const row = {
      ...alwaysOf(target, definitions),
      ...(target.site !== 'all' && { siteId: 'SZ' }),
      [value]: `REF${made}`,
    };
    await insertRow(testApp.db, target, row, definitions);
    return alike(`REF${made}`);
  }
  if (field.options) return alike(options[field.options]?.[0]?.value ?? '');
  switch (field.type) {
    case 'Number':
    case 'Integer':
    case 'Long':
      return alike(field.unique ? 700_000 + made : Math.max(field.min ?? 1, 1));
    case 'BigDecimal':
      return alike(2);
    case 'date':
    case 'dateTime':
      return { wire: dayFromSql(DAY, testApp.config.timeZone), cell: DAY };
    default:
      return alike(`AGREE${made}`.slice(0, field.maxLength ?? 20));
  }
}

/** Beside what fits: what is wrong with a field, or at its edge. */
function others({ type, options: list, ref, maxLength }: Field): (Said | null)[] {
  if (list || ref) return [null, alike('no such')];
  switch (type) {
    case 'Number':
    case 'Integer':
    case 'Long':
    case 'BigDecimal':
      return [null, ...[0, -1, 1.5, 99, 101, 1e12, 'abc', '4,20'].map(alike)];
    case 'date':
    case 'dateTime':
      return [null, alike('2027-02-30'), alike('soon')];
    default:
      return [null, ...(maxLength ? ['x'.repeat(maxLength), 'x'.repeat(maxLength + 1)] : []), 'a  b'].map((it) =>
        it === null ? null : alike(it),
      );
  }
}

describe.each(both.map((it) => [it.module, it] as const))('a new row of %s', (module, definition) => {
  const create = `/api/${module}/create.json`;
  const upload = `/api/${module}/upload.json`;
  const fields = sentFields(definition).filter(([, it]) => it.type !== 'password');
  const isOwn = (name: string) => ['id', 'createTime', 'updateTime', definition.number?.field].includes(name);
  const read = async () => {
    const { rows } = await sql<Row>`SELECT to_jsonb(t) AS row FROM ${sql.table(definition.table)} AS t
                                     ORDER BY id DESC LIMIT 1`.execute(testApp.db);
    return Object.fromEntries(Object.entries(rows[0]?.['row'] ?? {}).filter(([name]) => !isOwn(name)));
  };
  const forget = () =>
    sql`DELETE FROM ${sql.table(definition.table)} WHERE id = (SELECT max(id) FROM ${sql.table(definition.table)})`.execute(
      testApp.db,
    );

  it.each(fields)(
    'with each value of %s is judged by a workbook as by the form, and becomes the same',
    async (name) => {
      let taken = 0;
      for (const other of [undefined, ...others(definition.fields[name] as Field)]) {
        const said = new Map<string, Said>();
        for (const [it, field] of fields) if (field.required || it === name) said.set(it, await fitting(it, field));
        if (other === null) said.delete(name);
        else if (other) said.set(name, other);
        const what = `${module}.${name} = ${JSON.stringify(said.get(name)?.wire)?.slice(0, 30)}`;
        const heads = [...said.keys()].map((it) => definition.fields[it]?.label.en ?? it);
        const sheet = await workbook([heads, [...said.values()].map((it) => it.cell)]);
        const look = await sendFile<Looked>(testApp, upload, [sheet], { as: 'admin', fields: { dryRun: '1' } });
        const body = Object.fromEntries([...said].map(([it, { wire }]) => [it, wire]));
        const alone = await testApp.ask<{ problems?: { msg: string }[] }>('POST', create, body, { as: 'admin' });
        const isRefused = alone.code !== '000000';
        // A workbook without a column that is needed is refused as a whole.
        const isTold = look.code !== '000000' || look.data.bad > 0;
        expect([what, isTold], `${alone.msg} / ${look.msg} ${JSON.stringify(look.data)}`).toEqual([what, isRefused]);
        if (isRefused) continue;
        taken += 1;
        const one = await read();
        await forget();
        const run = await testApp.ask<Looked>('POST', upload, { url: look.data.url }, { as: 'admin' });
        expect([what, run.data.imported], run.msg).toEqual([what, 1]);
        expect([what, await read()]).toEqual([what, one]);
        await forget();
      }
      expect(taken).toBeGreaterThan(0);
    },
  );
});

it('all modules with both are walked', () => {
  expect(both.map((it) => it.module).toSorted()).toEqual(['rmaPriceBill', 'ubsItem', 'ubsItemObject']);
});

describe.each(settingImports)('$field of $module is set by its workbook', ({ module, field, by: [number = ''] }) => {
  it('alone: no form and no change of many writes it', async () => {
    const definition = definitions.get(module) as Definition;
    const values = { ...alwaysOf(definition, definitions), siteId: 'SZ', [number]: 'AGREEMENT' };
    const { id } = (await insertRow(testApp.db, definition, values, definitions)) as { id: number };
    const read = async () =>
      (
        await sql<Row>`SELECT to_jsonb(t) AS row FROM ${sql.table(definition.table)} AS t WHERE id = ${id}`.execute(
          testApp.db,
        )
      ).rows;
    const before = await read();
    const value = { [field]: Date.parse('2026-11-01T10:00:00+08:00') };
    const asked = [
      ['modifyById', { id, version: 1, ...value }],
      ['bulk', { action: 'modify', ids: [id], versions: { [id]: 1 }, values: value }],
      ['bulk', { action: 'modify', ids: [id], values: value, dryRun: true }],
    ] as const;
    for (const [call, body] of asked) {
      const { code } = await testApp.ask('POST', `/api/${module}/${call}.json`, body, { as: 'admin' });
      expect([call, code]).not.toEqual([call, '000000']);
    }
    expect(await read()).toEqual(before);
  });
});
