import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DefinitionChange } from '#domain/definition/change.ts';
import type { Definition, Field } from '#domain/definition/grammar.ts';
import { platformNames } from '#domain/rights.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { fixedRoutes } from '#tests/support/features.ts';
import { expectNo, expectRefused } from '#tests/support/guard.ts';
import { publishAndWait } from '#tests/support/publishing.ts';
import { sendFile, workbook } from '#tests/support/workbooks.ts';
import {
  checkDraft,
  createModule,
  FORMAT,
  importDraft,
  publishDraft,
  readDraft,
  readModule,
  saveChange,
  takeBack,
} from './contract.ts';

/** An author of one site with the rights of the studio and few others: what he publishes does no more than he may. */
let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp({}, { worksJobs: true });
});
afterAll(() => testApp.close());

const admin = { as: 'admin' };
const author = { as: 'planner' };
type Parts = [module: string, change: DefinitionChange][];

async function give(...more: string[]): Promise<void> {
  const rights = ['sysModule:*', 'sysDraft:*', 'sysPublish:*', ...more];
  await testApp.db.deleteFrom('role_right').where('roleId', '=', 'planner').execute();
  await testApp.db
    .insertInto('role_right')
    .values(rights.map((right) => ({ roleId: 'planner', right })))
    .execute();
}
beforeEach(() => give());

const words = (en: string) => ({ zh: en, en });
const text = (more: Partial<Field> = {}): Field => ({ type: 'String', label: words('Text'), maxLength: 60, ...more });
const all = ['list', 'add', 'modify', 'delete'];
function made(module: string, fields: Record<string, Field>, more: Partial<Definition> = {}): Definition {
  const names = Object.keys(fields);
  return {
    ...{ module, label: words(module), table: module.toLowerCase(), site: 'all', fields, list: { columns: names } },
    form: names.filter((it) => !fields[it]?.readOnly).map((it) => [it]),
    buttons: [
      { btnNo: 'add', script: 'create', label: words('Add') },
      { btnNo: 'modify', script: 'modify', label: words('Modify'), rows: 1 },
      { btnNo: 'delete', script: 'deleteById', label: words('Delete'), rows: 1 },
    ],
    ...more,
  };
}

async function open(asking: { as: string }, parts: Parts): Promise<number> {
  const { data } = await testApp.ask<{ id: number }>('POST', '/api/sysDraft/create.json', { name: 'Test' }, asking);
  for (const [module, change] of parts)
    await testApp.send(saveChange, { draftId: data.id, module, version: 0, change: { ...change } }, asking);
  return data.id;
}
async function publish(asking: { as: string }, ...parts: Parts) {
  const id = await open(asking, parts);
  const { version } = (await testApp.send(readDraft, { id }, asking)).data;
  const answer = await testApp.send(publishDraft, { id, version, note: 'as agreed' }, asking);
  const found = (answer.data as { found?: { path: string; rule?: string; kind: string }[] }).found ?? [];
  return { ...answer, said: found.map((it) => `${it.path}: ${it.rule ?? it.kind}`) };
}
async function published(asking: { as: string }, ...parts: Parts): Promise<number> {
  const answer = await publish(asking, ...parts);
  expect(answer, answer.msg).toMatchObject({ code: '000000' });
  return answer.data.id as number;
}
const back = (id: number, asking: { as: string } = admin) =>
  publishAndWait(testApp, takeBack, { id, since: false, note: 'by mistake' }, asking);
const list = async (module: string, asking: object = author) => {
  const answer = await testApp.ask<{ items: Record<string, unknown>[] }>(
    'GET',
    `/api/${module}/pager.json`,
    {},
    asking,
  );
  expect(answer, answer.msg).toMatchObject({ code: '000000' });
  return answer.data.items;
};
const create = async (module: string, row: object, asking: object = admin) => {
  const answer = await testApp.ask<{ id: number }>('POST', `/api/${module}/create.json`, row, asking);
  expect(answer, answer.msg).toMatchObject({ code: '000000' });
  return answer.data.id;
};
const unitAt = (siteId: string, sn: string, itemName = 'x') =>
  sql`INSERT INTO rma_inventory (sn, "siteId", "salesCode", type, "itemName")
      VALUES (${sn}, ${siteId}, 'RX19', '0', ${itemName})`.execute(testApp.db);

describe('a whole module that is there already', () => {
  it('is no part of a draft, and one that is there from before is told by the check and published by nobody', async () => {
    const { current } = (await testApp.send(readModule, { module: 'ubsIssueCode' }, admin)).data;
    const { $schema: _, ...whole } = current as unknown as Definition & { $schema?: string };
    const change = { definition: { ...whole, fields: { ...whole.fields, nameEn: text({ type: 'password' }) } } };
    const draftId = await open(author, []);
    const saved = await testApp.send(
      saveChange,
      { draftId, module: 'ubsIssueCode', version: 0, change },
      { as: 'planner', lang: 'en' },
    );
    expect(saved).toMatchObject({ code: '100015', msg: expect.stringContaining('The module is there already') });
    await testApp.db
      .insertInto('definition_draft')
      .values({ draftId, module: 'ubsIssueCode', change: JSON.stringify(change), roles: '{}', updateBy: 'planner' })
      .execute();
    const { problems } = (await testApp.send(checkDraft, { id: draftId }, author)).data;
    expect(problems).toContainEqual(expect.objectContaining({ module: 'ubsIssueCode', rule: 'moduleThere' }));
    const { version } = (await testApp.send(readDraft, { id: draftId }, author)).data;
    const answer = await testApp.send(publishDraft, { id: draftId, version, note: 'x' }, author);
    expect(answer.data).toMatchObject({ found: [{ rule: 'moduleThere' }] });
  });
});

describe('a preview of an author’s own new module', () => {
  const look = async (id: number, path: string) => {
    const headers = { token: await testApp.openToken('planner'), 'definitions-draft': String(id) };
    const reply = await testApp.app.inject({ method: 'GET', url: `/api/${path}`, headers });
    return reply.json<{ code: string }>().code;
  };

  it('shows what its rights would open to him, and no more', async () => {
    const kind = { type: 'select', label: words('Kind'), options: 'yesNo' } as const;
    const definition = made('ownNew', { kind });
    const others = await open(author, [['ownNew', { definition, rights: { office: ['list'] } }]]);
    const paths = ['ownNew/pager.json', 'ownNew/options.json?field=kind'];
    for (const path of paths) expect([path, await look(others, path)]).toEqual([path, '100013']);
    const own = await open(author, [['ownNew', { definition, rights: { planner: ['list'] } }]]);
    for (const path of paths) expect([path, await look(own, path)]).toEqual([path, '000000']);
    expect(await look(own, 'rmaPriceBill/pager.json')).toBe('100013');
  });

  it('opens nothing of another module that he could not give himself, and what it takes from him is gone', async () => {
    const id = await open(author, [['rmaPriceBill', { rights: { planner: ['list'] } }]]);
    expect(await look(id, 'rmaPriceBill/pager.json')).toBe('100013');
    await give('rmaPriceBill:list');
    expect(await look(id, 'rmaPriceBill/pager.json')).toBe('000000');
    const taken = await open(author, [['rmaPriceBill', { rights: { planner: [] } }]]);
    expect(await look(taken, 'rmaPriceBill/pager.json')).toBe('100013');
    await give('adminRole:modifyRight');
    expect(await look(id, 'rmaPriceBill/pager.json'), 'a right that others have and he has not').toBe('100013');
  });
});

