import type { CellValue } from 'hucre';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Definition, Field } from '#domain/definition/grammar.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { addProbe, probe, probeLine, putRows, readRow } from '#tests/support/probe.ts';
import { sendFile, workbook } from '#tests/support/workbooks.ts';

/** Two rows of SZ, one of a unit of SZ and one of NB: what belongs to the unit of the latter, a guess finds no more than a list. */
let testApp: TestApp;
let theirs = 0;
beforeAll(async () => {
  testApp = await startTestApp({ exportWaitMs: 120_000 }, { worksJobs: true });
  await addProbe(testApp);
  const unit = (sn: string, siteId: string) => ({ sn, siteId, type: '0', ivyId: '50', createBy: 'test' });
  await testApp.db
    .insertInto('rma_inventory')
    .values([unit('OUR-SN', 'SZ'), unit('THEIR-SN', 'NB')] as never)
    .execute();
  const row = { siteId: 'SZ', status: '0' };
  [, theirs = 0] = await putRows(testApp, 'probe', [
    { ...row, probeId: 'PBE2026010100001', title: 'ours', sn: 'OUR-SN', shop: 'OPEN', serial: 1 },
    { ...row, probeId: 'PBE2026010100002', title: 'theirs', sn: 'THEIR-SN', shop: 'CANARY', serial: 2, note: 'kept' },
  ]);
});
afterAll(() => testApp.close());
beforeEach(() => {
  lay(probe);
  lay(probeLine);
});

const lay = (it: Definition) => (testApp.model.definitions as Map<string, Definition>).set(it.module, it);
/** The probe with some of its values shown to who sees the unit of that SN. */
const hide = (
  names: readonly string[],
  fields: Record<string, Partial<Field>> = {},
  more: Partial<Definition> = {},
) => {
  const site = { through: 'rmaInventory', by: 'sn' };
  const altered = Object.entries(fields).map(([name, it]) => [name, { ...probe.fields[name], ...it }] as const);
  const hidden = names.map((name) => [name, { ...probe.fields[name], site }] as const);
  const laid = { ...probe.fields, ...Object.fromEntries([...altered, ...hidden]) } as Definition['fields'];
  lay({ ...probe, ...more, fields: laid });
};
const create = async (module: string, row: object, as = 'prober') =>
  (await testApp.ask('POST', `/api/${module}/create.json`, row, { as })).code;
const button = (btnNo: string, script: string, more: object = {}) => ({
  ...{ btnNo, script, label: { zh: btnNo, en: btnNo } },
  ...more,
});

