import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Definition } from '#domain/definition/grammar.ts';
import { fitsPassword } from '#server/session/passwords.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { addProbe, countRows, probe, probeLine, putRows, readRow } from '#tests/support/probe.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  await addProbe(testApp);
});
afterAll(() => testApp.close());

type Row = Record<string, unknown>;
const get = (action: string, query: object = {}, as = 'prober') =>
  testApp.ask<Row & { items: Row[] }>('GET', `/api/probe/${action}.json`, query, { as });
const post = (action: string, body: object, as = 'prober') =>
  testApp.ask<Row>('POST', `/api/probe/${action}.json`, body, { as });
const put = async (row: Row = {}) =>
  (await putRows(testApp, 'probe', [{ title: 'row', siteId: 'SZ', status: '0', ...row }]))[0] as number;
const readLedger = (id: unknown) =>
  testApp.db
    .selectFrom('ledger')
    .selectAll()
    .where('module', '=', 'probe')
    .where('recordId', '=', String(id))
    .orderBy('id')
    .execute();

describe('adding', () => {
  it('is described by toAdd and done by create [P-FRM-02]', async () => {
    const { data } = await get('toAdd');
    expect(data['rows']).toEqual(probe.form);
    const items = data.items;
    expect(items.map((it) => it['queryName'])).toEqual(probe.form?.flat());
    const of = (name: string) => items.find((it) => it['queryName'] === name);
    expect(of('title')).toEqual({
      name: 'Title',
      queryName: 'title',
      type: 'String',
      required: true,
      readOnly: false,
      value: null,
      maxLength: 20,
    });
    expect(of('status')).toMatchObject({ type: 'select', value: '0' });
    expect(of('status')?.['options']).toContainEqual({ value: '2', optionName: 'Finished', tone: 'done' });
    expect(of('reason')).toMatchObject({ required: false, requiredWhen: { status: '2' } });
    expect(of('count')).toMatchObject({ max: 50 });

    const day = Date.parse('2026-03-05T00:00:00+08:00');
    const sent = { title: 'first', shop: ' ab-1 ', count: 3, amount: '12.50', day, seenAt: day + 5, month: '2026-03' };
    const { data: made, code } = await post('create', sent);
    expect(code).toBe('000000');
    expect(await readRow(testApp, Number(made['id']))).toMatchObject({
      title: 'first',
      shop: 'AB-1',
      count: 3,
      amount: '12.500000',
      day,
      seenAt: day + 5,
      month: '2026-03',
      status: '0',
      version: 1,
      createBy: 'prober',
    });
  });

  it('gives the row a number of its own: prefix, day, five digits', async () => {
    const first = await post('create', { title: 'x' });
    const second = await post('create', { title: 'x' });
    expect(first.data['probeId']).toMatch(/^PBE\d{8}\d{5}$/);
    expect(second.data['probeId']).not.toBe(first.data['probeId']);
    expect(await readRow(testApp, Number(first.data['id']))).toMatchObject({ probeId: first.data['probeId'] });
  });

  it('writes the site of the session, whatever was sent; who has all sites may choose', async () => {
    const own = await post('create', { title: 'x', siteId: 'NB' });
    expect(await readRow(testApp, Number(own.data['id']))).toMatchObject({ siteId: 'SZ' });
    const chosen = await post('create', { title: 'x', siteId: 'NB' }, 'admin');
    expect(await readRow(testApp, Number(chosen.data['id']))).toMatchObject({ siteId: 'NB' });
    const home = await post('create', { title: 'x' }, 'admin');
    expect(await readRow(testApp, Number(home.data['id']))).toMatchObject({ siteId: 'SZ' });
  });

  it.each<[string, object, string, string]>([
    ['nothing', {}, '100001', 'Title'],
    ['blanks', { title: '  ' }, '100001', 'Title'],
    ['what another field makes required', { title: 'x', status: '2' }, '100001', 'Reason'],
    ['an unknown field', { title: 'x', colour: 'red' }, '100015', 'colour'],
    ['a number that the server gives', { title: 'x', probeId: 'PBE2026010100001' }, '100015', 'probeId'],
    ['a field that the form does not have', { title: 'x', cost: '1' }, '100015', 'cost'],
    ['an id', { title: 'x', id: 7 }, '100015', 'id'],
    ['a version', { title: 'x', version: 7 }, '100015', 'version'],
    ['who made it', { title: 'x', createBy: 'admin' }, '100015', 'createBy'],
    ['a constructor', { title: 'x', constructor: 'x' }, '100015', 'constructor'],
    ['too much text', { title: 'x'.repeat(21) }, '100015', 'Title'],
    ['an option that does not exist', { title: 'x', status: '9' }, '100015', 'Status'],
    ['a row that does not exist', { title: 'x', shipId: 'UFO' }, '100002', 'UFO'],
    ['a negative number', { title: 'x', count: -1 }, '100015', 'Count'],
    ['a number above its maximum', { title: 'x', count: 51 }, '100015', 'Count'],
    ['half a thing', { title: 'x', count: 1.5 }, '100015', 'Count'],
    ['a number beyond numbers', { title: 'x', big: '99999999999999999999' }, '100015', 'Big'],
    ['letters for a number', { title: 'x', size: 'wide' }, '100015', 'Size'],
    ['more money than there is', { title: 'x', amount: '1000000.01' }, '100015', 'Amount'],
    ['less money than none', { title: 'x', amount: '-1' }, '100015', 'Amount'],
    ['a tax above everything', { title: 'x', taxRate: '100.01' }, '100015', 'Tax rate'],
    ['a thirteenth month', { title: 'x', month: '2026-13' }, '100015', 'Month'],
    ['a day in words', { title: 'x', day: '2026-03-05' }, '100015', 'Day'],
    ['a list for text', { title: ['x'] }, '100015', 'Title'],
    ['an object for text', { title: { $ne: '' } }, '100015', 'Title'],
    ['a text with a zero byte', { title: 'x\0y' }, '100015', 'Title'],
    ['a password that breaks the rule', { title: 'x', secret: 'abcdef' }, '100015', 'letter'],
  ])('refuses %s and writes nothing', async (_, body, code, word) => {
    const before = await countRows(testApp, 'probe');
    const answer = await post('create', body);
    expect(answer).toMatchObject({ status: 200, code });
    expect(answer.msg).toContain(word);
    expect(await countRows(testApp, 'probe')).toBe(before);
  });

  it('refuses a poisoned prototype and what is no JSON', async () => {
    const before = await countRows(testApp, 'probe');
    const raw = async (payload: string, type = 'application/json') => {
      const reply = await testApp.app.inject({
        method: 'POST',
        url: '/api/probe/create.json?lang=en',
        payload,
        headers: { token: await testApp.openToken('prober'), 'content-type': type },
      });
      return reply.json<{ code: string }>().code;
    };
    expect(await raw('{"title":"x","__proto__":{"status":"2"}}')).toBe('100015');
    expect(await raw('{"title":"x","constructor":{"prototype":{"a":1}}}')).toBe('100015');
    expect(await raw('{"title":')).toBe('100015');
    expect(await raw('["title"]')).toBe('100015');
    expect(await raw('"title"')).toBe('100015');
    expect(await raw('title=x', 'text/plain')).toBe('100015');
    expect(await raw('')).toBe('100001');
    expect(await countRows(testApp, 'probe')).toBe(before);
  });

  it('names everything that is wrong at once, by its field', async () => {
    const answer = await post('create', { count: -1, colour: 'red' });
    expect(answer.data).toMatchObject({
      problems: [
        { key: 'required', field: 'title' },
        { key: 'atLeast', field: 'count' },
        { key: 'unknownField', field: 'colour' },
      ],
    });
  });

  it('takes a unique value once', async () => {
    expect(await post('create', { title: 'x', serial: 77 })).toMatchObject({ code: '000000' });
    const again = await post('create', { title: 'x', serial: 77 });
    expect(again).toMatchObject({ status: 200, code: '100007', msg: expect.stringContaining('77') as string });
  });

  it('needs a session and the right of the button, and a module that has the button', async () => {
    const before = await countRows(testApp, 'probe');
    expect(await testApp.ask('POST', '/api/probe/create.json', { title: 'x' })).toMatchObject({
      status: 401,
      code: '401',
    });
    expect(await post('create', { title: 'x' }, 'tech')).toMatchObject({ status: 403, code: '100013' });
    expect(await testApp.ask('POST', '/api/rmaInventory/create.json', { sn: 'X' }, { as: 'admin' })).toMatchObject({
      status: 404,
      code: '100050',
    });
    expect(await countRows(testApp, 'probe')).toBe(before);
  });
});