describe('a role that may do or sees more than the author', () => {
  const rightsOf = async (roleId: string, module: string) => {
    const held = await testApp.db.selectFrom('role_right').select('right').where('roleId', '=', roleId).execute();
    return held.flatMap(({ right }) => (right.startsWith(`${module}:`) ? right.split(':')[1] : [])).sort();
  };
  const saidOf = async (parts: Parts) => {
    const { data } = await testApp.send(checkDraft, { id: await open(author, parts) }, author);
    return data.problems.map((it) => `${it.path}: ${it.rule} ${it.name}`);
  };
  const refusedAs = async (key: string, parts: Parts) => {
    const answer = await publish(author, ...parts);
    expect(answer).toMatchObject({ code: '100013' });
    expect(answer.msg).toContain(key);
  };
  const prices = 'rmaPriceBill';
  const mine = `${prices}:*`;
  beforeAll(async () => {
    const roles = ['deputy', 'apprentice', 'wide'];
    await testApp.db
      .insertInto('admin_role')
      .values(roles.map((roleId) => ({ roleId, name: 'x', nameEn: 'x', allSites: roleId === 'wide' ? '1' : '0' })))
      .execute();
    const held = roles.map((roleId) => ({ roleId, right: `${prices}:list` }));
    await testApp.db
      .insertInto('role_right')
      .values([...held, { roleId: 'deputy', right: 'ubsItem:list' }])
      .execute();
  });
  afterAll(async () => {
    for (const table of ['role_right', 'admin_role'] as const)
      await testApp.db.deleteFrom(table).where('roleId', 'in', ['deputy', 'apprentice', 'wide']).execute();
  });

  it.each([
    ['deputy', 'roleMayMore', 'The role deputy allows what you may not do yourself (Sales items: list)'],
    ['wide', 'roleSeesMore', 'The role wide sees all sites and you don’t'],
  ])('%s is given and loses nothing by his publish: the check says %s', async (roleId, rule, msg) => {
    await give(mine);
    for (const buttons of [[], ['list', 'create']]) {
      const parts: Parts = [[prices, { rights: { [roleId]: buttons } }]];
      expect(await saidOf(parts)).toEqual([`rights.${roleId}: ${rule} ${roleId}`]);
      await refusedAs(msg, parts);
    }
    expect(await rightsOf(roleId, prices)).toEqual(['list']);
    expect(await saidOf([[prices, { rights: { [roleId]: ['list'] } }]]), 'nothing is changed').toEqual([]);
    const roles = (await testApp.send(readModule, { module: prices }, author)).data.roles;
    const fixed = roles.filter((it) => it.mayMore).map((it) => it.roleId);
    expect(fixed).toEqual(expect.arrayContaining(['deputy', 'wide', 'admin']));
    expect(fixed).not.toContain('apprentice');
  });

  it('is given what comes with his publish, and loses it where that is taken back again', async () => {
    await give(mine, `${prices}:list`);
    const both = { deputy: ['list'], apprentice: ['list'] };
    const id = await published(
      author,
      ['ownLent', { definition: made('ownLent', { a: text() }), rights: both }],
      [prices, { rights: { apprentice: ['create', 'list'] } }],
    );
    expect(await rightsOf('deputy', 'ownLent')).toEqual(['list']);
    expect(await rightsOf('apprentice', prices)).toEqual(['create', 'list']);
    expect(await back(id, author)).toMatchObject({ code: '000000' });
    expect(await rightsOf('deputy', 'ownLent')).toEqual([]);
    expect(await rightsOf('apprentice', prices)).toEqual(['list']);
  });

  it('is not changed by taking a publish back', async () => {
    await give(mine);
    for (const buttons of [[], ['create', 'list']]) {
      const id = await published(admin, [prices, { rights: { deputy: buttons } }]);
      expect(await back(id, author)).toMatchObject({ code: '100013' });
      expect(await rightsOf('deputy', prices)).toEqual(buttons);
      await back(id);
      expect(await rightsOf('deputy', prices)).toEqual(['list']);
    }
  });
});

