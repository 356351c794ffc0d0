import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DefinitionChange } from '#domain/definition/change.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { expectRefused } from '#tests/support/guard.ts';
import { publishAndWait, publishAsItIs } from '#tests/support/publishing.ts';
import { checkDraft, exportPublished, FORMAT, importDraft, readDraft, saveChange, takeBack } from './contract.ts';
import { copyOf } from './rules.module.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp({}, { worksJobs: true });
});
afterAll(() => testApp.close());

const admin = { as: 'admin' };
const words = (en: string) => ({ zh: en, en });
const fax = { type: 'String', label: words('Fax'), maxLength: 20 } as const;
const salaries: Definition = copyOf(null, { module: 'salaries', label: words('Salaries'), table: 'salaries' }, false);

async function open(module: string, change: DefinitionChange): Promise<number> {
  const answer = await testApp.ask<{ id: number }>('POST', '/api/sysDraft/create.json', { name: 'Test' }, admin);
  await save(answer.data.id, module, change);
  return answer.data.id;
}
const save = (draftId: number, module: string, change: DefinitionChange, version = 0) =>
  testApp.send(saveChange, { draftId, module, version, change: change as Record<string, unknown> }, admin);
const read = async (id: number) => (await testApp.send(readDraft, { id }, admin)).data;
const check = async (id: number) => (await testApp.send(checkDraft, { id }, admin)).data;
const publish = (id: number) => publishAsItIs(testApp, id, 'as agreed', admin);
const back = (id: number) => publishAndWait(testApp, takeBack, { id, since: false, note: 'by mistake' }, admin);
const preview = async (draft: number, path: string) => {
  const headers = { token: await testApp.openToken('admin'), 'definitions-draft': String(draft) };
  return (await testApp.app.inject({ url: `${path}?lang=en`, headers })).body;
};
const shown = (module: string) => testApp.ask('GET', `/api/${module}/pager.json`, {}, admin);

/** A field of the sites with a value in each row, taken back. */
async function leaveField(name: string): Promise<void> {
  const { data } = await publish(await open('ubsSite', { fields: { [name]: fax } }));
  await sql`UPDATE ubs_site SET ${sql.ref(name)} = 'secret' || id`.execute(testApp.db);
  await back(data.id);
}

describe('what a column still holds', () => {
  it('is asked by the check and shown by no preview, and nothing is published without an answer', async () => {
    await leaveField('fax');
    const change: DefinitionChange = { fields: { fax }, list: { columns: ['siteId', 'fax'] } };
    const id = await open('ubsSite', change);
    const { n } = (await sql<{ n: number }>`SELECT count(*)::int AS n FROM ubs_site`.execute(testApp.db)).rows[0] ?? {};
    const { problems, contents, statements } = await check(id);
    expect(problems).toEqual([
      { kind: 'ForbiddenChange', rule: 'columnHolds', module: 'ubsSite', path: 'fields.fax', name: 'fax', count: n },
    ]);
    expect(contents).toEqual([
      { module: 'ubsSite', field: 'fax', table: 'ubs_site', count: n, may: ['keep', 'empty'] },
    ]);
    expect(statements).toEqual([]);
    for (const answer of [undefined, 'keep', 'empty'] as const) {
      if (answer)
        await save(id, 'ubsSite', { ...change, contents: { fields: { fax: answer } } }, answer === 'keep' ? 1 : 2);
      const list = await preview(id, '/api/ubsSite/pager.json');
      expect([answer, list.includes('"fax":null'), list.includes('secret')]).toEqual([answer, true, false]);
    }
    await save(id, 'ubsSite', change, 3);
    const { msg } = await expectRefused(testApp, '100015', () => publish(id), ['job']);
    expect(msg).toContain(`The column “fax” may still hold values of a field that was there before. Keep them`);
    await save(id, 'ubsSite', { ...change, contents: { fields: { fax: 'keep' } } }, 4);
    expect(await check(id)).toMatchObject({ problems: [], contents: [{ answer: 'keep' }], statements: [] });
    await back((await publish(id)).data.id);
  });

  it('is emptied with what the check says that the database does', async () => {
    await leaveField('telex');
    const id = await open('ubsSite', {
      fields: { telex: { ...fax, unique: true } },
      contents: { fields: { telex: 'empty' } },
    });
    const { problems, statements } = await check(id);
    expect(problems).toEqual([]);
    const planned = statements.map((it) => it.sql);
    expect(planned).toContain('ALTER TABLE "ubs_site" DROP COLUMN "telex"');
    const { data } = await publish(id);
    expect((await sql`SELECT 1 FROM ubs_site WHERE telex IS NOT NULL`.execute(testApp.db)).rows).toEqual([]);
    await back(data.id);
  });

  it('is no part of what goes to another installation, and a file that says it is not heard', async () => {
    await leaveField('pager');
    const { data } = await publish(
      await open('ubsSite', { fields: { pager: fax }, contents: { fields: { pager: 'empty' } } }),
    );
    const file = (await testApp.send(exportPublished, {}, admin)).data;
    expect(JSON.stringify(file)).toContain('"pager"');
    expect(JSON.stringify(file)).not.toContain('contents');
    await sql`UPDATE ubs_site SET pager = 'secret'`.execute(testApp.db);
    await back(data.id);
    const changes = file.changes.map((it) => ({
      ...it,
      change: { ...it.change, contents: { fields: { pager: 'empty' } } },
    }));
    const imported = (await testApp.send(importDraft, { name: 'Theirs', format: FORMAT, changes }, admin)).data;
    expect((await read(imported.draftId)).parts.map((it) => Object.keys(it.change))).toEqual([['fields']]);
    expect((await check(imported.draftId)).problems.map((it) => it.rule)).toEqual(['columnHolds']);
  });
});

describe('the rows of a module that was taken back', () => {
  it('come back by no module of its name without an answer, and are gone where it says so', async () => {
    const made = await publish(await open('salaries', { definition: salaries }));
    await sql`INSERT INTO salaries (name) VALUES ('Zhang 30,000')`.execute(testApp.db);
    await back(made.data.id);
    const id = await open('salaries', { definition: salaries });
    expect((await check(id)).problems.map((it) => [it.rule, it.path, it.name, it.count])).toEqual([
      ['tableHolds', 'table', 'salaries', 1],
    ]);
    await expectRefused(testApp, '100015', () => publish(id), ['job']);
    await save(id, 'salaries', { definition: salaries, contents: { table: 'keep' } }, 1);
    expect(await preview(id, '/api/salaries/pager.json')).not.toContain('Zhang');
    const kept = await publish(id);
    expect(JSON.stringify(await shown('salaries'))).toContain('Zhang');
    await back(kept.data.id);
    const other = { definition: salaries, contents: { table: 'empty' as const } };
    const emptied = await publish(await open('salaries', other));
    expect(await shown('salaries')).toMatchObject({ code: '000000', data: { items: [] } });
    await sql`INSERT INTO salaries (name) VALUES ('Li')`.execute(testApp.db);
    expect((await sql<{ id: number }>`SELECT id FROM salaries`.execute(testApp.db)).rows).toEqual([{ id: 2 }]);
    await back(emptied.data.id);
  });
});