describe('changing', () => {
  it('is described by toModify, with the values of today, and done by modifyById with the id [P-FRM-03]', async () => {
    const id = await put({ title: 'old', count: 2, secret: 'hash' });
    const { data } = await get('toModify', { id });
    const of = (name: string) => data.items.find((it) => it['queryName'] === name);
    expect(of('title')).toMatchObject({ name: 'Title', value: 'old' });
    expect(of('secret')).toMatchObject({ value: null });
    expect(data['item']).toMatchObject({ id, version: 1, title: 'old', count: 2 });
    expect(JSON.stringify(data)).not.toContain('hash');

    const answer = await post('modifyById', { id, version: 1, title: 'new', count: '' });
    expect(answer).toMatchObject({ code: '000000', data: { id, version: 2 } });
    expect(await readRow(testApp, id)).toMatchObject({
      title: 'new',
      count: null,
      version: 2,
      updateBy: 'prober',
      secret: 'hash',
    });
  });

  it('keeps what the row refers to already, also when it has been taken away since', async () => {
    const id = await put({ shipId: 'GONE' });
    expect(await post('modifyById', { id, version: 1, title: 'new', shipId: 'GONE' })).toMatchObject({
      code: '000000',
    });
    expect(await readRow(testApp, id)).toMatchObject({ title: 'new', shipId: 'GONE' });
    expect(await post('modifyById', { id, version: 2, title: 'new', shipId: 'UFO' })).toMatchObject({ code: '100002' });
  });

  it('refuses a version that is not today’s with today’s row, and one that is missing', async () => {
    const id = await put({ title: 'old' });
    expect(await post('modifyById', { id, version: 1, title: 'mine' })).toMatchObject({ code: '000000' });
    const stale = await post('modifyById', { id, version: 1, title: 'theirs' });
    expect(stale).toMatchObject({ status: 200, code: '100025', data: { id, version: 2, title: 'mine' } });
    expect(stale.data).toMatchObject({ problems: [{ key: 'stale', msg: stale.msg }] });
    expect(await post('modifyById', { id, title: 'theirs' })).toMatchObject({ code: '100001' });
    expect(await post('modifyById', { id, version: 'x', title: 'theirs' })).toMatchObject({ code: '100025' });
    expect(await readRow(testApp, id)).toMatchObject({ title: 'mine', version: 2 });
  });

  it('lets one of two win who change the same row at the same moment', async () => {
    const id = await put();
    const answers = await Promise.all(['a', 'b', 'c'].map((title) => post('modifyById', { id, version: 1, title })));
    expect(answers.map((it) => it.code).sort()).toEqual(['000000', '100025', '100025']);
    expect(await readRow(testApp, id)).toMatchObject({ version: 2 });
    expect(await readLedger(id)).toHaveLength(1);
  });

  it('is refused for a row for which the button is not offered', async () => {
    const id = await put({ status: '1' });
    expect(await post('modifyById', { id, version: 1, title: 'late' })).toMatchObject({ code: '100025', data: { id } });
    expect(await readRow(testApp, id)).toMatchObject({ title: 'row', version: 1 });
  });

  it.each<[string, object, string]>([
    ['an empty required field', { title: '' }, '100001'],
    ['what another field makes required', { status: '2' }, '100001'],
    ['an unknown field', { colour: 'red' }, '100015'],
    ['a field that the server writes', { probeId: 'PBE2026010100001' }, '100015'],
    ['an unknown option', { status: 'x' }, '100015'],
    ['an unknown row', { shipId: 'UFO' }, '100002'],
    ['an object where a text belongs', { note: { toString: 1 } }, '100015'],
    ['an object where a number belongs', { count: { valueOf: 1 } }, '100015'],
    ['an object where a choice belongs', { status: { toString: 1 } }, '100015'],
    ['an object where a day belongs', { day: { toString: 1 } }, '100015'],
    ['an object where another row is named', { shipId: { toString: 1 } }, '100015'],
    ['an object as the version', { version: { valueOf: 1, toString: 1 } }, '100025'],
  ])('refuses %s and leaves the row', async (_, change, code) => {
    const id = await put();
    expect(await post('modifyById', { id, version: 1, title: 'row', ...change })).toMatchObject({ status: 200, code });
    expect(await readRow(testApp, id)).toMatchObject({ title: 'row', version: 1 });
    expect(await readLedger(id)).toEqual([]);
  });

  it('of a row that is not there is refused', async () => {
    for (const id of [999_999, 'x', '1 OR 1=1', -1, [1], 1e20]) {
      expect(await post('modifyById', { id, version: 1, title: 'x' })).toMatchObject({ status: 200, code: '100002' });
    }
    expect(await post('modifyById', { version: 1, title: 'x' })).toMatchObject({ code: '100001' });
  });
});