describe('a button that he makes', () => {
  const label = words('More');
  const more: DefinitionChange = { buttons: { more: { script: 'detail', label } } };
  const hold = (roleId: string) =>
    testApp.db.insertInto('role_right').values({ roleId, right: 'ubsShipment:more' }).execute();
  const holders = async () => {
    const held = testApp.db.selectFrom('role_right').select('roleId').where('right', '=', 'ubsShipment:more');
    return (await held.orderBy('roleId').execute()).map((it) => it.roleId);
  };
  beforeAll(async () => {
    await testApp.db
      .insertInto('admin_role')
      .values({ roleId: 'junior', name: 'x', nameEn: 'x', allSites: '0' })
      .execute();
    await testApp.db.insertInto('role_right').values({ roleId: 'junior', right: 'ubsItem:list' }).execute();
  });
  afterAll(async () => {
    await testApp.db.deleteFrom('role_right').where('right', '=', 'ubsShipment:more').execute();
    await testApp.db.deleteFrom('role_right').where('roleId', '=', 'junior').execute();
    await testApp.db.deleteFrom('admin_role').where('roleId', '=', 'junior').execute();
  });

  it('is his to give with the draft, also to a role that may more than he: so say the check and the publish', async () => {
    await give('ubsShipment:list');
    const parts: Parts = [['ubsShipment', { ...more, rights: { junior: ['more'] } }]];
    const { data } = await testApp.send(checkDraft, { id: await open(author, parts) }, author);
    expect(data.problems).toEqual([]);
    const id = await published(author, ...parts);
    expect(await holders()).toEqual(['junior']);
    expect(await back(id, author)).toMatchObject({ code: '000000' });
    expect(await holders()).toEqual([]);
  });

  it('is in the draft of nobody who had a former one of its name, and of its author', async () => {
    await give('ubsShipment:list');
    await hold('viewer');
    const roles = (await testApp.send(readModule, { module: 'ubsShipment' }, author)).data.roles;
    expect(roles.find((it) => it.roleId === 'viewer')?.rights).not.toContain('more');
    const buttonsOf = async (change: DefinitionChange) => {
      const id = await open(author, [['ubsShipment', change]]);
      const headers = { token: await testApp.openToken('planner'), 'definitions-draft': String(id) };
      const url = '/api/sysBtn/queryByMenuNo.json?menuNo=ubsShipmentList';
      const reply = await testApp.app.inject({ method: 'GET', url, headers });
      return reply.json<{ data: { items: { btnNo: string }[] } }>().data.items.map((it) => it.btnNo);
    };
    expect(await buttonsOf(more)).toEqual(['more']);
    expect(await buttonsOf({ ...more, rights: { junior: ['more'] } })).toEqual([]);
    await give('ubsShipment:list', 'ubsShipment:more');
    expect(await buttonsOf({ ...more, rights: { junior: ['more'] } }), 'a right to a former one').toEqual([]);
    const id = await published(author, ['ubsShipment', more]);
    expect(await holders()).toEqual(['planner']);
    await back(id);
    expect(await holders()).toEqual([]);
  });

  it('is refused in words where he may not press what does the same', async () => {
    await give('ubsShipment:list');
    const answer = await publish(author, ['ubsShipment', { buttons: { more: { script: 'modify', label } } }]);
    expect(answer).toMatchObject({ code: '100015', said: ['buttons.more.script: callNotYours'] });
    expect(answer.msg).toContain('You may not do what the button “more” does');
  });

  it('is not called as the right to the rows of others, neither published nor looked at', async () => {
    await give('rmaReportDownload:list', 'rmaReportDownload:detail');
    const more: DefinitionChange = { buttons: { all: { script: 'detail', label, rows: 1 } } };
    expect((await publish(author, ['rmaReportDownload', more])).said).toEqual(['buttons.all.script: callNotYours']);
    const headers = {
      ...{ token: await testApp.openToken('planner') },
      'definitions-draft': String(await open(author, [['rmaReportDownload', more]])),
    };
    const url = '/api/rmaReportDownload/pager.json';
    const answer = await testApp.app.inject({ method: 'GET', url, headers });
    expect(answer.json()).toMatchObject({ code: '100015' });
  });

  it.each(['export', 'exportDirect', 'exportDirectOne', 'exportWip'])(
    'gives him no file of a list that he may not export: %s',
    async (script) => {
      await give('rmaPriceBill:list', 'ubsCity:export');
      const { said } = await publish(author, ['rmaPriceBill', { buttons: { more: { script, label } } }]);
      expect(said).toEqual(['buttons.more.script: callNotYours']);
    },
  );
});

it('option lists go to who may use a module that has them', async () => {
  const option = (value: string) => ({ value, label: words(value) });
  const kind = { type: 'select', label: words('Kind'), options: 'lentKinds' } as const;
  const id = await published(admin, [
    'lentThings',
    {
      definition: made('lentThings', { kind }),
      options: { lentKinds: [option('a')], ofNothing: [option('b')], yesNo: [option('1'), option('0')] },
      rights: { planner: ['list'] },
    },
  ]);
  const listsOf = async (as: string) => {
    const { data } = await testApp.ask<{ options: object }>('GET', '/api/userInfo.json', {}, { as });
    return Object.keys(data.options).sort();
  };
  expect(await listsOf('planner')).toEqual(['lentKinds', 'yesNo']);
  expect(await listsOf('office')).toEqual(['yesNo']);
  await back(id);
});

describe('the menu and new modules have rights of their own', () => {
  const few = ['sysModule:list', 'sysModule:configure', 'sysDraft:list', 'sysDraft:add', 'sysDraft:publish'];
  const only = async (...more: string[]) => {
    await testApp.db.deleteFrom('role_right').where('roleId', '=', 'planner').execute();
    await testApp.db
      .insertInto('role_right')
      .values([...few, ...more].map((right) => ({ roleId: 'planner', right })))
      .execute();
  };
  const toy = { definition: made('toyD', { a: text() }) };
  const hiding = (): DefinitionChange => ({
    menu: testApp.model.menu.map((it) => (it.menuNo === 'finance' ? { ...it, hidden: true } : it)),
  });
  const refused: [string, () => [string, DefinitionChange], rule: string, right: string, zh: string, en: string][] = [
    ['the menu', () => ['menu', hiding()], 'menuNotYours', 'sysModule:configureMenu', '配置菜单', 'Configure the menu'],
    ['a new module', () => ['toyD', toy], 'moduleNotYours', 'sysModule:newModule', '新建模块', 'New module'],
  ];

  it.each(refused)(
    '%s is saved, imported, checked, shown and published by them alone',
    async (_, part, rule, right, ...words) => {
      const [module, change] = part();
      const asAdmin = await open(admin, [[module, change]]);
      await only('sysDraft:importDraft', 'sysPublish:takeBack');
      const empty = await open(author, []);
      const save = () =>
        testApp.send(saveChange, { draftId: empty, module, version: 0, change: { ...change } }, author);
      const bring = () =>
        testApp.send(importDraft, { format: FORMAT, name: 'x', changes: [{ module, change: { ...change } }] }, author);
      for (const call of [save, bring]) {
        const answer = await expectNo('100015', call);
        expect(answer.data).toMatchObject({ found: [{ module, rule }] });
        for (const it of words) expect(answer.msg).toContain(it);
      }
      const { data } = await testApp.send(checkDraft, { id: asAdmin }, author);
      expect(data.problems.map((it) => it.rule)).toEqual([rule]);
      const headers = { token: await testApp.openToken('planner'), 'definitions-draft': String(asAdmin) };
      const reply = await testApp.app.inject({ method: 'GET', url: '/api/sysModule/pager.json', headers });
      expect(reply.json()).toMatchObject({ code: '100015', data: { found: [{ rule }] } });
      const { version } = (await testApp.send(readDraft, { id: asAdmin }, author)).data;
      const sent = { id: asAdmin, version, note: 'as agreed' };
      expect((await testApp.send(publishDraft, sent, author)).data).toMatchObject({
        found: [{ rule }],
      });
      await only(right, 'sysPublish:takeBack');
      expect(await save()).toMatchObject({ code: '000000' });
      const done = await publishAndWait(testApp, publishDraft, { ...sent, note: 'again' }, author);
      expect(done, done.msg).toMatchObject({ code: '000000' });
      await back(done.data.id);
    },
  );

  it('the menu is taken back by its right alone, and the entry of a new module is that one’s', async () => {
    const id = await published(admin, ['menu', hiding()]);
    await only('sysPublish:takeBack');
    const answer = await expectRefused(testApp, '100015', () => back(id, author), ['job']);
    expect(answer.data).toMatchObject({ found: [{ module: 'menu', rule: 'menuNotYours' }] });
    await only('sysPublish:takeBack', 'sysModule:configureMenu');
    expect(await back(id, author)).toMatchObject({ code: '000000' });

    await only('sysPublish:takeBack', 'sysModule:newModule');
    const { definition } = toy;
    const group = testApp.model.menu.find((it) => it.children)?.menuNo ?? '';
    const sent = { name: 'Toys', definition: { ...definition, module: 'toyE', table: 'toy_e' }, group };
    const { draftId } = (await testApp.send(createModule, sent, author)).data;
    expect((await testApp.send(checkDraft, { id: draftId }, author)).data.problems).toEqual([]);
    const { version } = (await testApp.send(readDraft, { id: draftId }, author)).data;
    const note = { note: 'as agreed' };
    const done = await publishAndWait(testApp, publishDraft, { id: draftId, version, ...note }, author);
    expect(done, done.msg).toMatchObject({ code: '000000' });
    expect(await back(done.data.id, author)).toMatchObject({ code: '000000' });
  });
});

