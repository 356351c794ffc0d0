import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createModule } from '#features/studio/contract.ts';
import type { BulkAnswer } from '#domain/bulk.ts';
import type { Definition, Field } from '#domain/definition/grammar.ts';
import { newKey, startTestApp, type Answer, type TestApp } from '#tests/support/app.ts';
import { publishAsItIs } from '#tests/support/publishing.ts';
import { sendFile, workbook } from '#tests/support/workbooks.ts';

/** What only the database sees is refused in words by every way in which rows are written, and nothing of it is written. */
let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp({ exportWaitMs: 120_000 }, { worksJobs: true });
  const words = (en: string) => ({ zh: en, en });
  const field = (type: Field['type'], en: string, more: Partial<Field> = {}): Field => ({
    type,
    label: words(en),
    ...more,
  });
  const definition: Definition = {
    ...{ module: 'crate', label: words('Crates'), table: 'crate', site: 'all' },
    fields: {
      name: field('String', 'Name'),
      note: field('LongString', 'Note'),
      shipId: field('String', 'Shipment', { maxLength: 60 }),
      place: field('select', 'Place', { ref: { module: 'ubsSite', value: 'siteId', label: 'siteName' } }),
    },
    indexes: [['note']],
    list: { columns: ['name', 'note', 'shipId'], link: true },
    form: [['name', 'note', 'shipId']],
    buttons: [
      { btnNo: 'add', script: 'create', label: words('Add') },
      { btnNo: 'modify', script: 'modify', label: words('Modify'), rows: 1 },
      { btnNo: 'deleteAll', script: 'deleteAll', label: words('Delete'), rows: 'many' },
      { btnNo: 'bulk', script: 'bulk', label: words('Change many'), rows: 'many' },
      { btnNo: 'upload', script: 'upload', label: words('Import') },
    ],
  };
  const made = await testApp.send(createModule, { name: 'Crates', definition, group: 'base' }, admin);
  expect(made, made.msg).toMatchObject({ code: '000000' });
  await publishAsItIs(testApp, made.data.draftId, 'as agreed', admin);
  // Another one's write that comes between the look of the rules and our own.
  await sql`
    CREATE FUNCTION be_overtaken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.name = 'taken' THEN
        RAISE unique_violation USING DETAIL = 'Key ("name")=(taken) already exists.', CONSTRAINT = 'crate_name_key';
      ELSIF NEW.name = 'gone' THEN
        RAISE foreign_key_violation USING DETAIL = 'Key (place)=(XX) is not present in table "ubs_site".', CONSTRAINT = 'crate_place_fkey';
      ELSIF NEW.name = 'large' THEN PERFORM 2147483647 + length(NEW.name);
      END IF;
      RETURN NEW;
    END $$`.execute(testApp.db);
  await sql`CREATE TRIGGER be_overtaken BEFORE INSERT OR UPDATE ON crate FOR EACH ROW EXECUTE FUNCTION be_overtaken()`.execute(
    testApp.db,
  );
});
afterAll(() => testApp?.close());

const admin = { as: 'admin' };
type Values = Record<string, string>;
interface Told {
  key: string | undefined;
  msg: string;
}

const keyOf = ({ data, msg }: Answer): Told => ({
  key: (data as { problems?: { key: string }[] }).problems?.[0]?.key,
  msg,
});
const rows = () =>
  sql<{ id: number; version: number }>`SELECT * FROM crate ORDER BY id`.execute(testApp.db).then((it) => it.rows);
async function newRow(): Promise<{ id: number; version: number }> {
  const { data } = await testApp.ask<{ id: number }>('POST', '/api/crate/create.json', { name: 'fine' }, admin);
  return (await rows()).find((it) => it.id === data.id) as { id: number; version: number };
}

/** Each makes what it writes to before `write` is asked. */
const ways: Readonly<Record<string, () => Promise<(values: Values) => Promise<Told>>>> = {
  form: async () => async (values) => keyOf(await testApp.ask('POST', '/api/crate/create.json', values, admin)),
  'change of a row': async () => {
    const { id, version } = await newRow();
    return async (values) =>
      keyOf(await testApp.ask('POST', '/api/crate/modifyById.json', { id, version, name: 'fine', ...values }, admin));
  },
  'change of many rows': async () => {
    const { id } = await newRow();
    return async (values) => {
      const input = { action: 'modify', ids: [id], values };
      const answer = await testApp.ask<BulkAnswer>('POST', '/api/crate/bulk.json', input, admin);
      const [verdict] = answer.data.results ?? [];
      return verdict ? { key: verdict.key, msg: verdict.msg } : keyOf(answer);
    };
  },
  workbook: async () => async (values) => {
    const file = await workbook([
      ['Name', 'Note'],
      ['fine', 'fine'],
      [values['name'] ?? 'fine', values['note'] ?? ''],
    ]);
    return keyOf(await sendFile(testApp, '/api/crate/upload.json', [file], { ...admin, key: newKey() }));
  },
};

const long = (length: number) =>
  Array.from({ length }, (_, i) => String.fromCharCode(0x4e00 + ((i * 7919) % 20_000))).join('');
const refusals: [what: string, values: Values, key: string, says: RegExp][] = [
  ['a text that an index cannot hold', { note: long(1500) }, 'tooLong', /^Note is too long: at most 650/],
  ['a text that no page of an index holds', { note: long(4000) }, 'tooLong', /too long: at most 650/],
  ['a value that somebody else has just taken', { name: 'taken' }, 'alreadyExists', /taken/],
  ['a value that somebody else has just deleted', { name: 'gone' }, 'refGone', /XX/],
  ['a number that is computed and too large', { name: 'large' }, 'outOfRange', /greater than can be stored/],
];

describe.each(Object.entries(ways))('by a %s', (_, open) => {
  it.each(refusals)('%s is refused in words, and nothing is written', async (_what, values, key, says) => {
    const write = await open();
    const before = await rows();
    const told = await write(values);
    expect(told).toEqual({ key, msg: expect.stringMatching(says) as string });
    expect(await rows()).toEqual(before);
    expect(testApp.jobErrors.splice(0)).toEqual([]);
  });
});