describe('reading one row', () => {
  it('is by its id or by its number, with its lines and how to show it [P-LST-13]', async () => {
    const made = await post('create', { title: 'x', shipId: 'SF' });
    const { id, probeId } = made.data as { id: number; probeId: string };
    await putRows(testApp, 'probe_line', [
      { probeId, sn: 'S1' },
      { probeId, sn: 'S2' },
    ]);
    const byId = await get('queryById', { id });
    expect(byId.data).toMatchObject({
      id,
      probeId,
      title: 'x',
      version: 1,
      probeLineList: [{ sn: 'S1' }, { sn: 'S2' }],
      view: {
        title: { probeId: 'Probe', title: 'Title', status: 'Status', siteId: 'Site' },
        labels: { siteId: { SZ: '深圳维修中心' } },
        lines: { probeLineList: { title: { probeId: 'Probe', sn: 'SN' } } },
      },
    });
    expect(byId.data).not.toHaveProperty('secret');
    expect((await get('queryById', { id: probeId })).data).toEqual(byId.data);
    expect(await get('queryById', { id: 'PBE2020010100001' })).toMatchObject({ code: '100002' });
    expect(await get('queryById')).toMatchObject({ code: '100001' });
  });
});

describe('deleting', () => {
  it('removes the one row of the id [P-LST-15]', async () => {
    const [id, other] = [await put(), await put()];
    expect(await post('deleteById', { id })).toMatchObject({ code: '000000' });
    expect(await readRow(testApp, id)).toBeUndefined();
    expect(await readRow(testApp, other)).toBeDefined();
    expect(await post('deleteById', { id })).toMatchObject({ code: '100002' });
    expect(await post('deleteById', {})).toMatchObject({ code: '100001' });
  });

  it('removes all rows of a list of ids or none [P-LST-16]', async () => {
    const ids = [await put(), await put(), await put()];
    expect(await post('deleteAll', { ids: [...ids, 999_999] })).toMatchObject({ code: '100002' });
    expect(await readRow(testApp, ids[0] as number)).toBeDefined();
    expect(await post('deleteAll', { ids })).toMatchObject({ code: '000000', data: { deletedCount: 3 } });
    for (const id of ids) expect(await readRow(testApp, id)).toBeUndefined();
    expect(await post('deleteAll', { ids: [] })).toMatchObject({ code: '100001' });
    expect(await post('deleteAll', { ids: 'all' })).toMatchObject({ code: '100001' });
    expect(await post('deleteAll', { ids: Array.from({ length: 1001 }, (_, i) => i) })).toMatchObject({
      code: '100015',
    });
  });

  it('takes owned lines along, of a published module only those that their own module lets go', async () => {
    const definitions = testApp.model.definitions as Map<string, Definition>;
    const linesLeft = async (related: boolean, writes: NonNullable<Definition['writes']>) => {
      const lines = [{ name: 'probeLineList', module: 'probeLine', by: 'probeId', owned: true, related }];
      definitions.set('probe', { ...probe, lines });
      definitions.set('probeLine', { ...probeLine, writes });
      const id = await put({ probeId: 'PBE1' });
      await sql`INSERT INTO probe_line ("probeId", "createBy") VALUES ('PBE1', 'test')`.execute(testApp.db);
      expect(await post('deleteById', { id })).toMatchObject({ code: '000000' });
      const { rows } = await sql`DELETE FROM probe_line WHERE "probeId" = 'PBE1' RETURNING id`.execute(testApp.db);
      return rows.length;
    };
    expect(await linesLeft(false, {})).toBe(0);
    expect(await linesLeft(true, 'all')).toBe(0);
    expect(await linesLeft(true, {})).toBe(1);
    expect(await linesLeft(true, { delete: { sn: 'A' } })).toBe(1);
    for (const it of [probe, probeLine]) definitions.set(it.module, it);
  });

  it('of what others refer to is refused, by the name of who does', async () => {
    await put({ shipId: 'SF' });
    const { rows } = await sql<{ id: number }>`SELECT id FROM ubs_shipment WHERE "shipId" = 'SF'`.execute(testApp.db);
    const answer = await testApp.ask('POST', '/api/ubsShipment/deleteById.json', { id: rows[0]?.id }, { as: 'admin' });
    expect(answer).toMatchObject({ code: '100023', msg: expect.stringContaining('Probes') as string });
    expect(await countRows(testApp, 'ubs_shipment')).toBe(2);
  });
});