describe('a whole module is taken back', () => {
  it('only by who published it or may list it, by itself and with all since it', async () => {
    const id = await published(admin, ['toyF', { definition: made('toyF', { a: text() }) }]);
    for (const since of [false, true]) {
      const taking = () => publishAndWait(testApp, takeBack, { id, since, note: 'by mistake' }, author);
      const answer = await expectRefused(testApp, '100015', taking, ['job']);
      expect(answer.data).toMatchObject({ found: [{ module: 'toyF', path: 'module', rule: 'ruledUnlisted' }] });
    }
    await give('toyF:list');
    expect(await back(id, author)).toMatchObject({ code: '000000' });
  });

  it('by its own publisher, and comes again by him', async () => {
    const id = await published(author, ['toyG', { definition: made('toyG', { a: text() }) }]);
    expect(await list('toyG')).toEqual([]);
    const gone = await back(id, author);
    expect(gone, gone.msg).toMatchObject({ code: '000000' });
    const again = await back(gone.data.id, author);
    expect(again, again.msg).toMatchObject({ code: '000000' });
    expect(await list('toyG')).toEqual([]);
    await back(again.data.id, author);
  });
});

describe('a new module', () => {
  it('is called by no name whose rights are the platform’s', async () => {
    const foreign = fixedRoutes
      .map((it) => it.call.right.split(':'))
      .filter(([module = '', button]) => button && !testApp.model.definitions.has(module))
      .map(([module = '']) => module);
    expect(foreign.length).toBeGreaterThan(0);
    for (const module of new Set([...foreign, ...platformNames])) {
      const answer = await publish(author, [
        module,
        { definition: made(module, { a: text() }, { table: 'a_table' }), rights: { planner: ['list'] } },
      ]);
      expect([module, answer.said]).toEqual([module, ['module: reservedName']]);
    }
  });

  it.each(['wanted', 'put', 'changed'])(
    'may have a table called as what the server calls something else: %s',
    async (table) => {
      const module = `called${table}`;
      const bring = { btnNo: 'bring', script: 'upload', label: words('Bring') };
      const times = { btnNo: 'times', script: 'uploadSignForTime', label: words('Times'), field: 'at', by: ['name'] };
      const at = { type: 'dateTime', label: words('At') } as const;
      const definition = made(module, { name: text({ unique: true }), at }, { table });
      const buttons = [...(definition.buttons ?? []), bring, times];
      const id = await published(admin, [module, { definition: { ...definition, buttons } }]);
      const send = async (script: string, rows: string[][]) =>
        sendFile(testApp, `/api/${module}/${script}.json`, [await workbook(rows)], admin);
      const rows = [['Text'], ['first']];
      expect(await send('upload', rows)).toMatchObject({ code: '000000', data: { imported: 1, problems: [] } });
      const moments = [
        ['Text', 'At'],
        ['first', '2026-11-01 10:00'],
      ];
      expect(await send('uploadSignForTime', moments)).toMatchObject({ data: { imported: 1, problems: [] } });
      await back(id);
    },
  );

  it('takes neither the table nor the name of one that was another’s, by one step or by two', async () => {
    const secret = made('formerly', { a: text() }, { table: 'former_rows' });
    const id = await published(admin, ['formerly', { definition: secret }]);
    await create('formerly', { a: 'secret' });
    await back(id);
    const give = { rights: { planner: ['list'] } };
    const own = made('formerly', { a: text() }, { table: 'other_rows' });
    expect((await publish(author, ['formerly', { definition: own, ...give }])).said).toEqual(['module: formerName']);
    const draft = await open(author, [['formerly', { definition: own, ...give }]]);
    const headers = { 'definitions-draft': String(draft) };
    const look = async (as: string) => {
      const sent = { ...headers, token: await testApp.openToken(as) };
      const reply = await testApp.app.inject({ method: 'GET', url: '/api/formerly/pager.json?lang=en', headers: sent });
      return reply.json<{ code: string; data: { found?: { rule: string }[] } }>();
    };
    expect(await look('planner')).toMatchObject({ code: '100015', data: { found: [{ rule: 'formerName' }] } });
    expect(await look('admin')).toMatchObject({ code: '000000' });
    const again = made('another', { a: text() }, { table: 'former_rows' });
    expect((await publish(author, ['another', { definition: again, ...give }])).said).toEqual([
      'table: contentsUnseen',
    ]);
  });

  it('that was taken back comes again with no right that who brings it does not have', async () => {
    const id = await published(admin, [
      'hidden',
      { definition: made('hidden', { a: text() }), rights: { planner: ['list'] } },
    ]);
    const { data } = await back(id);
    const answer = await expectRefused(testApp, '100015', () => back(data.id, author), ['job']);
    expect(answer.data).toMatchObject({ found: [{ module: 'hidden', path: 'module', rule: 'ruledUnlisted' }] });
    await give('hidden:list');
    const again = await back(data.id, author);
    expect(again, again.msg).toMatchObject({ code: '000000' });
    await back(again.data.id);
  });

  it('and gives back no right that he does not have, to a role that may no more than he', async () => {
    const right = 'rmaPriceBill:list';
    const role = { roleId: 'novice', name: 'x', nameEn: 'x', allSites: '0' };
    await testApp.db.insertInto('admin_role').values(role).execute();
    await testApp.db.insertInto('role_right').values({ roleId: 'novice', right }).execute();
    const held = async () => {
      const rows = await testApp.db.selectFrom('role_right').select('right').where('roleId', '=', 'novice').execute();
      return rows.map((it) => it.right);
    };
    const id = await published(admin, ['rmaPriceBill', { rights: { novice: [] } }]);
    expect(await held()).toEqual([]);
    await expectRefused(testApp, '100013', () => back(id, author), ['job']);
    expect(await held()).toEqual([]);
    await give(right);
    expect(await back(id, author)).toMatchObject({ code: '000000' });
    expect(await held()).toEqual([right]);
    await testApp.db.deleteFrom('role_right').where('roleId', '=', 'novice').execute();
    await testApp.db.deleteFrom('admin_role').where('roleId', '=', 'novice').execute();
  });

  it('and with no reach that he does not have', async () => {
    const { site, fields } = testApp.model.definitions.get('rmaInventory') as Definition;
    const rowsOf = { module: 'rmaInventory', when: {} };
    const definition = made(
      'hiddenUnits',
      { sn: fields['sn'] as Field, siteId: fields['siteId'] as Field },
      {
        ...{ rowsOf, site, table: 'rma_inventory', buttons: [], form: [] },
      },
    );
    const id = await published(admin, ['hiddenUnits', { definition }]);
    const { data } = await back(id);
    const answer = await expectRefused(testApp, '100015', () => back(data.id, author), ['job']);
    const { found } = answer.data as { found: object[] };
    expect(found).toContainEqual(expect.objectContaining({ path: 'rowsOf', name: 'rmaInventory', rule: 'unreadable' }));
  });
});