describe('a value that a list does not show', () => {
  it('is nothing that a reference may name', async () => {
    hide(['shop'], { motherId: { ref: { module: 'probe', value: 'shop', label: 'title' } } });
    expect(await create('probe', { title: 'x', motherId: 'CANARY' })).toBe('100002');
    expect(await create('probe', { title: 'x', motherId: 'OPEN' })).toBe('000000');
    expect(await create('probe', { title: 'x', motherId: 'CANARY' }, 'admin')).toBe('000000');
  });

  it('is told by no refusal of what is done with other rows', async () => {
    const { number: _number, ...rest } = probe;
    const buttons = [button('modify', 'modify', { rows: 1, when: { shop: 'OPEN' } })];
    hide(['shop']);
    const definition = testApp.model.definitions.get('probe') as Definition;
    lay({ ...rest, fields: definition.fields, buttons });
    const sent = { id: theirs, version: 1, title: 'x' };
    const say = async (as: string, lang: 'zh' | 'en') =>
      (await testApp.ask('POST', '/api/probe/modifyById.json', sent, { as, lang })).msg;
    expect(await say('prober', 'en')).toBe('This is done only while "Code" of the row is "OPEN"');
    expect(await say('prober', 'zh')).toBe('仅当此行的“编码”为“OPEN”时可以操作');
    expect(await say('admin', 'en')).toBe('"Code" of this row is "CANARY"; this is done only while it is "OPEN"');
    expect(await say('admin', 'zh')).toBe('此行的“编码”当前为“CANARY”，仅“OPEN”时可以操作');
  });

  it('is no kind of a row that a reference may take', async () => {
    const only = { field: 'status', values: ['0'] };
    hide(['status'], { motherId: { ref: { module: 'probe', value: 'title', label: 'title', only } } });
    expect(await create('probe', { title: 'x', motherId: 'theirs' })).not.toBe('000000');
    expect(await create('probe', { title: 'x', motherId: 'ours' })).toBe('000000');
  });

  it('is no name that the rows of a person are found by, nor is one of a row of another site', async () => {
    await putRows(testApp, 'probe', [
      { title: 'elsewhere', siteId: 'NB', status: '0', probeId: 'PBE2026010100009' },
      ...['PBE2026010100001', 'PBE2026010100002', 'PBE2026010100009'].map((reason) => ({
        ...{ title: 'of somebody', siteId: 'SZ', status: '0', reason },
      })),
    ]);
    const count = async (label: string, reason: string, as = 'prober') => {
      const ref = { module: 'probe', value: 'probeId', label };
      hide(['shop'], { reason: { format: 'user', ref } }, { search: ['reason'] });
      const { data } = await testApp.ask<{ itemTotal: number }>('GET', '/api/probe/pager.json', { reason }, { as });
      return data.itemTotal;
    };
    expect(await count('shop', 'OPEN')).toBe(1);
    expect(await count('shop', 'CANARY')).toBe(0);
    expect(await count('shop', 'CANARY', 'admin')).toBe(1);
    expect(await count('title', 'elsewhere')).toBe(0);
    expect(await count('title', 'elsewhere', 'admin')).toBe(1);
  });

  it('gives no row under which others may be written', async () => {
    hide(['probeId']);
    const buttons = [button('add', 'create')];
    for (const more of [{}, { orNone: true as const }]) {
      lay({ ...probeLine, site: { through: 'probe', by: 'probeId', ...more }, form: [['probeId', 'sn']], buttons });
      expect(await create('probeLine', { probeId: 'PBE2026010100002', sn: 'L' })).toBe('100002');
      expect(await create('probeLine', { probeId: 'PBE2026010100001', sn: 'L' })).toBe('000000');
    }
  });
});

describe('what depends on a value that its writer does not see', () => {
  const buttons = [button('modify', 'modify', { rows: 1 })];
  const seenThere = { visibleWhen: { shop: 'FAR' } };
  const put = async () => {
    const row = { siteId: 'SZ', status: '0', title: 'x', sn: 'THEIR-SN', shop: 'FAR', grade: 'A', remark: 'said' };
    const [id = 0] = await putRows(testApp, 'probe', [row]);
    hide(['shop'], { grade: seenThere, remark: { visibleWhen: { grade: 'A' } } }, { buttons });
    return id;
  };
  const modify = (id: number, row: object, as = 'prober') =>
    testApp.ask('POST', '/api/probe/modifyById.json', { id, version: 1, title: 'y', sn: 'THEIR-SN', ...row }, { as });

  it('stays as it is when something else is changed, however long the chain', async () => {
    const id = await put();
    expect(await modify(id, {})).toMatchObject({ code: '000000' });
    expect(await readRow(testApp, id)).toMatchObject({ title: 'y', shop: 'FAR', grade: 'A', remark: 'said' });
  });

  it('is not changed either, whether or not it is there', async () => {
    const id = await put();
    hide(['shop'], { grade: { ...seenThere, visibleWhen: { shop: '' } } }, { buttons });
    expect(await modify(id, { grade: 'B' })).toMatchObject({
      code: '100015',
      data: { problems: [{ field: 'grade' }] },
    });
    hide(['shop'], { grade: { visibleWhen: {}, readOnlyWhen: { shop: 'FAR' } } }, { buttons });
    expect(await modify(id, { grade: 'B' })).toMatchObject({
      code: '100015',
      data: { problems: [{ field: 'grade' }] },
    });
    expect(await readRow(testApp, id)).toMatchObject({ title: 'x', grade: 'A' });
    expect(await modify(id, { grade: 'A' })).toMatchObject({ code: '000000' });
  });

  it.each<[string, Partial<Field>, unknown]>([
    ['is required', { required: false, requiredWhen: { shop: 'FAR' } }, null],
    ['is no less', { minField: 'shop' }, 'B'],
    ['is no more', { maxField: 'shop' }, 'B'],
  ])('is not judged by nothing: where it %s by that value it stays', async (_, rule, value) => {
    const id = await put();
    hide(['shop'], { grade: { visibleWhen: {}, ...rule } }, { buttons });
    expect((await modify(id, { grade: value })).code).not.toBe('000000');
    expect(await readRow(testApp, id)).toMatchObject({ title: 'x', grade: 'A' });
  });

  it('is not taken under a row of his own by who does not see it, nor under none', async () => {
    const id = await put();
    for (const sn of ['OUR-SN', '', 'NO-SUCH-SN'])
      expect(await modify(id, { sn })).toMatchObject({ code: '100015', data: { problems: [{ field: 'sn' }] } });
    expect(await readRow(testApp, id)).toMatchObject({ sn: 'THEIR-SN' });
    expect(await modify(id, { sn: 'OUR-SN' }, 'admin')).toMatchObject({ code: '000000' });
  });

  it('is emptied by who sees that it does not belong there', async () => {
    const id = await put();
    expect(await modify(id, { shop: 'OTHER' }, 'admin')).toMatchObject({ code: '000000' });
    expect(await readRow(testApp, id)).toMatchObject({ grade: null, remark: null });
  });
});