describe('the ledger', () => {
  it('has one row for each write: who, what, from and to, without passwords', async () => {
    const made = await post('create', { title: 'x', secret: 'Pink7#elephant' });
    const id = Number(made.data['id']);
    await post('modifyById', { id, version: 1, title: 'y' });
    await post('deleteById', { id });
    const rows = await readLedger(id);
    expect(rows.map((it) => it.what)).toEqual(['create', 'modifyById', 'deleteById']);
    expect(rows[0]).toMatchObject({ userId: 'prober', siteId: 'SZ', after: { title: 'x' } });
    expect(rows[1]).toMatchObject({ before: { title: 'x', version: 1 }, after: { title: 'y' } });
    expect(rows[2]).toMatchObject({ before: { title: 'y', version: 2 }, after: null });
    expect(JSON.stringify(rows)).not.toMatch(/secret|elephant|argon/);
  });

  it('takes no change and no deletion', async () => {
    await post('create', { title: 'x' });
    const tries = [sql`UPDATE ledger SET what = 'nothing'`, sql`DELETE FROM ledger`, sql`TRUNCATE ledger`];
    for (const it of tries) await expect(it.execute(testApp.db)).rejects.toThrow(/the ledger takes no/);
    expect(await countRows(testApp, 'ledger')).toBeGreaterThan(0);
  });
});