describe('what a column holds of a field that was taken back', () => {
  it('is no text where it was a password', async () => {
    await give('ubsShipment:list');
    const shipments = testApp.model.definitions.get('ubsShipment') as Definition;
    const form = [...(shipments.form ?? []), ['pin']];
    const pin: Field = { type: 'password', label: words('PIN') };
    const id = await published(admin, ['ubsShipment', { fields: { pin }, form }]);
    await sql`UPDATE ubs_shipment SET pin = 'hash'`.execute(testApp.db);
    await back(id);
    const change = { fields: { pin: text() }, contents: { fields: { pin: 'keep' } } } as const;
    for (const asking of [author, admin])
      expect((await publish(asking, ['ubsShipment', change])).said).toEqual(['fields.pin: notKept']);
    const emptied = { fields: { pin: 'empty' } } as const;
    await back(await published(admin, ['ubsShipment', { fields: { pin: text() }, contents: emptied }]));
  });

  it('is seen by nobody else than before', async () => {
    await give('ubsItemObject:list');
    await sql`INSERT INTO ubs_item_object (sn, type, origin) VALUES ('NB-0003', '0', '1')`.execute(testApp.db);
    const site = { through: 'rmaInventory', by: 'sn' };
    const id = await published(admin, ['ubsItemObject', { fields: { origin2: text({ site }) } }]);
    await sql`UPDATE ubs_item_object SET origin2 = 'theirs'`.execute(testApp.db);
    await back(id);
    const change = { fields: { origin2: text() }, contents: { fields: { origin2: 'keep' } } } as const;
    expect((await publish(author, ['ubsItemObject', change])).said).toEqual(['fields.origin2: notKept']);
  });
});

describe('values of other sites', () => {
  it('are in nothing that is computed of them, whatever else is in it, and circles of values stop no list', async () => {
    await give('ubsItemObject:list', 'rmaInventory:list');
    await unitAt('NB', 'NB-0001');
    const seen = { through: 'ubsItemObject', by: 'sn' };
    const theirs = { through: 'rmaInventory', by: 'sn' };
    const id = await published(author, [
      'spied',
      {
        definition: made('spied', {
          sn: text({ unique: true }),
          mine: text({ site: { through: 'spied', by: 'sn' } }),
          open: text({ site: seen }),
          secret: text({ site: theirs }),
          both: { type: 'String', label: words('Both'), readOnly: true, computed: 'ifEmpty(open, "") + secret' },
        }),
        rights: { planner: all },
      },
    ]);
    await create('spied', { sn: 'NB-0001', secret: 'CANARY' });
    expect(await list('spied')).toMatchObject([{ sn: 'NB-0001', secret: null, both: null }]);
    expect(await list('spied', admin)).toMatchObject([{ secret: 'CANARY', both: 'CANARY' }]);
    await back(id);
  });

  it('stay what they are in the preview of a list that would compute them, which is refused', async () => {
    await give('ubsItemObject:list', 'rmaInventory:list', 'rmaMaintainBill:list');
    await unitAt('NB', 'NB-SPY');
    const object = { sn: 'NB-SPY', type: '0', origin: '1', itemName: 'plain', customer: 'CANARY', createBy: 'test' };
    await testApp.db.insertInto('ubs_item_object').values(object).execute();
    const fields = {
      sn: text(),
      itemName: text({ computed: 'customer + "<"', readOnly: true, maxLength: undefined }),
      customer: text(),
    };
    const base = testApp.model.definitions.get('ubsItemObject') as Definition;
    const parts = { table: base.table, site: base.site, form: [], buttons: [] };
    const listed = { ...parts, rowsOf: { module: 'ubsItemObject', when: {} }, search: ['sn'] };
    const change = { definition: made('spyRows', fields, listed), rights: { planner: ['list'] } };
    const id = await open(author, [['spyRows', change]]);
    const headers = { token: await testApp.openToken('planner'), 'definitions-draft': String(id) };
    for (const module of ['ubsItemObject', 'spyRows']) {
      const reply = await testApp.app.inject({ method: 'GET', url: `/api/${module}/pager.json?sn=NB-SPY`, headers });
      const { items } = reply.json<{ data: { items: object[] } }>().data;
      expect([module, items]).toMatchObject([module, [{ itemName: 'plain', customer: null }]]);
    }
    const said = 'fields.itemName.computed: computedInList';
    const { problems } = (await testApp.send(checkDraft, { id }, author)).data;
    expect(problems.map((it) => `${it.path}: ${it.rule}`)).toEqual([said]);
    expect((await publish(author, ['spyRows', change])).said).toEqual([said]);
    const twice = { ...change.definition, fields: { sn: text(), customer: text() }, list: { columns: ['sn'] } };
    const once = await published(admin, ['spyRows', { definition: twice }]);
    const again = { ...twice, module: 'spyAgain', label: words('Again'), rowsOf: { module: 'spyRows', when: {} } };
    await give('ubsItemObject:list', 'spyRows:list');
    expect((await publish(author, ['spyAgain', { definition: again }])).said).toEqual(['rowsOf: listOfList']);
    await back(once);
  });

  it('are told neither by rows that break a rule nor by values that rows share', async () => {
    await unitAt('NB', 'NB-0002', 'topsecret');
    const mask = { fields: { itemName: { pattern: { mask: 'x*', example: 'x1' } } } };
    const brokenFor = async (asking: { as: string }) => {
      const id = await open(asking, [['rmaInventory', mask]]);
      return (await testApp.send(checkDraft, { id }, asking)).data.broken.map((it) => it.count);
    };
    expect(await brokenFor(author)).toEqual([]);
    await give('rmaInventory:list');
    expect(await brokenFor(author)).toEqual([]);
    expect(await brokenFor(admin)).toEqual([1]);

    const site = { through: 'rmaInventory', by: 'sn' };
    const fields = { sn: text(), u: text(), v: text({ site }), siteId: text() };
    const id = await published(admin, [
      'noted',
      { definition: made('noted', fields, { site: ['siteId'] }), rights: { planner: ['list'] } },
    ]);
    const row = { sn: 'NB-0002', u: 'CANARY', v: 'CANARY', siteId: 'NB' };
    await create('noted', row);
    await create('noted', row);
    const rulesOf = async (name: string) => {
      const draft = await open(author, [['noted', { fields: { [name]: { unique: true } } }]]);
      const { problems } = (await testApp.send(checkDraft, { id: draft }, author)).data;
      return problems.map((it) => `${it.rule} ${it.name}`);
    };
    expect(await rulesOf('u')).toEqual(['keyBlind u']);
    expect(await rulesOf('v')).toEqual(['uniqueOfSites v']);
    await back(id);
  });

  it('are no key, and neither they nor rows are seen through what rows may share, published or taken back', async () => {
    const site = { through: 'rmaInventory', by: 'salesCode' };
    const keyed = made('keyed', {
      ...{ sn: text(), salesCode: text() },
      v: text({ unique: true, site: { through: 'rmaInventory', by: 'sn' } }),
      w: text({ site }),
    });
    expect((await publish(admin, ['keyed', { definition: keyed }])).said).toEqual([
      'fields.w.site: throughShared',
      'fields.v.unique: uniqueOfSites',
    ]);

    const above = made('above', { code: text(), siteId: text() }, { site: ['siteId'], indexes: [['code']] });
    const below = made('below', { code: text() }, { site: { through: 'above', by: 'code' } });
    const both: Parts = [
      ['above', { definition: above }],
      ['below', { definition: below }],
    ];
    expect((await publish(admin, ...both)).said).toEqual(['site: throughShared']);
    const draft = await open(admin, both);
    expect((await testApp.send(checkDraft, { id: draft }, admin)).data.problems).toMatchObject([
      { rule: 'throughShared', path: 'site', name: 'code' },
    ]);

    const one = await published(admin, ['above', { definition: above }]);
    const two = await published(admin, ['above', { fields: { code: { unique: true } } }]);
    const three = await published(admin, ['below', { definition: below }]);
    const loosened = await publish(admin, ['above', { fields: { code: { unique: null } } }]);
    expect(loosened.said).toEqual(['fields.code.unique: throughShared']);
    await expectRefused(testApp, '100015', () => back(two), ['job']);
    for (const id of [three, two, one]) expect(await back(id)).toMatchObject({ code: '000000' });
  });

  it('and keys over all sites are told of, and may be meant', async () => {
    const of = (site: Definition['site']) => made('coded', { code: text({ unique: true }), siteId: text() }, { site });
    const told = async (site: Definition['site']) => {
      const id = await open(admin, [['coded', { definition: of(site) }]]);
      const { problems, warnings } = (await testApp.send(checkDraft, { id }, admin)).data;
      expect(problems).toEqual([]);
      return warnings.flatMap((it) => (it.rule === 'uniqueOverSites' ? `${it.path} ${it.name}` : []));
    };
    expect(await told(['siteId'])).toEqual(['fields.code.unique code']);
    expect(await told('all')).toEqual([]);
    await back(await published(admin, ['coded', { definition: of(['siteId']) }]));
  });
});