describe('a row of the sites that a field says, whatever it is called', () => {
  const site = ['shop', 'reason'];
  const buttons = [button('add', 'create'), button('modify', 'modify', { rows: 1 }), button('bring', 'upload')];
  const lays = () => lay({ ...probe, site, buttons });
  const row = { title: 'x', status: '0' };

  it('is made by who sees one of them, and by nobody for nobody', async () => {
    lays();
    expect(await create('probe', { ...row, shop: 'NB' })).toBe('100002');
    expect(await create('probe', row)).toBe('100002');
    expect(await create('probe', { ...row, shop: 'NB', reason: 'SZ' })).toBe('000000');
    expect(await create('probe', { ...row, shop: 'NB' }, 'admin')).toBe('000000');
  });

  it('is given to no other site, in a form or in a file', async () => {
    const [id = 0] = await putRows(testApp, 'probe', [{ ...row, siteId: 'NB', shop: 'SZ' }]);
    lays();
    const modify = (more: object) =>
      testApp.ask('POST', '/api/probe/modifyById.json', { ...row, id, version: 1, ...more }, { as: 'prober' });
    expect(await modify({ shop: 'NB' })).toMatchObject({ code: '100002' });
    expect(await readRow(testApp, id)).toMatchObject({ shop: 'SZ', version: 1 });
    expect(await modify({ shop: 'SZ', note: 'n' })).toMatchObject({ code: '000000' });
    const sheet = await workbook([
      ['Title', 'Code'],
      ['theirs', 'NB'],
      ['ours', 'SZ'],
    ]);
    const { data } = await sendFile<{ problems: { row: number }[] }>(testApp, '/api/probe/upload.json', [sheet], {
      ...{ as: 'prober', lang: 'en' },
    });
    expect(data.problems.map((it) => it.row)).toEqual([2]);
  });
});

