import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call, Envelope } from '#domain/call.ts';
import { Node } from '#domain/nodes.ts';
import { cleanText } from '#domain/signs.ts';
import { inputSchemas } from '#server/input.ts';
import { lazyValidator } from '#server/lazyValidator.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { unitOnBill, type UnitOnBill } from '#tests/support/factories.ts';
import { fixedRoutes } from '#tests/support/features.ts';
import { edges, inputPositions, createSample, saysTheSame, unstorable } from '#tests/support/hostile.ts';
import { turnOf } from '#tests/support/tries.ts';

const calls = fixedRoutes.map((it) => it.call);
const partsOf = (call: Call) =>
  Object.entries(inputSchemas(call)).map(([httpPart, schema]) => ({ call, httpPart, schema, url: call.path }));

function valueAt(input: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((it, name) => (it as Record<string, unknown> | null | undefined)?.[name], input);
}

describe('what is read of an input is what was sent, or it is refused', () => {
  const parts = calls.flatMap(partsOf);

  it('and each call takes an input that says everything it knows', () => {
    for (const part of parts) {
      const check = lazyValidator(() => undefined)(part as never) as (input: unknown) => object;
      expect([part.url, check(createSample(part.schema, {}, true))]).toMatchObject([part.url, { value: {} }]);
    }
  });

  it('every place of every call, every type and edge', () => {
    const wrong: unknown[] = [];
    const count = { positions: 0, accepted: 0, refused: 0 };
    for (const part of parts) {
      const check = lazyValidator(() => undefined)(part as never) as (input: unknown) => {
        value?: unknown;
        error?: unknown;
      };
      for (const position of inputPositions(part.schema)) {
        count.positions += 1;
        for (const sent of part.httpPart === 'body' ? edges : edges.filter((it) => typeof it === 'string')) {
          const { value, error } = check(position.with(sent));
          if (error) count.refused += 1;
          else {
            count.accepted += 1;
            const stored = valueAt(value, position.path);
            const seen = typeof sent === 'string' ? cleanText(sent) : sent;
            if (!saysTheSame(sent, stored) && !saysTheSame(seen, stored))
              wrong.push([part.url, position.path, sent, stored]);
          }
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(count.positions).toBeGreaterThan(400);
    expect(count.accepted).toBeGreaterThan(1000);
    expect(count.refused).toBeGreaterThan(5000);
  });

  it('a code or text that may be nothing is 0 when 0 was sent, and never a truth', () => {
    const count = { codes: 0 };
    for (const part of parts.filter((it) => it.httpPart === 'body')) {
      const check = lazyValidator(() => undefined)(part as never) as (input: unknown) => { value?: unknown };
      for (const { path, schemas, with: input } of inputPositions(part.schema)) {
        const types = schemas.map((it) => it.type);
        const isOptional = types.includes('string') && types.includes('null');
        if (!isOptional || types.includes('number') || types.includes('integer') || types.includes('array')) continue;
        count.codes += 1;
        const at = `${part.url} ${path}`;
        for (const nought of [0, -0, '0']) expect([at, valueAt(check(input(nought)).value, path)]).toEqual([at, '0']);
        for (const nothing of ['', null]) {
          expect([at, valueAt(check(input(nothing)).value, path)]).toEqual([at, null]);
        }
        for (const no of [true, false, 1.5, [], {}]) expect([at, check(input(no)).value]).toEqual([at, undefined]);
      }
    }
    expect(count.codes).toBeGreaterThan(100);
  });
});

let testApp: TestApp;
/** Of each station, a unit that stands before it. */
const units = new Map<string, UnitOnBill>();
beforeAll(async () => {
  testApp = await startTestApp();
  const stations: [module: string, node: Node][] = [
    ['rmaCheckBill', Node.AwaitingCheck],
    ['rmaRepairBill', Node.AwaitingRepair],
    ['rmaAssembleBill', Node.AwaitingAssembly],
    ['rmaBurninBill', Node.AwaitingTest],
    ['rmaExamineBill', Node.AwaitingInspection],
    ['rmaStoreBill', Node.AwaitingStorage],
    ['rmaDeliverBill', Node.CanShip],
    ['rmaMaintainBillLineItem', Node.AwaitingRepair],
  ];
  for (const [module, node] of stations) units.set(module, await unitOnBill(testApp.db, { node }));
});
afterAll(() => testApp?.close());

async function ask(call: Pick<Call, 'method' | 'path'>, input: unknown, headers: Record<string, string> = {}) {
  const isBody = call.method === 'POST' || call.method === 'PUT';
  const reply = await testApp.app.inject({
    method: call.method,
    url: call.path.replace(/:\w+/g, '1'),
    query: { lang: 'en', ...(call.method === 'GET' && (input as Record<string, string>)) },
    ...(isBody && { payload: JSON.stringify(input) }),
    headers: {
      token: await testApp.openToken('admin'),
      authorization: `Bearer ${await testApp.openSecret()}`,
      ...(isBody && { 'content-type': 'application/json' }),
      ...headers,
    },
  });
  // A file and a stream are no envelope.
  const isJson = String(reply.headers['content-type']).includes('json');
  return { status: reply.statusCode, ...(isJson ? reply.json<Envelope<{ problems?: { field?: string }[] }>>() : null) };
}

/** Real names, so that a hostile value beside them is not refused for their sake. */
function namesFor({ path }: Call): Record<string, unknown> {
  const [, , module = ''] = path.split('/');
  const unit = units.get(module) ?? units.get('rmaMaintainBillLineItem')!;
  const { sn, mtbId, mtblId, mtbliId } = unit;
  return { sn, mtbId, mtblId, mtbliId, maintainBillId: mtbId };
}

const asked = calls.filter((it) => it.method !== 'DELETE' && !it.path.startsWith('/rest/stations/'));
const partOf = (call: Call) => inputSchemas(call)[call.method === 'GET' ? 'querystring' : 'body'] ?? {};

describe('no call fails over a value', () => {
  it.each(asked.map((call, n) => [call.method, call.path, call, n] as const))(
    '%s %s',
    async (method, path, call, n) => {
      // A token that was ended ends the others.
      if (path.endsWith('logout.json')) return;
      const check = lazyValidator(() => undefined)({ schema: partOf(call), url: path } as never) as (it: unknown) => {
        error?: unknown;
      };
      for (const [i, position] of inputPositions(partOf(call), namesFor(call)).entries()) {
        const texts = edges.filter((it) => typeof it === 'string');
        // What the check refuses goes no further: of it one is enough.
        const [refused, accepted] = [true, false].map((isNo) =>
          (method === 'GET' ? texts : edges).filter((it) => Boolean(check(position.with(it)).error) === isNo),
        );
        for (const sent of [
          ...(refused ?? []).slice(0, 1),
          ...turnOf(accepted ?? [], n + i, Math.min(4, accepted?.length ?? 0)),
        ]) {
          const { status, code, msg } = await ask(call, position.with(sent));
          const what = `${path} ${position.path} ${JSON.stringify(sent)?.slice(0, 60)}: ${msg}`;
          expect(status, what).toBeLessThan(500);
          expect(code, what).not.toBe('000500');
        }
      }
    },
  );
});

describe('what no text of the database can hold', () => {
  it('is refused by its place, wherever it stands in a call', async () => {
    for (const call of asked) {
      for (const position of inputPositions(partOf(call))) {
        const [text] = unstorable;
        // An address can't even say it.
        if (call.method === 'GET') continue;
        const answer = await ask(call, position.with(text));
        const what = `${call.path} ${position.path}`;
        expect([what, answer.status, answer.code, answer.data?.problems?.[0]?.field]).toEqual([
          what,
          200,
          '100015',
          position.path,
        ]);
        expect(answer.msg).toMatch(/character that cannot be stored/);
      }
    }
  });

  it('in an address leads nowhere', async () => {
    for (const path of ['/rest/jobs/%00', '/api/ubs%00Item/pager.json', '/file/%00'] as const) {
      const { status, code } = await ask({ method: 'GET', path }, {});
      expect([path, status, code]).toEqual([path, 404, '100050']);
    }
  });

  it.each(unstorable)('%j: in a value, in a name, in a key, at whatever depth', async (text) => {
    const call = { method: 'POST', path: '/api/rmaArrivalBill/signFor.json' } as const;
    const whole = { receiveShipNo: 'SF-WHOLE', receivePackageCount: 1 };
    const send = async (input: unknown, headers = {}) => (await ask(call, input, headers)).code;
    expect(await send({ ...whole, remark: text })).toBe('100015');
    expect(await send({ ...whole, [text]: 1 })).toBe('100015');
    expect(await send({ ...whole, deep: [{ in: [[text]] }] })).toBe('100015');
    expect(await send(whole, { 'idempotency-key': text })).toBe('100015');
    const list = { method: 'POST', path: '/api/ubsItem/advancedSearch.json' } as const;
    const rule = { connector: 'AND', column: 'salesCode', relation: 'EQUAL_TO', value: text };
    const { code } = await ask(list, { adminAdvancedSearchGroup: { connector: 'AND', rules: [rule], groups: [] } });
    expect(code).toBe('100015');
  });
});

describe('the id of a row', () => {
  const most = '9'.repeat(20);
  it.each([
    ['/api/rmaReportDownload/download.json', { id: most }],
    ['/api/rmaMaintainBill/viewHistory.json', { sn: 'RX1', before: most }],
    ['/api/reprintBarCode.json', { snDetailId: most }],
    ['/rest/jobs/1', {}],
  ])('%s is refused beyond what the database holds', async (path, query) => {
    for (const url of [path, path.replace(/1$/, most)].slice(path.endsWith('1') ? 1 : 0)) {
      const { status, code } = await ask({ method: 'GET', path: url as `/${string}` }, query);
      expect([url, status, code]).toEqual([url, 200, '100015']);
    }
  });

  it.each([2 ** 31, 2 ** 40, 999_999_999_999_999])('%d is one that nobody has', async (id) => {
    const { code } = await ask(
      { method: 'GET', path: '/api/rmaReportDownload/download.json' },
      {
        id: String(id),
      },
    );
    expect(code).toBe('100002');
  });
});

describe('0 is a value', () => {
  it('sets whether an item comes back', async () => {
    const { itemId } = await unitOnBill(testApp.db, { node: Node.AwaitingRepair, item: { returness: '1' } });
    const path = '/api/rmaMaintainBillLineItem/editDeliver.json';
    const edited = await testApp.ask('POST', path, { id: itemId, returness: 0, deliverPriority: 0 }, { as: 'office' });
    expect(edited.code).toBe('000000');
    const row = testApp.db.selectFrom('rma_maintain_bill_line_item').selectAll().where('id', '=', itemId);
    expect(await row.executeTakeFirst()).toMatchObject({ returness: '0', deliverPriority: '0' });
  });

  it('registers a device, and a bill whose packing is not confirmed', async () => {
    const path = '/api/ubsItemObject/createNonOfficial.json';
    const nonOfficial = await testApp.ask('POST', path, { sn: 'STRANGER0', type: 0 }, { as: 'warehouse' });
    expect(nonOfficial.code).toBe('000000');
    const archive = testApp.db.selectFrom('ubs_item_object').select('type').where('sn', '=', 'STRANGER0');
    expect(await archive.executeTakeFirst()).toEqual({ type: '0' });
    const input = {
      ...{ receiveShipNo: 'SF-NOUGHT', userName: 'X', packConfirm: 0 },
      rmaMaintainBillLineList: [{ type: 0, salesCode: 'RX19', count: 1 }],
    };
    const made = await testApp.ask<{ mtbId: string }>('POST', '/api/rmaMaintainBill/create.json', input, {
      as: 'office',
    });
    expect(made.code, made.msg).toBe('000000');
    const bill = testApp.db.selectFrom('rma_maintain_bill').select('packConfirm').where('mtbId', '=', made.data.mtbId);
    expect(await bill.executeTakeFirst()).toEqual({ packConfirm: '0' });
  });
});

describe('what other clients send', () => {
  it('whole rows, as the list gave them', async () => {
    const { mtblId } = await unitOnBill(testApp.db, { node: Node.AwaitingRepair });
    const as = { as: 'aftersales' };
    const path = '/api/rmaMaintainBillLineItem/pager.json';
    const { items } = (await testApp.ask<{ items: Record<string, unknown>[] }>('GET', path, { mtblId }, as)).data;
    expect(Object.keys(items[0] ?? {}).length).toBeGreaterThan(10);
    const body = { rmaMaintainBillLineItemList: items, updateSiteId: 'NB' };
    const moved = await testApp.ask('POST', '/api/rmaMaintainBillLineItem/updateSiteId.json', body, as);
    expect([moved.code, moved.msg]).toEqual(['000000', '']);
    const strange = { ...body, rmaMaintainBillLineItemList: [{ ...items[0], nobodyKnows: 1 }] };
    const no = await testApp.ask('POST', '/api/rmaMaintainBillLineItem/updateSiteId.json', strange, as);
    expect(no).toMatchObject({ code: '100015', data: { problems: [{ key: 'unknownField' }] } });
  });

  it('a whole row with a call on it', async () => {
    const { itemId, mtblId } = await unitOnBill(testApp.db, { node: Node.AwaitingRepair });
    const path = '/api/rmaMaintainBillLineItem/pager.json';
    const { items } = (await testApp.ask<{ items: object[] }>('GET', path, { mtblId }, { as: 'office' })).data;
    const edit = { ...items[0], id: itemId, deliverPriority: '1', deliverStatus: null };
    const edited = await testApp.ask('POST', '/api/rmaMaintainBillLineItem/editDeliver.json', edit, { as: 'office' });
    expect([edited.code, edited.msg]).toEqual(['000000', '']);
  });

  it('a row that is changed comes back whole; what the form may not change stays refused', async () => {
    const [row] = await testApp.db.selectFrom('ubs_item').selectAll().where('salesCode', '=', 'RX19').execute();
    const path = '/api/ubsItem/modifyById.json';
    const id = { id: row?.id };
    const { data } = await testApp.ask('GET', '/api/ubsItem/queryById.json', id, { as: 'admin' });
    const { view: _, ...whole } = data;
    const flat = Object.fromEntries(Object.entries(whole).filter(([, it]) => typeof it !== 'object' || it === null));
    const same = await testApp.ask('POST', path, flat, { as: 'admin' });
    expect([same.code, same.msg]).toEqual(['000000', '']);
    const { version } = same.data as { version: number };
    for (const [name, value] of [
      ['createBy', 'somebody'],
      ['createTime', 1],
      ['nobodyKnows', 1],
    ] as const) {
      const no = await testApp.ask('POST', path, { ...flat, version, [name]: value }, { as: 'admin' });
      expect([name, no.code], no.msg).toEqual([name, '100015']);
    }
  });

  const said = { userId: 'somebody', siteId: 'NB', orgId: 'X', lang: 'en' };
  it.each(asked.map((call) => [call.method, call.path, call] as const))(
    'who and where in %s %s, which is ignored',
    async (_, path, call) => {
      const schema = partOf(call);
      const isOwn = (name: string) => Object.hasOwn(schema['properties'] ?? {}, name);
      const besides = Object.fromEntries(Object.entries(said).filter(([name]) => !isOwn(name)));
      const input = createSample(schema);
      if (Array.isArray(input)) return;
      const check = lazyValidator(() => undefined)({ schema, url: path } as never) as (it: unknown) => unknown;
      expect(check({ ...(input as object), ...besides })).toEqual(check(input));
    },
  );

  it('the names by which the house knows the same thing elsewhere', () => {
    const pairs = [
      ['sn', 'SN'],
      ['salesCode', 'saleCode'],
      ['componentSN', 'componentSn'],
      ['mtbId', 'maintainBillId'],
    ].flatMap(([a = '', b = '']) => [
      [a, b],
      [b, a],
    ]);
    const found = new Set<string>();
    for (const part of calls.flatMap(partsOf)) {
      const check = lazyValidator(() => undefined)(part as never) as (it: unknown) => { value?: unknown };
      for (const position of inputPositions(part.schema)) {
        const [own = '', alias = ''] = pairs.find(([it]) => it === position.path.split('.').at(-1)) ?? [];
        if (!own) continue;
        found.add(`${part.url} ${position.path}`);
        const renamed = JSON.parse(
          JSON.stringify(position.with('SAME')).replace(`"${own}":"SAME"`, `"${alias}":"SAME"`),
        ) as unknown;
        expect(check(renamed), `${part.url} ${alias}`).toEqual(check(position.with('SAME')));
        expect(check(renamed).value, `${part.url} ${alias}`).toBeDefined();
      }
    }
    expect(found.size).toBeGreaterThan(30);
  });
});