it('a password stands in no column; where one did before, it names no row of a bulk run and gives no order', async () => {
  const user = testApp.model.definitions.get('adminUser') as Definition;
  const columns = ['password', ...(user.list?.columns ?? [])];
  const many = { script: 'bulk', label: words('Many'), rows: 'many' } as const;
  const dropMany = { script: 'deleteAll', label: words('Delete'), rows: 'many' } as const;
  const refused = await publish(admin, ['adminUser', { list: { columns }, buttons: { many, dropMany } }]);
  expect(refused.said).toEqual(['list.columns: secretField']);

  const { current } = testApp.holder;
  const before = [...(user.buttons ?? []), { btnNo: 'many', ...many }, { btnNo: 'dropMany', ...dropMany }];
  const open = { ...user, list: { ...user.list, columns }, buttons: before };
  testApp.holder.current = { ...current, definitions: new Map(current.definitions).set('adminUser', open) };
  try {
    const { id: tech } = await testApp.db
      .selectFrom('admin_user')
      .select('id')
      .where('userId', '=', 'tech')
      .executeTakeFirstOrThrow();
    const body = { action: 'deleteAll', ids: [tech], dryRun: true };
    const { data } = await testApp.ask<{ results: { name: string }[] }>(
      'POST',
      '/api/adminUser/bulk.json',
      body,
      admin,
    );
    expect(data.results.map((it) => it.name)).toEqual(['tech']);
    await expectNo('100015', () => testApp.ask('GET', '/api/adminUser/pager.json', { sortBy: 'password' }, admin));
  } finally {
    testApp.holder.current = current;
  }
});

it('rows of another list go with a row only by who may delete them, and as if he did', async () => {
  const owning = made(
    'owning',
    { shipId: text({ unique: true }) },
    {
      lines: [{ name: 'ships', module: 'ubsShipment', by: 'shipId', owned: true }],
    },
  );
  const id = await published(admin, ['owning', { definition: owning, rights: { planner: all } }]);
  const ships = async () =>
    (await testApp.db.selectFrom('ubs_shipment').select('shipId').where('shipId', '=', 'DHL').execute()).length;
  const row = await create('owning', { shipId: 'DHL' });
  const drop = (asking: object) => testApp.ask('POST', '/api/owning/deleteById.json', { id: row }, asking);
  await expectRefused(testApp, '100013', () => drop(author));
  expect(await ships()).toBe(1);
  expect(await drop(admin)).toMatchObject({ code: '000000' });
  expect(await ships()).toBe(0);
  const told = await testApp.db
    .selectFrom('ledger')
    .select('what')
    .where('module', '=', 'ubsShipment')
    .where('what', '=', 'deleteById')
    .execute();
  expect(told).toHaveLength(1);
  await back(id);
});