describe('a password of a user', () => {
  const users = (action: string, query: object) =>
    testApp.ask<Row & { items: Row[] }>('GET', `/api/adminUser/${action}.json`, query, { as: 'admin' });
  const add = (body: object) => testApp.ask<Row>('POST', '/api/adminUser/create.json', body, { as: 'admin' });
  const user = { userId: 'newcomer', userName: 'New', roleIds: 'tech', siteId: 'SZ', password: 'Pink7#elephant' };

  it('is kept as a hash that only its owner fits', async () => {
    expect(await add(user)).toMatchObject({ code: '000000' });
    const { password } = await testApp.db
      .selectFrom('admin_user')
      .select('password')
      .where('userId', '=', 'newcomer')
      .executeTakeFirstOrThrow();
    expect(password).toMatch(/^once:\$argon2id\$/);
    expect(await fitsPassword(password, 'Pink7#elephant')).toBe(true);
    expect(await fitsPassword(password, 'Pink7#elephants')).toBe(false);
    expect(await add({ ...user, userId: 'weak', password: 'abc123' })).toMatchObject({ code: '100015' });
    expect(await add({ ...user, userId: 'common', password: 'password1!' })).toMatchObject({ code: '100015' });
  });

  it('is never read, sorted by or searched by', async () => {
    const { id } = await testApp.db
      .selectFrom('admin_user')
      .select('id')
      .where('userId', '=', 'tech')
      .executeTakeFirstOrThrow();
    for (const answer of [
      await users('pager', { pageCount: 200 }),
      await users('queryById', { id }),
      await users('toModify', { id }),
    ]) {
      expect(answer.code).toBe('000000');
      expect(JSON.stringify(answer.data)).not.toContain('argon2');
    }
    for (const query of [{ sortBy: 'password', order: 'asc' }, { password: '$argon2id$' }]) {
      expect(await users('pager', query)).toMatchObject({ code: '100015' });
    }
    const rule = { column: 'password', relation: 'LIKE', value: '$argon2id$' };
    const search = { adminAdvancedSearchGroup: { rules: [rule] } };
    expect(await testApp.ask('POST', '/api/adminUser/advancedSearch.json', search, { as: 'admin' })).toMatchObject({
      code: '100015',
    });
  });

  it('stays as it is when a change leaves it empty, and whoever is changed signs in again', async () => {
    const { id, version, password } = await testApp.db
      .selectFrom('admin_user')
      .select(['id', 'version', 'password'])
      .where('userId', '=', 'viewer')
      .executeTakeFirstOrThrow();
    const token = await testApp.openToken('viewer');
    const site = () => testApp.ask('GET', '/api/ubsSite/pager.json', {}, { token });
    expect(await site()).toMatchObject({ code: '000000' });
    const body = { id, version, userName: 'Renamed', password: '' };
    expect(await testApp.ask('POST', '/api/adminUser/modifyById.json', body, { as: 'admin' })).toMatchObject({
      code: '000000',
    });
    const after = await testApp.db.selectFrom('admin_user').select('password').where('id', '=', id).executeTakeFirst();
    expect(after?.password).toBe(password);
    expect(await site()).toMatchObject({ status: 401 });
  });
});