describe('a workbook', () => {
  const sent = (script: string, rows: CellValue[][], fields: Record<string, string> = {}, as = 'prober') =>
    workbook(rows).then((it) =>
      sendFile<{ imported: number; problems: { row: number; msg: string }[] }>(
        testApp,
        `/api/probe/${script}.json`,
        [it],
        { as, lang: 'en', fields },
      ),
    );
  const times = (by: string, more: Partial<Record<string, Partial<Field>>> = {}) => {
    const buttons = [button('times', 'uploadSignForTime', { field: 'seenAt', by: [by] })];
    hide(Object.keys(more), {}, { buttons });
  };

  it('finds no row by a value that its sender does not see, and writes over none', async () => {
    const rows = [
      ['Code', 'Seen at'],
      ['CANARY', '2026-11-01 10:00'],
    ];
    const before = await readRow(testApp, theirs);
    times('shop', { shop: {} });
    const byHidden = await sent('uploadSignForTime', rows);
    expect(byHidden.data.problems.map((it) => it.msg)).toEqual(['Code CANARY does not exist']);
    times('shop', { seenAt: {} });
    const overHidden = await sent('uploadSignForTime', rows);
    expect(overHidden.data.problems.map((it) => it.msg)).toEqual([expect.stringContaining('Seen at')]);
    expect(await readRow(testApp, theirs)).toEqual(before);
    times('shop', { shop: {}, seenAt: {} });
    expect((await sent('uploadSignForTime', rows, {}, 'admin')).data).toMatchObject({ imported: 1, problems: [] });
  });

  it('that is looked at tells no value that another row has', async () => {
    const look = async (as: string) => {
      hide(['serial'], {}, { buttons: [button('bring', 'upload')] });
      const rows = [
        ['Title', 'Serial'],
        ['x', 1],
        ['x', 2],
      ];
      return (await sent('upload', rows, { dryRun: '1' }, as)).data.problems.map((it) => it.row);
    };
    expect(await look('prober')).toEqual([2]);
    expect(await look('admin')).toEqual([2, 3]);
  });
});

it('a paper is added to no list of papers that its sender does not see', async () => {
  const buttons = [button('paper', 'uploadDocument', { field: 'note' })];
  hide(['note'], {}, { buttons });
  const pdf = Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF');
  const send = (as: string) =>
    sendFile(testApp, '/api/probe/uploadDocument.json', [pdf], {
      ...{ name: 'a.pdf', as, fields: { id: String(theirs) } },
    });
  expect((await send('prober')).code).not.toBe('000000');
  expect((await sql`SELECT note FROM probe WHERE id = ${theirs}`.execute(testApp.db)).rows).toEqual([{ note: 'kept' }]);
  expect((await send('admin')).code).toBe('000000');
});