it('rows that each have the other go together', async () => {
  const pair = (module: string, other: string) =>
    made(module, { k: text({ unique: true }) }, { lines: [{ name: 'them', module: other, by: 'k', owned: true }] });
  const id = await published(
    admin,
    ['pairA', { definition: pair('pairA', 'pairB') }],
    ['pairB', { definition: pair('pairB', 'pairA') }],
  );
  const first = await create('pairA', { k: '1' });
  await create('pairB', { k: '1' });
  expect(await testApp.ask('POST', '/api/pairA/deleteById.json', { id: first }, admin)).toMatchObject({
    code: '000000',
  });
  expect([...(await list('pairA', admin)), ...(await list('pairB', admin))]).toEqual([]);
  await back(id);
});

describe('nothing published breaks a list or a form', () => {
  it('by a name in English that is no text', async () => {
    await sql`INSERT INTO ubs_model_family (family) VALUES ('F1')`.execute(testApp.db);
    await sql`UPDATE ubs_item SET family = 'F1'`.execute(testApp.db);
    await give('ubsModelFamily:list');
    const id = await published(author, [
      'ubsModelFamily',
      { fields: { familyEn: { type: 'Integer', label: words('No.') } } },
    ]);
    expect((await list('ubsItem', admin)).length).toBeGreaterThan(0);
    await back(id);
  });

  it('by a start that nobody sends', async () => {
    const day = Date.UTC(2026, 2, 5, 4);
    const id = await published(author, [
      'started',
      {
        definition: made('started', {
          a: text(),
          day: { type: 'date', label: words('Day'), default: day },
          at: { type: 'dateTime', label: words('At'), default: day },
          code: text({ upperCase: true, default: 'ab' }),
        }),
        rights: { planner: all },
      },
    ]);
    await create('started', { a: 'x' }, author);
    expect(await list('started')).toMatchObject([{ at: day, code: 'AB' }]);
    await back(id);
  });

  it('by a text that an index can’t hold', async () => {
    const definition = made('indexed', { a: { type: 'LongString', label: words('Text') } }, { indexes: [['a']] });
    const id = await published(author, ['indexed', { definition, rights: { planner: all } }]);
    // A row of an index has some 2,700 bytes, and no page holds more than 8,000.
    const long = (length: number) =>
      Array.from({ length }, (_, i) => String.fromCharCode(0x4e00 + ((i * 7919) % 20_000))).join('');
    const saveLong = (length: number) => () =>
      testApp.ask('POST', '/api/indexed/create.json', { a: long(length) }, author);
    const told = [
      await expectRefused(testApp, '100015', saveLong(1500)),
      await expectRefused(testApp, '100015', saveLong(4000)),
    ];
    expect(told.map((it) => it.data)).toMatchObject([
      { problems: [{ key: 'tooLong', field: 'a' }] },
      { problems: [{ key: 'tooLong' }] },
    ]);
    expect(await saveLong(650)()).toMatchObject({ code: '000000' });
    await back(id);
  });

  it('nor the check, by a bound that its column can’t be compared with', async () => {
    const id = await open(admin, [['ubsIssueCode', { fields: { codeId: { max: 10.5 } } }]]);
    expect(await testApp.send(checkDraft, { id }, admin)).toMatchObject({ code: '000000' });
  });
});

describe('a shipped form', () => {
  it('may leave out what has a default, which a new row then has', async () => {
    const id = await published(admin, ['adminRole', { form: [['roleId'], ['name'], ['nameEn']] }]);
    await create('adminRole', { roleId: 'stores', name: 'Stores', nameEn: 'Stores' });
    const rows = await testApp.db.selectFrom('admin_role').select('allSites').where('roleId', '=', 'stores').execute();
    expect(rows).toEqual([{ allSites: '0' }]);
    await back(id);
  });

  it('asks for what is required as soon as it has no default any more', async () => {
    const names = testApp.model.definitions.get('rmaPriceBill')?.form?.flat() ?? [];
    const form = names.filter((it) => it !== 'currency').map((it) => [it]);
    const id = await published(admin, ['rmaPriceBill', { form }]);
    const none = await publish(admin, ['rmaPriceBill', { fields: { currency: { default: null } } }]);
    expect(none.said).toEqual(['form: formNeeds']);
    await back(id);
  });

  it('starts with no role and no sites that its author chose', async () => {
    const fields = { allSites: { default: '1' }, roleIds: { default: 'admin' } };
    const said = ['fields.allSites.default: fixedPart', 'fields.roleIds.default: fixedPart'];
    expect((await publish(admin, ['adminUser', { fields }])).said.toSorted()).toEqual(said);
  });

  it('starts with what its author chose where he may list its rows', async () => {
    const change: DefinitionChange = { fields: { currency: { default: 'USD' } } };
    expect((await publish(author, ['rmaPriceBill', change])).said).toEqual(['fields.currency.default: ruledUnlisted']);
    await give('rmaPriceBill:list');
    await back(await published(author, ['rmaPriceBill', change]));
  });
});

describe('a list that its author may not see, and accounts that he may not modify', () => {
  const changes: [module: string, change: DefinitionChange, said: string, needed: string][] = [
    ['adminUser', { fields: { mobile: { maxLength: 1 } } }, 'fields.mobile.maxLength: ruledUnmodified', 'modify'],
    ['adminRole', { label: words('Ranks') }, 'label: ruledUnmodified', 'modify'],
    [
      'rmaPriceBill',
      { fields: { unitPriceWithTax: { max: 1 } } },
      'fields.unitPriceWithTax.max: ruledUnlisted',
      'list',
    ],
    ['rmaPriceBill', { one: words('Offer') }, 'one: ruledUnlisted', 'list'],
  ];

  it.each(changes)(
    'are ruled by no publish of his, nor by his taking back: %s %j',
    async (module, change, said, needed) => {
      const others = ['adminUser:list', 'adminRole:list', 'rmaPriceBill:modify'];
      await give(...others);
      const id = await open(author, [[module, change]]);
      const told = (await testApp.send(checkDraft, { id }, author)).data.problems;
      expect(told.map((it) => `${it.path}: ${it.rule}`)).toEqual([said]);
      expect((await publish(author, [module, change])).said).toEqual([said]);
      const made = await published(admin, [module, change]);
      const answer = await expectRefused(testApp, '100015', () => back(made, author), ['job']);
      expect(answer.data).toMatchObject({ found: [{ path: said.split(':')[0], rule: said.split(': ')[1] }] });
      await give(...others, `${module}:${needed}`);
      expect(await back(made, author)).toMatchObject({ code: '000000' });
      await back(await published(author, [module, change]));
    },
  );

  it('are not renamed by the options of another module', async () => {
    const values = testApp.model.options['currencies'] ?? [];
    const currencies = values.map((it, i) => ({ ...it, label: words(`Coin ${i}`) }));
    const change: DefinitionChange = { options: { currencies } };
    await give('ubsSite:list');
    const { said } = await publish(author, ['ubsSite', change]);
    expect(new Set(said)).toEqual(new Set(['options.currencies: ruledUnlisted']));
    await give('*:list');
    await back(await published(author, ['ubsSite', change]));
  });
});

