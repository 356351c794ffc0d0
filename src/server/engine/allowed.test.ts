import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Button, Definition } from '#domain/definition/grammar.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { addProbe, probe, probeLine, putRows } from '#tests/support/probe.ts';
import { sendFile } from '#tests/support/workbooks.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  await addProbe(testApp);
});
afterAll(() => testApp?.close());

const label = { zh: '键', en: 'Button' };

/** `early` is offered for rows in state 0, `late` in state 1 or 3; the prober may press those that are held. */
async function offer(
  script: string,
  held: readonly string[],
  { definition = probe, by = 'status' }: { definition?: Definition; by?: string } = {},
): Promise<void> {
  const its = (btnNo: string, values: string[]): Button => ({
    ...{ btnNo, script, label, rows: 1, when: { [by]: values } },
    ...(script.startsWith('upload') && { field: 'note' }),
  });
  const others = (probe.buttons ?? []).filter((it) => it.script !== script);
  const bulk: Button = { btnNo: 'bulk', script: 'bulk', label, rows: 'many' };
  const buttons = [its('early', ['0']), its('late', ['1', '3']), ...others, bulk];
  (testApp.model.definitions as Map<string, Definition>).set('probe', { ...definition, buttons });
  await testApp.db.deleteFrom('role_right').where('roleId', '=', 'prober').execute();
  const rights = ['list', 'bulk', 'dropAll', ...held].map((it) => ({ roleId: 'prober', right: `probe:${it}` }));
  await testApp.db.insertInto('role_right').values(rights).execute();
}

let made = 0;
const put = async (status: string | null, more: object = {}) => {
  const row = { title: 'row', ...more, siteId: 'SZ', status, probeId: `PBE${(made += 1)}` };
  return (await putRows(testApp, 'probe', [row]))[0] as number;
};
const ask = (method: 'GET' | 'POST', name: string, input: object) =>
  testApp.ask<{ results: { code: string; msg: string }[] }>(method, `/api/probe/${name}.json`, input, { as: 'prober' });
const PDF = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF');

/** By script, each call that it opens. */
const calls: [script: string, call: string, (id: number) => Promise<{ code: string; msg: string }>][] = [
  ['modify', 'toModify', (id) => ask('GET', 'toModify', { id })],
  ['modify', 'modifyById', (id) => ask('POST', 'modifyById', { id, version: 1, title: 'new' })],
  [
    'modify',
    'bulk',
    async (id) => {
      const sent = { action: 'modify', ids: [id], values: { title: 'new' }, versions: { [id]: 1 } };
      const { data } = await ask('POST', 'bulk', sent);
      return data.results[0] as { code: string; msg: string };
    },
  ],
  ['deleteById', 'deleteById', (id) => ask('POST', 'deleteById', { id })],
  ['deleteAll', 'deleteAll', (id) => ask('POST', 'deleteAll', { ids: [id] })],
  ['uploadOne', 'uploadOne', (id) => sendFile(testApp, `/api/probe/uploadOne.json?id=${id}`, [PDF], { as: 'prober' })],
  [
    'uploadDocument',
    'uploadDocument',
    (id) => sendFile(testApp, '/api/probe/uploadDocument.json', [PDF], { as: 'prober', fields: { id: String(id) } }),
  ],
];
const OK = '000000';
const codes = async (call: (typeof calls)[number][2]) => {
  const answers: string[] = [];
  for (const status of ['0', '1', '4']) answers.push((await call(await put(status))).code);
  return answers;
};

describe.each(calls)('of two buttons with the script %s each opens %s', (script, _, call) => {
  it('for the rows that it is offered for', async () => {
    await offer(script, ['early', 'late']);
    expect(await codes(call)).toEqual([OK, OK, '100025']);
  });

  it('and one that somebody may not press opens none', async () => {
    await offer(script, ['early']);
    expect(await codes(call)).toEqual([OK, '100025', '100025']);
    await offer(script, ['late']);
    expect(await codes(call)).toEqual(['100025', OK, '100025']);
  });

  it('and the refusal names the states of all that may be pressed', async () => {
    const { msg: both } = await (await offer(script, ['early', 'late']), call(await put('4')));
    const { msg: one } = await (await offer(script, ['late']), call(await put('0')));
    const [first, second, third, now] = ['0', '1', '3', '4'].map(
      (value) => testApp.model.options['billStatus']?.find((it) => it.value === value)?.label.en,
    );
    expect(both).toContain(`"${now}"`);
    for (const it of [first, second, third]) expect(both).toContain(it);
    expect(one.split('only while')[1]).not.toContain(first);
  });

  it.each<[what: string, by: string, row: { status: string | null; shop?: string }, says: string]>([
    ['with a state', 'status', { status: '4' }, `"Status" of this row is "STATE"; this is done only while it is "ONE"`],
    ['without a state', 'status', { status: null }, `This is done only while "Status" of the row is "ONE"`],
    ['with a text', 'shop', { status: '4', shop: 'A' }, `"Code" of this row is "A"; this is done only while it is "0"`],
    ['without a text', 'shop', { status: '4' }, `This is done only while "Code" of the row is "0"`],
  ])('and a row without a number, %s, is told by its field, and not as changed', async (_what, by, row, says) => {
    const { number: _number, ...definition } = probe;
    await offer(script, ['early'], { definition, by });
    const { status, ...more } = row;
    const { code, msg } = await call(await put(status, more));
    const [one, state] = ['0', '4'].map(
      (value) => testApp.model.options['billStatus']?.find((it) => it.value === value)?.label.en ?? '',
    );
    const said = says.replace('ONE', one ?? '').replace('STATE', state ?? '');
    expect({ code, msg }).toEqual({ code: '100025', msg: said });
  });
});

it.each<[held: string, sn: string, code: string]>([
  ['drop', 'A', OK],
  ['drop', 'B', '100025'],
  ['dropAll', 'B', OK],
])(
  'rows that go with another go by the button %s that may be pressed, and a line %s is answered %s',
  async (...given) => {
    const [held, sn, code] = given;
    const lines = [{ name: 'kin', module: 'probeLine', by: 'probeId', owned: true, related: true }];
    const definitions = testApp.model.definitions as Map<string, Definition>;
    definitions.set('probe', { ...probe, lines });
    const buttons: Button[] = [
      { btnNo: 'drop', script: 'deleteById', label, rows: 1, when: { sn: 'A' } },
      { btnNo: 'dropAll', script: 'deleteAll', label, rows: 'many' },
    ];
    definitions.set('probeLine', { ...probeLine, buttons });
    await testApp.db.deleteFrom('role_right').where('roleId', '=', 'prober').execute();
    const rights = ['probe:list', 'probe:drop', 'probeLine:list', `probeLine:${held}`];
    await testApp.db
      .insertInto('role_right')
      .values(rights.map((right) => ({ roleId: 'prober', right })))
      .execute();
    const id = await put('0');
    await putRows(testApp, 'probe_line', [{ probeId: `PBE${made}`, sn }]);
    expect((await ask('POST', 'deleteById', { id })).code).toBe(code);
  },
);