describe('a list of another’s rows', () => {
  const lists = ['probeOf', 'probeOfOf', 'ledgerOf', 'ledgerOfOf'];
  const rowsOf = (module: string, of: Definition, when = {}): Definition => {
    const { label, table, site, fields, search } = of;
    const columns = Object.keys(fields).filter((it) => fields[it]?.type !== 'password');
    const shown = Object.fromEntries(columns.map((it) => [it, { ...fields[it], site: undefined } as Field]));
    const made = { module, label, table, site, fields: shown, list: { columns }, ...(search && { search }) };
    lay({ ...made, rowsOf: { module: of.module, when } });
    return testApp.model.definitions.get(module) as Definition;
  };
  const laid = (module: string) => testApp.model.definitions.get(module) as Definition;
  const read = async (module: string, query: object = {}, as = 'prober') => {
    const path = `/api/${module}/pager.json`;
    const { data } = await testApp.ask<{ items: Record<string, unknown>[]; itemTotal: number }>('GET', path, query, {
      as,
    });
    return data;
  };
  beforeAll(async () => {
    const rights = [...lists, 'sysLedger'].map((it) => ({ roleId: 'prober', right: `${it}:*` }));
    await testApp.db.insertInto('role_right').values(rights).execute();
    await testApp.db.deleteFrom('probe' as never).execute();
    const row = { siteId: 'SZ', status: '0' };
    await putRows(testApp, 'probe', [
      { ...row, probeId: 'PBE2026010200001', title: 'ours', sn: 'OUR-SN', shop: 'OPEN' },
      { ...row, probeId: 'PBE2026010200002', title: 'theirs', sn: 'THEIR-SN', shop: 'CANARY' },
      { ...row, probeId: 'PBE2026010200003', title: 'theirs', sn: 'THEIR-SN', shop: 'OTHER' },
    ]);
  });
  afterEach(() => lists.forEach((it) => (testApp.model.definitions as Map<string, Definition>).delete(it)));

  it('shows no value that the other does not, however many lists lead to it', async () => {
    hide(['shop']);
    rowsOf('probeOfOf', rowsOf('probeOf', laid('probe')));
    for (const module of ['probe', 'probeOf', 'probeOfOf']) {
      const { items } = await read(module, { sortBy: 'probeId', order: 'asc' });
      expect([module, items.map((it) => it['shop'])]).toEqual([module, ['OPEN', null, null]]);
      expect([module, (await read(module, { shop: 'CANARY' })).itemTotal]).toEqual([module, 0]);
      expect([module, (await read(module, { shop: 'CANARY' }, 'admin')).itemTotal]).toEqual([module, 1]);
      hide(['shop'], { motherId: { ref: { module, value: 'probeId', label: 'shop' } } });
      const found = await testApp.ask<{ options: unknown[] }>(
        ...(['GET', '/api/probe/options.json', { field: 'motherId', search: 'CANARY' }, { as: 'prober' }] as const),
      );
      expect([module, found.data.options]).toEqual([module, []]);
    }
  });

  it('tells no more of changes than the ledger does, and counts what is added to a view', async () => {
    hide(['shop']);
    rowsOf('ledgerOfOf', rowsOf('ledgerOf', laid('sysLedger')));
    const counted = async () => {
      const all = await Promise.all(['sysLedger', 'ledgerOf', 'ledgerOfOf'].map((it) => read(it, { module: 'probe' })));
      expect(all.flatMap(({ items }) => items.map((it) => it['after'])).filter((it) => it != null)).toEqual([]);
      return all.map((it) => it.itemTotal);
    };
    const before = await counted();
    expect(await create('probe', { title: 'anew', shop: 'MINE', sn: 'OUR-SN' })).toBe('000000');
    expect(await counted()).toEqual(before.map((it) => it + 1));
    const ref = { module: 'ledgerOf', value: 'recordId', label: 'recordId', mayDangle: 'test' };
    hide([], { motherId: { ref } });
    expect(await create('probe', { title: 'x', motherId: 'nobody' })).toBe('100002');
    expect(await create('probe', { title: 'x', motherId: '1' })).toBe('000000');
  });

  it('of some values has the rows in which they are seen alone, and so has what is seen through it', async () => {
    const buttons = [button('add', 'create')];
    for (const shop of ['OPEN', 'CANARY']) {
      for (const more of [{}, { orNone: true as const }]) {
        hide(['shop']);
        rowsOf('probeOfOf', rowsOf('probeOf', laid('probe'), { shop }));
        for (const through of ['probeOf', 'probeOfOf']) {
          expect([through, (await read(through, {}, 'admin')).itemTotal]).toEqual([through, 1]);
          expect([through, (await read(through)).itemTotal]).toEqual([through, shop === 'OPEN' ? 1 : 0]);
          lay({ ...probeLine, site: { through, by: 'probeId', ...more }, form: [['probeId', 'sn']], buttons });
          const under = (n: number) => create('probeLine', { probeId: `PBE202601020000${n}`, sn: through });
          const made = [await under(1), await under(2), await under(3)];
          expect([shop, made]).toEqual([shop, [shop === 'OPEN' ? '000000' : '100002', '100002', '100002']]);
        }
      }
    }
  });

  it('is found again as soon as a row is seen by which its values are', async () => {
    hide(['shop']);
    rowsOf('probeOf', laid('probe'), { shop: 'CANARY' });
    lay({ ...probeLine, site: { through: 'probeOf', by: 'probeId' } });
    await putRows(testApp, 'probe_line', [{ probeId: 'PBE2026010200002', sn: 'UNDER' }]);
    const count = async () => (await read('probeLine', { sn: 'UNDER' })).itemTotal;
    expect(await count()).toBe(0);
    const unit = testApp.db.updateTable('rma_inventory').where('sn', '=', 'THEIR-SN');
    await unit.set({ siteId: 'SZ' }).execute();
    expect(await count()).toBe(1);
    await unit.set({ siteId: 'NB' }).execute();
    expect(await count()).toBe(0);
  });
});