describe('an account is switched off and on', () => {
  const planner = () =>
    testApp.db.selectFrom('admin_user').selectAll().where('userId', '=', 'viewer').executeTakeFirstOrThrow();
  const form = async (more: object) => {
    const { id, version, userId, userName, roleIds, siteId, allSites, mobile, email } = await planner();
    const sent = { id, version, userId, userName, roleIds, siteId, allSites, mobile, email, ...more };
    return testApp.ask('POST', '/api/adminUser/modifyById.json', sent, admin);
  };

  it('whatever is published over its other fields, and they are judged as soon as they change', async () => {
    const { fields, form: rows = [] } = testApp.model.definitions.get('adminUser') as Definition;
    const others = Object.keys(fields).filter((it) => it !== 'status' && it !== 'password');
    const rule = { requiredWhen: { status: ['0', '1'] }, minLength: 25 };
    const told = { badge: text({ required: true, unique: true }), proxy: text({ requiredWhen: { status: '0' } }) };
    const ruled = Object.fromEntries(others.map((it) => [it, fields[it]?.required ? { minLength: 30 } : rule]));
    const id = await published(admin, [
      'adminUser',
      { fields: { ...ruled, ...told }, form: [...rows, ['badge', 'proxy']] },
    ]);
    for (const status of ['0', '1']) {
      expect(await form({ status }), status).toMatchObject({ code: '000000' });
      expect((await planner()).status).toBe(status);
    }
    expect(await form({ status: '0', mobile: '1' })).toMatchObject({ code: '100015' });
    expect(await form({})).toMatchObject({ code: '100001' });
    await back(id);
  });

  it('by no publish otherwise than by its field', async () => {
    const { form: rows = [] } = testApp.model.definitions.get('adminUser') as Definition;
    const without = rows.map((row) => row.filter((it) => it !== 'status')).filter((it) => it.length > 0);
    const refused: [change: DefinitionChange, path: string][] = [
      [{ form: without }, 'form'],
      [{ fields: { status: { readOnlyWhen: { allSites: '1' } } } }, 'fields.status.readOnlyWhen'],
      [{ fields: { status: { minLength: 2 } } }, 'fields.status.minLength'],
    ];
    for (const [change, path] of refused)
      expect((await publish(admin, ['adminUser', change])).said, path).toContain(`${path}: switchKept`);
    const hidden = await publish(admin, ['adminUser', { buttons: { modify: { hidden: true } } }]);
    expect(hidden.said).toContain('buttons.modify.hidden: lockedOut');
    const narrowed = await publish(admin, ['adminUser', { buttons: { modify: { when: { allSites: ['1'] } } } }]);
    expect(narrowed.said).toContain('buttons.modify.when: lockedOut');
  });
});

describe('a second button of the same script', () => {
  const zap = { btnNo: 'zap', script: 'create', label: words('Zap') };
  const codeOf = async (call: string) => (await testApp.ask('GET', `/api/icopSupplier/${call}.json`, {}, author)).code;

  it('takes the right of the first from nobody, and is a right of its own', async () => {
    const { btnNo, ...rest } = zap;
    const change = { buttons: { [btnNo]: rest }, buttonOrder: ['zap', 'add'] };
    const id = await published(admin, ['icopSupplier', change]);
    for (const button of ['add', 'zap']) {
      await give(`icopSupplier:${button}`);
      expect([button, await codeOf('toAdd')]).toEqual([button, '000000']);
    }
    await give('icopSupplier:modify');
    expect(await codeOf('toAdd')).toBe('100013');
    await back(id);
  });
});

describe('a row through which others are seen', () => {
  it('stays, and keeps the value by which they are: whoever made another one would see what was under it', async () => {
    const code = text({ unique: true, required: true });
    const id = await published(
      admin,
      ['throughTop', { definition: made('throughTop', { code }) }],
      [
        'throughRows',
        {
          definition: made(
            'throughRows',
            { code: text(), secret: text() },
            { site: { through: 'throughTop', by: 'code' }, indexes: [['code']] },
          ),
        },
      ],
      [
        'throughValue',
        {
          definition: made(
            'throughValue',
            { code: text(), secret: text({ site: { through: 'throughTop', by: 'code' } }) },
            { indexes: [['code']] },
          ),
        },
      ],
    );
    for (const [key, under] of [
      ['K1', 'throughRows'],
      ['K2', 'throughValue'],
    ] as const) {
      const top = { id: await create('throughTop', { code: key }), version: 1 };
      const child = { id: await create(under, { code: key, secret: 'theirs' }), version: 1 };
      const ask = (module: string, script: string, row: object) =>
        testApp.ask('POST', `/api/${module}/${script}.json`, row, admin);
      expect(await ask('throughTop', 'deleteById', top)).toMatchObject({ code: '100023' });
      expect(await ask('throughTop', 'modifyById', { ...top, code: 'K3' })).toMatchObject({ code: '100023' });
      expect(await ask(under, 'deleteById', child)).toMatchObject({ code: '000000' });
      expect(await ask('throughTop', 'deleteById', top)).toMatchObject({ code: '000000' });
    }
    await back(id);
  });

  it('is told to be in use by lists that one may open, and how often to who sees all of their rows', async () => {
    const code = text({ unique: true, required: true });
    const names = { type: 'select', label: words('Of'), ref: { module: 'usedBase', value: 'code', label: 'code' } };
    const of = { of: names as Field, siteId: text() };
    const id = await published(
      admin,
      ['usedBase', { definition: made('usedBase', { code }) }],
      ['usedSecretly', { definition: made('usedSecretly', of) }],
      ['usedAtSites', { definition: made('usedAtSites', of, { site: ['siteId'] }) }],
    );
    const base = { id: await create('usedBase', { code: 'B1' }), version: 1 };
    for (const module of ['usedSecretly', 'usedAtSites']) await create(module, { of: 'B1', siteId: 'NB' });
    const say = async (asking: { as: string }, ...more: string[]) => {
      await give('usedBase:list', 'usedBase:delete', ...more);
      return (await testApp.ask('POST', '/api/usedBase/deleteById.json', base, { ...asking, lang: 'en' })).msg;
    };
    expect(await say(admin)).toContain('1 row of "usedAtSites", 1 row of "usedSecretly"');
    const hidden = await say(author);
    expect(hidden).toContain('rows that you may not see');
    expect(hidden).not.toMatch(/usedSecretly|usedAtSites|1 row/);
    expect(await say(author, 'usedAtSites:list', 'usedSecretly:list')).toMatch(
      /by rows of "usedAtSites", 1 row of "usedSecretly"/,
    );
    await back(id);
  });
});