describe('whose a row is', () => {
  const lay = (definition: Definition) =>
    (testApp.model.definitions as Map<string, Definition>).set(definition.module, definition);
  const button = (btnNo: string, script: string) => ({ btnNo, script, label: { zh: btnNo, en: btnNo } });
  const line = (action: string, body: object, as = 'proberNB') =>
    testApp.ask<Row>('POST', `/api/probeLine/${action}.json`, body, { as });
  const readLine = async (id: unknown) =>
    (
      await testApp.db
        .selectFrom('probe_line' as never)
        .selectAll()
        .where('id' as never, '=', id as never)
        .execute()
    )[0];

  it('is decided by a parent that its writer sees, by whichever way it is written', async () => {
    const [ours, theirs] = ['PBE2026040100001', 'PBE2026040100002'];
    await put({ probeId: ours, siteId: 'NB' });
    await put({ probeId: theirs, siteId: 'SZ' });
    const buttons = [button('add', 'create'), { ...button('edit', 'modify'), rows: 1 as const }];
    lay({ ...probeLine, form: [['probeId', 'sn']], buttons: [...(probeLine.buttons ?? []), ...buttons] });
    const before = await countRows(testApp, 'probe_line');
    for (const probeId of [theirs, 'PBE2026040199999', null, ''])
      expect([probeId, await line('create', { probeId, sn: 'L1' })]).toEqual([
        probeId,
        expect.objectContaining({
          code: '100002',
          data: { problems: [expect.objectContaining({ field: 'probeId' })] },
        }),
      ]);
    expect((await line('create', { sn: 'L1' })).code).toBe('100002');
    expect((await line('create', { probeId: null, sn: 'L1' }, 'admin')).code).toBe('100002');
    expect(await countRows(testApp, 'probe_line')).toBe(before);

    const { code, data } = await line('create', { probeId: ours, sn: 'L1' });
    expect(code).toBe('000000');
    for (const probeId of [theirs, 'PBE2026040199999', null])
      expect((await line('modifyById', { id: data['id'], version: 1, probeId })).code).toBe('100002');
    expect(await readLine(data['id'])).toMatchObject({ probeId: ours, version: 1 });
    expect((await line('modifyById', { id: data['id'], version: 1, probeId: ours, sn: 'L2' })).code).toBe('000000');
    lay(probeLine);
  });

  it('of a row under none of them is nobody’s question where such rows are of no site', async () => {
    const site = { through: 'probe', by: 'probeId', orNone: true } as const;
    lay({ ...probeLine, site, form: [['probeId', 'sn']], buttons: [button('add', 'create')] });
    expect((await line('create', { sn: 'L3' })).code).toBe('000000');
    await put({ probeId: 'PBE2026040100003', siteId: 'SZ' });
    expect((await line('create', { probeId: 'PBE2026040100003', sn: 'L4' })).code).toBe('100002');
    lay(probeLine);
  });

  it('is the author where rows are each one’s own: what was sent is ignored, and a change gives none away', async () => {
    lay({ ...probe, owner: { field: 'remark', unless: 'nobodyHasIt' } });
    for (const sent of [{ remark: 'somebody else' }, {}]) {
      const { data, code } = await post('create', { title: 'mine', ...sent });
      expect(code).toBe('000000');
      expect(await readRow(testApp, Number(data['id']))).toMatchObject({ remark: 'prober' });
      const change = { id: data['id'], version: 1, title: 'still', remark: 'somebody else' };
      expect((await post('modifyById', change)).code).toBe('000000');
      expect(await readRow(testApp, Number(data['id']))).toMatchObject({ title: 'still', remark: 'prober' });
    }
    lay(probe);
  });
});
