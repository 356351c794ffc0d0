import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Definition, Field } from '#domain/definition/grammar.ts';
import { MAX_INDEXES } from '#domain/definition/validateChange.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { publishAsItIs } from '#tests/support/publishing.ts';
import { checkDraft, createModule, FORMAT, importDraft, publishDraft, readDraft, saveChange } from './contract.ts';
import { copyOf } from './rules.module.ts';
import { guessFields, withFields } from './rules.workbook.ts';

/** However fields and indexes come into a draft: what is too much is told by the check and refused by the publish, in words. */
let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp({}, { worksJobs: true });
});
afterAll(() => testApp?.close());

const admin = { as: 'admin' };
const words = (en: string) => ({ zh: en, en });
const base = copyOf(null, { module: 'crate', label: words('Crates'), table: 'crate' }, false);
const text: Field = { type: 'String', label: words('Text'), maxLength: 20 };

/** As the form makes it. */
function withMany(fields: number, indexes: number): Definition {
  const all = names(fields);
  return {
    ...base,
    fields: Object.fromEntries(all.map((it) => [it, text])),
    indexes: all.slice(0, indexes).map((it) => [it]),
    list: { columns: all.slice(0, 5), link: true },
    form: [all],
  };
}
const names = (count: number) => Array.from({ length: count }, (_, i) => `f${i}`);
const heads = (count: number) => Array.from({ length: count }, (_, i) => `Column ${i}`);

async function openDraft(): Promise<number> {
  const { data } = await testApp.ask<{ id: number }>('POST', '/api/sysDraft/create.json', { name: 'Test' }, admin);
  return data.id;
}
type Way = (definition: Definition) => Promise<{ code: string; msg: string; draftId: number }>;
const ways: Readonly<Record<string, Way>> = {
  'the dialog of a new module': async (definition) => {
    const input = { name: 'x', definition, group: 'items' };
    const { code, msg, data } = await testApp.send(createModule, input, admin);
    return { code, msg, draftId: data.draftId };
  },
  'an import of definitions': async (definition) => {
    const changes = [{ module: 'crate', change: { definition } }];
    const { code, msg, data } = await testApp.send(importDraft, { name: 'x', format: FORMAT, changes }, admin);
    return { code, msg, draftId: data.draftId };
  },
  'the editor of a draft': async (definition) => {
    const draftId = await openDraft();
    const input = { draftId, module: 'crate', version: 0, change: { definition } };
    return { ...(await testApp.send(saveChange, input, admin)), draftId };
  },
  'the editor of a list that is there': async ({ fields, indexes }) => {
    const draftId = await openDraft();
    const { siteId: _, ...added } = fields;
    const change = { fields: added, indexes: indexes ?? [] };
    return { ...(await testApp.send(saveChange, { draftId, module: 'ubsSite', version: 0, change }, admin)), draftId };
  },
};

const tooMuch: [what: string, definition: Definition, rule: string][] = [
  ['130 fields', withMany(130, 0), 'tooManyFields'],
  ['130 columns of a workbook', withFields(base, guessFields(heads(130), [])).definition, 'tooManyFields'],
  ['17 indexes', withMany(30, MAX_INDEXES + 1), 'tooManyIndexes'],
  [
    'an index of a field of 63 letters',
    {
      ...withMany(1, 0),
      fields: { ['f'.repeat(63)]: text },
      form: [['f'.repeat(63)]],
      list: { columns: ['f'.repeat(63)], link: true },
      indexes: [['f'.repeat(63)]],
    },
    'badName',
  ],
];

describe.each(Object.entries(ways))('by %s', (_, open) => {
  it.each(tooMuch)('%s', async (_what, definition, rule) => {
    const { code, msg, draftId } = await open(definition);
    expect({ code, msg }).toEqual({ code: '000000', msg: '' });
    const { problems } = (await testApp.send(checkDraft, { id: draftId }, admin)).data;
    expect(problems.map((it) => it.rule)).toContain(rule);
    const { version } = (await testApp.send(readDraft, { id: draftId }, admin)).data;
    const refused = await testApp.send(publishDraft, { id: draftId, version, note: 'as agreed' }, admin);
    expect(refused).toMatchObject({ status: 200, code: expect.not.stringMatching(/^(000000|000500)$/) as string });
    expect(testApp.jobErrors.splice(0)).toEqual([]);
  });

  it('2000 fields are refused in words at once', async () => {
    const { code, msg } = await open(withMany(2000, 0));
    expect(code).not.toMatch(/^(000000|000500)$/);
    expect(msg).not.toMatch(/anyOf|%\{/);
  });
});

describe('a draft', () => {
  const save = (draftId: number, module: string, label: string) =>
    testApp.send(saveChange, { draftId, module, version: 0, change: { label: { zh: label, en: 'x' } } }, admin);
  const held = async (draftId: number) =>
    (await testApp.db.selectFrom('definition_draft').select('module').where('draftId', '=', draftId).execute()).length;

  it('holds four MB at most, which whoever opens it reads', async () => {
    const draftId = await openDraft();
    for (let i = 0; i < 4; i++)
      expect(await save(draftId, `part${i}`, 'x'.repeat(900_000))).toMatchObject({ code: '000000' });
    const refused = await save(draftId, 'part4', 'x'.repeat(900_000));
    expect(refused).toMatchObject({ code: '100015' });
    expect(refused.msg).toContain('A draft holds at most 200 lists and 4 MB');
    expect(await held(draftId)).toBe(4);
  });

  it('takes what it changes with it when it is deleted, and nothing of another', async () => {
    const [gone, stays] = [await openDraft(), await openDraft()];
    for (const draftId of [gone, stays]) await save(draftId, 'part', 'x');
    const answer = await testApp.ask('POST', '/api/sysDraft/deleteById.json', { id: gone }, admin);
    expect(answer).toMatchObject({ code: '000000' });
    expect([await held(gone), await held(stays)]).toEqual([0, 1]);
  });

  it('has 200 parts at most', async () => {
    const draftId = await openDraft();
    const part = (i: number) => ({ ...{ draftId, module: `part${i}`, change: '{}', updateBy: 'admin' } });
    await testApp.db
      .insertInto('definition_draft')
      .values(Array.from({ length: 199 }, (_, i) => part(i)))
      .execute();
    expect(await save(draftId, 'last', 'x')).toMatchObject({ code: '000000' });
    expect(await save(draftId, 'more', 'x')).toMatchObject({ code: '100015' });
    expect(await held(draftId)).toBe(200);
  });
});

describe('of a new module', () => {
  const many: Definition = { ...withMany(32, 0), search: ['f0'] };
  const save = ways['the editor of a draft'] as Way;
  const few = { rule: 'shapeFew', name: '1' };
  const tooMany = { rule: 'shapeMany', name: '31' };
  it.each<[string, Partial<Definition>, object]>([
    ['a key of none', { unique: [[]] }, { ...few, path: 'definition.unique.0' }],
    ['a key of 32 fields', { unique: [names(32)] }, { ...tooMany, path: 'definition.unique.0' }],
    ['an index of none', { indexes: [[]] }, { ...few, path: 'definition.indexes.0' }],
    ['an index of 32 fields', { indexes: [names(32)] }, { ...tooMany, path: 'definition.indexes.0' }],
  ])('%s is told by the check at its place, and not published', async (_, more, problem) => {
    const { draftId } = await save({ ...many, ...more });
    const checked = await testApp.send(checkDraft, { id: draftId }, admin);
    expect(checked, checked.msg).toMatchObject({ code: '000000', data: { problems: [problem] } });
    const { version } = (await testApp.send(readDraft, { id: draftId }, admin)).data;
    const refused = await testApp.send(publishDraft, { id: draftId, version, note: 'as agreed' }, admin);
    expect(refused).toMatchObject({ code: '100015', data: { found: [problem] } });
  });

  it('a key and an index of 31 fields, and an empty row of its form, are published', async () => {
    const all = names(32);
    const { draftId } = await save({ ...many, unique: [all.slice(1)], indexes: [all.slice(0, -1)], form: [[], all] });
    expect((await testApp.send(checkDraft, { id: draftId }, admin)).data.problems).toEqual([]);
    const published = await publishAsItIs(testApp, draftId, 'as agreed', admin);
    expect(published, published.msg).toMatchObject({ code: '000000' });
    const form = await testApp.ask('GET', '/api/crate/toAdd.json', {}, admin);
    expect(form, form.msg).toMatchObject({ code: '000000' });
  });
});
