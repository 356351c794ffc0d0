import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DefinitionChange } from '#domain/definition/change.ts';
import type { Definition, MenuNode, Option, OptionLists } from '#domain/definition/grammar.ts';
import { reservedNames } from '#domain/definition/validateChange.ts';
import { readHealth } from '#domain/health.ts';
import { queues } from '#domain/queues.ts';
import type { Context } from '#server/context.ts';
import { prepareDatabase } from '#server/db/prepare.ts';
import { readPreview } from '#server/definitions/preview.ts';
import { registers } from '#tests/support/features.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { expectNo, expectRefused, readLedger } from '#tests/support/guard.ts';
import { publishAndWait, publishAsItIs } from '#tests/support/publishing.ts';
import { takeSnapshot } from '#tests/support/snapshot.ts';
import {
  checkDraft,
  createModule,
  exportPublished,
  FORMAT,
  importDraft,
  openDrafts,
  publishDraft,
  readDraft,
  readModule,
  readPublish,
  saveChange,
  takeBack,
} from './contract.ts';
import { copyOf } from './rules.module.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp({}, { worksJobs: true });
});
afterAll(() => testApp.close());

const admin = { as: 'admin' };
const fax = { type: 'String', label: { zh: '传真', en: 'Fax' }, maxLength: 20 } as const;
const words = (en: string) => ({ zh: en, en });

async function open(...parts: [module: string, change: DefinitionChange][]): Promise<number> {
  const answer = await testApp.ask<{ id: number }>('POST', '/api/sysDraft/create.json', { name: 'Test' }, admin);
  for (const [module, change] of parts) await save(answer.data.id, module, change);
  return answer.data.id;
}
const save = (draftId: number, module: string, change: DefinitionChange | null, version = 0, asking: object = admin) =>
  testApp.send(saveChange, { draftId, module, version, change: change as Record<string, unknown> | null }, asking);
const read = async (id: number) => (await testApp.send(readDraft, { id }, admin)).data;
const check = async (id: number) => (await testApp.send(checkDraft, { id }, admin)).data;
const publish = (id: number, note = 'as agreed', asking: object = admin) => publishAsItIs(testApp, id, note, asking);
const back = (id: number, since = false) => publishAndWait(testApp, takeBack, { id, since, note: 'by mistake' }, admin);
/** Refused by the job: it is told in the list of jobs, and nothing else is written. */
const expectFailed = (code: string, ask: Parameters<typeof expectNo>[1]) => expectRefused(testApp, code, ask, ['job']);
const labelOf = async (module: string) =>
  (await testApp.ask<{ tableName: string }>('GET', `/api/${module}/pager.json`, { lang: 'en' }, admin)).data.tableName;
const rulesOf = async (module: string, change: DefinitionChange) =>
  (await check(await open([module, change]))).problems.map((it) => `${it.path}: ${it.rule ?? it.kind}`);

const loan = (module: string): Definition =>
  copyOf(null, { module, label: words('Tool loans'), table: module.toLowerCase() }, false);

const asDraft = async (id: number, path: string, method: 'GET' | 'POST' = 'GET', as = 'admin') => {
  const reply = await testApp.app.inject({
    method,
    url: `${path}${path.includes('?') ? '&' : '?'}lang=en`,
    headers: {
      token: await testApp.openToken(as),
      'definitions-draft': String(id),
      'content-type': 'application/json',
    },
    ...(method === 'POST' && { payload: { draftId: id, module: 'ubsSite', version: 0, change: null } }),
  });
  return reply.json<{
    code: string;
    msg: string;
    data: { columns: { name: string }[]; items: Record<string, unknown>[]; fields: { name: string }[] };
  }>();
};

describe('configuring lists', () => {
  it('is not for whoever may not', async () => {
    const id = await open(['ubsSite', { fields: { fax } }]);
    const { version } = await read(id);
    for (const asking of [{}, { as: 'office' }] as const) {
      const code = 'as' in asking ? '100013' : '401';
      await expectNo(code, () => testApp.send(openDrafts, {}, asking));
      await expectNo(code, () => testApp.send(readDraft, { id }, asking));
      await expectNo(code, () => testApp.send(readModule, { module: 'ubsSite' }, asking));
      await expectNo(code, () => testApp.send(checkDraft, { id }, asking));
      await expectRefused(testApp, code, () => save(id, 'ubsSite', {}, 1, asking));
      await expectRefused(testApp, code, () => testApp.send(publishDraft, { id, version, note: 'x' }, asking));
      await expectRefused(testApp, code, () => testApp.send(takeBack, { id: 1, since: false, note: 'x' }, asking));
      await expectNo(code, () => testApp.send(readPublish, { id: 1 }, asking));
      await expectRefused(testApp, code, () =>
        testApp.send(createModule, { name: 'x', definition: {}, group: 'items' }, asking),
      );
    }
  });

  it('is refused where there is no such draft or publish', async () => {
    await expectNo('100002', () => testApp.send(readDraft, { id: 9_999 }, admin));
    await expectNo('100002', () => testApp.send(checkDraft, { id: 9_999 }, admin));
    await expectNo('100002', () => testApp.send(readPublish, { id: 9_999 }, admin));
    await expectRefused(testApp, '100002', () => save(9_999, 'ubsSite', {}));
    await expectRefused(testApp, '100002', () => back(9_999));
    await expectRefused(testApp, '100025', () =>
      testApp.send(publishDraft, { id: 9_999, version: 1, note: 'x' }, admin),
    );
  });
});

describe('a change that is none', () => {
  it.each([
    { menu: 5 },
    { menu: [{ menuNo: 'group', children: 'x' }] },
    { fields: { fax: null } },
    { options: { kinds: [[]] } },
  ])('is refused when it is saved: %j', async (change) => {
    const id = await open();
    await expectRefused(testApp, '100015', () => save(id, 'ubsSite', change as never));
  });

  it('names a list as every object has one', async () => {
    const field = { ...fax, type: 'select', options: 'isPrototypeOf', default: 'x' } as const;
    expect(await rulesOf('ubsSite', { fields: { fax: field } })).toEqual(['fields.fax.options: UnknownOptions']);
    const toString = { label: words('Fax') };
    expect(await rulesOf('ubsSite', { fields: { toString } })).toEqual(['fields.toString: newField']);
  });

  it.each(['session', 'ledger', 'definition_change', 'pg_stats', 'text', 'int4', 'box'])(
    'puts its module on the table %s of the platform',
    async (table) => {
      const id = await open(['toolShed', { definition: { ...loan('toolShed'), table } }]);
      const [problem] = (await check(id)).problems;
      expect(problem).toMatchObject({ module: 'toolShed', path: 'table', rule: 'platformTable', name: table });
      const previewed = await asDraft(id, '/api/toolShed/pager.json');
      const said = `The table “${table}” is the system’s own`;
      expect([previewed.code, previewed.msg]).toEqual(['100015', expect.stringContaining(said)]);
      const { msg } = await expectFailed('100015', () => publish(id));
      expect(msg).toContain(said);
    },
  );
});

describe('a draft', () => {
  it('is kept part by part, and is among the open ones, the last one worked on first', async () => {
    const id = await open(['ubsSite', { fields: { fax } }], ['ubsShipment', { label: words('Cargo') }]);
    expect((await read(id)).parts).toMatchObject([
      { module: 'ubsShipment', version: 1, updateBy: 'admin', change: { label: words('Cargo') } },
      { module: 'ubsSite', version: 1, change: { fields: { fax } } },
    ]);
    const { items } = (await testApp.send(openDrafts, {}, admin)).data;
    expect(items[0]).toMatchObject({ id, modules: ['ubsShipment', 'ubsSite'], createBy: 'admin' });
    await save(id, 'ubsSite', null, 1);
    expect((await read(id)).parts.map((it) => it.module)).toEqual(['ubsShipment']);
    expect((await readLedger(testApp, String(id))).map((it) => it.what)).toEqual([
      'create',
      ...['saveChange', 'saveChange', 'saveChange'],
    ]);
  });

  it('that somebody saved meanwhile is refused with what he saved, and nothing of it is lost', async () => {
    const id = await open(['ubsSite', { fields: { fax } }]);
    const theirs = { label: words('Plants') };
    expect((await save(id, 'ubsSite', theirs, 1)).data).toEqual({ version: 2 });
    const answer = await expectRefused(testApp, '100025', () => save(id, 'ubsSite', { label: words('Mine') }, 1));
    expect(answer.data).toMatchObject({ version: 2, change: theirs, updateBy: 'admin' });
    expect((await read(id)).parts[0]?.change).toEqual(theirs);
  });

  it('that is published is closed: it takes no change and is not published twice', async () => {
    const id = await open(['ubsSite', { label: words('Plants') }]);
    const { version } = await read(id);
    const published = await publish(id);
    expect(published.code).toBe('000000');
    await expectRefused(testApp, '100025', () => save(id, 'ubsSite', {}, 1));
    await expectRefused(testApp, '100025', () => testApp.send(publishDraft, { id, version, note: 'again' }, admin));
    await back(published.data.id);
  });

  it('that changed since it was looked at is not published', async () => {
    const id = await open(['ubsSite', { label: words('Plants') }]);
    const { version } = await read(id);
    await save(id, 'ubsSite', { label: words('Other') }, 1);
    await expectRefused(testApp, '100025', () => testApp.send(publishDraft, { id, version, note: 'x' }, admin));
  });

  it('that changes nothing, and one without a reason, is not published', async () => {
    const id = await open();
    await expectFailed('100001', () => publish(id));
    await save(id, 'ubsSite', { label: words('Plants') });
    await expectRefused(testApp, '100001', () => publish(id, '   '));
  });
});

describe('the check says at its place', () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`more${i}`, { ...fax }]));
  it.each<[string, string, DefinitionChange, string[]]>([
    [
      'a type changed under data',
      'ubsSite',
      { fields: { siteName: { type: 'Integer' } } },
      ['fields.siteName.type: typeFixed'],
    ],
    [
      'a shipped rule loosened',
      'ubsSite',
      { fields: { siteId: { required: null } } },
      ['fields.siteId.required: loosened'],
    ],
    ['a longer text', 'ubsSite', { fields: { siteId: { maxLength: 4000 } } }, ['fields.siteId.maxLength: loosened']],
    ['a name of the database', 'ubsSite', { fields: { xmin: fax } }, ['fields.xmin: reservedName']],
    ['a name of the calls', 'ubsSite', { fields: { pageStart: fax } }, ['fields.pageStart: reservedName']],
    ['a name of the engine', 'ubsSite', { fields: { createTime: fax } }, ['fields.createTime: reservedName']],
    [
      'what is no name',
      'ubsSite',
      { fields: { 'fax"; DROP TABLE ubs_site': fax } },
      ['fields.fax"; DROP TABLE ubs_site: badName'],
    ],
    ['500 fields', 'ubsSite', { fields: many }, ['fields: tooManyFields']],
    [
      'an index too many',
      'ubsSite',
      {
        indexes: Array.from({ length: 20 }, (_, i) => [['siteId', 'siteName', 'createTime'][i % 3] as string, `f${i}`]),
      },
      ['indexes: tooManyIndexes'],
    ],
    ['a label in one language', 'ubsSite', { label: { zh: '厂', en: ' ' } }, ['label: labelBoth']],
    [
      'a script that nobody has',
      'ubsSite',
      { buttons: { go: { script: 'fly', label: words('Go') } } },
      ['buttons.go.script: UnknownScript'],
    ],
    [
      'a script that its module does not allow',
      'rmaRepairFeeBillLine',
      { buttons: { edit: { script: 'modify', label: words('Modify') } } },
      ['buttons.edit.script: scriptKept'],
    ],
    [
      'another script of a shipped button',
      'ubsSite',
      { buttons: { add: { script: 'modify' } } },
      ['buttons.add.script: fixedPart'],
    ],
    [
      'a reference to nothing',
      'ubsSite',
      {
        fields: {
          boss: {
            type: 'select',
            label: words('Boss'),
            ref: { module: 'adminUsr', value: 'userId', label: 'userName' },
          },
        },
      },
      ['fields.boss.ref: UnknownModule'],
    ],
    [
      'a reference in a circle',
      'ubsSite',
      {
        fields: {
          twin: {
            type: 'select',
            label: words('Twin'),
            required: true,
            ref: { module: 'ubsSite', value: 'siteId', label: 'siteName' },
          },
        },
      },
      ['fields: CircularReference'],
    ],
    ['a form without what it requires', 'ubsSite', { form: [['siteName']] }, ['form: formNeeds']],
    ['a right that the module does not have', 'ubsSite', { rights: { office: ['fly'] } }, ['rights.office: noButton']],
    [
      'a list that offers nothing',
      'ubsSite',
      { options: { yesNo: [{ value: '1', label: words('Yes'), retired: true }] } },
      ['options.yesNo: noOption'],
    ],
    [
      'an option twice',
      'ubsSite',
      { options: { yesNo: ['1', '1'].map((value) => ({ value, label: words('Yes') })) } },
      ['options.yesNo: optionTwice'],
    ],
    [
      'a name that is none of a list',
      'ubsSite',
      { options: { 'a b': [{ value: '1', label: words('Yes') }] } },
      ['options.a b: badName'],
    ],
    [
      'an option in one language',
      'ubsSite',
      { options: { yesNo: [{ value: '1', label: { zh: '是', en: ' ' } }] } },
      ['options.yesNo.0.label: labelBoth'],
    ],
    [
      'a start that is no option',
      'ubsSubinventory',
      { fields: { storageType: { default: '77' } } },
      ['fields.storageType.default: BadDefault'],
    ],
    [
      'bounds with nothing between',
      'ubsSite',
      { fields: { siteName: { minLength: 90, maxLength: 10 } } },
      ['fields.siteName: BadBounds'],
    ],
    ['what is no change', 'ubsSite', { table: 'other' } as DefinitionChange, ['table: shapeUnknown']],
  ])('%s', async (_, module, change, expected) => {
    expect((await rulesOf(module, change)).slice(0, 1)).toEqual(expected);
  });

  it.each(['list', '*', 'a b', 'Add'])('a button of a new module that is called %j', async (btnNo) => {
    const made = loan('toolShed');
    const buttons = [...(made.buttons ?? []), { btnNo, script: 'create', label: words('Go') }];
    expect(await rulesOf('toolShed', { definition: { ...made, buttons } })).toEqual([`buttons.${btnNo}: badName`]);
  });

  it.each<[string, DefinitionChange['buttons']]>([
    ['rmaRepairFeeBillLine', { edit: { script: 'modify', label: words('Modify'), rows: 1 } }],
    ['rmaLogisticsCostsBillLine', { drop: { script: 'deleteById', label: words('Delete'), rows: 1 } }],
    ['rmaInventory', { edit: { script: 'modify', label: words('Modify'), rows: 1 } }],
    ['rmaTransaction', { drop: { script: 'deleteAll', label: words('Delete'), rows: 'many' } }],
    ['rmaMaintainBillLineItem', { drop: { script: 'deleteById', label: words('Delete'), rows: 1 } }],
    ['rmaSelfPickup', { uploadDocument: { field: 'selfPickupStatus' } }],
  ])('and what %s does not allow is neither previewed nor published', async (module, buttons = {}) => {
    const id = await open([module, { buttons }]);
    expect((await asDraft(id, `/api/${module}/pager.json`)).code).toBe('100015');
    const { data } = await expectFailed('100015', () => publish(id));
    const [btnNo = ''] = Object.keys(buttons);
    expect(data).toMatchObject({ found: [{ module, path: `buttons.${btnNo}.script`, rule: 'scriptKept' }] });
  });

  it('a slip in any part, which is not published either, and what may be meant as a warning', async () => {
    const slip = { fields: { fax: { ...fax, required: true } }, buttons: { add: { when: { siteId: [] } } } };
    const id = await open(['ubsSite', slip], ['sysModule', { buttons: { configure: { hidden: true } } }]);
    const { problems, warnings } = await check(id);
    expect(problems.map((it) => `${it.module} ${it.path}: ${it.rule}`)).toEqual([
      'sysModule buttons.configure.hidden: lockedOut',
      'ubsSite fields.fax.required: requiredNowhere',
      'ubsSite buttons.add.when: conditionEmpty',
    ]);
    expect(warnings).toEqual([]);
    const answer = await expectFailed('100015', () => publish(id));
    expect(answer.data).toMatchObject({ found: problems });
    const [first, second, ...others] = testApp.model.options['currencies'] as [Option, Option, ...Option[]];
    const moved = [{ ...first, label: second.label }, { ...second, label: words('Coins') }, ...others];
    const meant = await check(await open(['ubsSite', { options: { currencies: moved } }], ['ubsShipment', {}]));
    expect(meant.problems).toEqual([]);
    expect(meant.warnings.map((it) => it.rule)).toEqual(['optionSwapped', 'changesNothing']);
    const yesNo = [
      { value: '1', label: { zh: '否', en: 'No' } },
      { value: '0', label: { zh: '是', en: 'Yes' } },
    ];
    const swapped = await open(['ubsSite', { options: { yesNo } }]);
    expect((await check(swapped)).problems.map((it) => it.rule)).toEqual(['optionStateWords', 'optionStateWords']);
    await expectFailed('100015', () => publish(swapped));
  });

  it('what a draft takes out that was published since it was begun, and nothing else', async () => {
    const { current } = (await testApp.send(readModule, { module: 'ubsShipment' }, admin)).data;
    const { list, form = [], search = [] } = current as unknown as Definition;
    const columns = list?.columns ?? [];
    const withMore = (name: string): DefinitionChange => ({
      ...{ fields: { [name]: fax }, search: [...search, name], form: [...form, [name]] },
      list: { columns: [...columns, name] },
    });
    const [last = ''] = columns.slice(-1);
    const mine = await open(['ubsShipment', { ...withMore('mine'), detail: ['mine'] }]);
    const without = await open(['ubsShipment', { list: { columns: columns.filter((it) => it !== last) } }]);
    const label = await open(['ubsShipment', { label: words('Cargo') }]);
    const { data } = await publish(await open(['ubsShipment', withMore('theirs')]));
    const warned = async (id: number) => {
      const { problems, warnings } = await check(id);
      return [...problems, ...warnings].map((it) => `${it.path}: ${it.rule} ${it.name}`);
    };
    expect(await warned(mine)).toEqual(['search', 'list.columns', 'form'].map((it) => `${it}: undoesPublished theirs`));
    expect(await warned(without), 'what was there before is taken out knowingly').toEqual([
      'list.columns: undoesPublished theirs',
    ]);
    expect(await warned(label)).toEqual([]);
    const later = await open(['ubsShipment', { list: { columns } }]);
    expect(await warned(later), 'who begins later knows of it').toEqual([]);
    await back(data.id);
    expect(await warned(mine)).toEqual([]);
  });

  it('what a draft says as it was of an option or of the menu, that was published since it was begun', async () => {
    const options = (await testApp.send(readModule, { module: 'ubsShipment' }, admin)).data.options as OptionLists;
    const yesNo = options['yesNo'] ?? [];
    const [group, ...groups] = testApp.model.menu as [MenuNode, ...MenuNode[]];
    const called = (label: string, node: MenuNode) => ({ ...node, label: words(label) });
    const green = yesNo.map((it) => ({ ...it, tone: 'done' as const }));
    const renamed = yesNo.map((it) => (it.value === '1' ? { ...it, label: words('Sure') } : it));
    const later = groups.map((it, i) => (i === 0 ? called('Later', it) : it));
    const mine = await open(['ubsShipment', { options: { yesNo: green } }], ['menu', { menu: [group, ...later] }]);
    const other = await open(['ubsShipment', { label: words('Cargo') }]);
    const { data } = await publish(
      await open(['ubsSite', { options: { yesNo: renamed } }], ['menu', { menu: [called('First', group), ...groups] }]),
    );
    const warned = async (id: number) =>
      (await check(id)).warnings.map((it) => `${it.module} ${it.path}: ${it.rule} ${it.name}`);
    const expected = [`menu ${group.menuNo}: undoesPublished First`, 'ubsShipment options.yesNo: undoesPublished Sure'];
    expect((await warned(mine)).sort()).toEqual(expected);
    expect(await warned(other)).toEqual([]);
    await back(data.id);
    expect(await warned(mine)).toEqual([]);
  });

  it('rights of a role that is not there, those that its giver does not have, and nobody left who may give any', async () => {
    const rightsOf = async (module: string, rights: Record<string, string[]>, asking: object = admin) => {
      const id = await open([module, { rights }]);
      const { problems, warnings } = (await testApp.send(checkDraft, { id }, asking)).data;
      return [...problems, ...warnings].map((it) => `${it.path}: ${it.rule} ${it.name}`);
    };
    expect(await rightsOf('ubsSite', { nobody: ['list'] })).toEqual(['rights.nobody: noRole nobody']);
    expect(await rightsOf('ubsSite', { constructor: ['list'] })).toEqual(['rights.constructor: noRole constructor']);
    const held = await testApp.db.selectFrom('role_right').select('right').where('roleId', '=', 'office').execute();
    const same = held.filter((it) => it.right.startsWith('ubsSite:')).map((it) => it.right.split(':')[1] ?? '');
    expect(same).not.toEqual([]);
    expect(await rightsOf('ubsSite', { office: same })).toEqual([': changesNothing ubsSite']);
    const give = (roleId: string, ...rights: string[]) =>
      testApp.db
        .insertInto('role_right')
        .values(rights.map((right) => ({ roleId, right })))
        .execute();
    const take = (roleId: string) => testApp.db.deleteFrom('role_right').where('roleId', '=', roleId).execute();
    const planned = await testApp.db.selectFrom('role_right').selectAll().where('roleId', '=', 'planner').execute();
    await take('admin');
    await give('admin', 'adminRole:*', 'sysModule:*', 'sysDraft:*');
    await give('planner', 'sysDraft:list', 'rmaPriceBill:list');
    const apprentice = { roleId: 'apprentice', name: 'x', nameEn: 'x', allSites: '0' };
    await testApp.db.insertInto('admin_role').values(apprentice).execute();
    try {
      expect(await rightsOf('adminRole', { admin: [] })).toEqual(['rights: lastEditor adminRole:modifyRight']);
      expect(await rightsOf('sysModule', { admin: ['list'] })).toEqual([
        'rights: nobodyConfigures sysModule:configure',
      ]);
      expect(await rightsOf('rmaPriceBill', { apprentice: ['list', 'create'] }, { as: 'planner' })).toEqual([
        'rights.apprentice: notYours rmaPriceBill:create',
      ]);
      // Whoever sets the rights of roles gives no more either.
      await give('planner', 'adminRole:modifyRight');
      expect(await rightsOf('rmaPriceBill', { apprentice: ['list', 'create'] }, { as: 'planner' })).toEqual([
        'rights.apprentice: notYours rmaPriceBill:create',
      ]);
    } finally {
      for (const it of ['admin', 'planner']) await take(it);
      await testApp.db.deleteFrom('admin_role').where('roleId', '=', 'apprentice').execute();
      await give('admin', '*:*');
      await testApp.db.insertInto('role_right').values(planned).execute();
    }
  });

  it('that a draft is published already', async () => {
    const id = await open(['ubsSite', { label: words('Plants') }]);
    expect((await check(id)).problems).toEqual([]);
    const { data } = await publish(id);
    expect((await check(id)).problems.map((it) => it.rule)).toEqual(['isPublished']);
    await back(data.id);
  });

  it('and such a draft is refused as a whole, with all that is wrong, when it is published all the same', async () => {
    const id = await open(['ubsSite', { fields: { fax } }], ['ubsShipment', { search: ['nothing'] }]);
    const answer = await expectFailed('100015', () => publish(id));
    expect(answer.data).toMatchObject({
      found: [{ module: 'ubsShipment', path: 'search', kind: 'UnknownField', name: 'nothing' }],
    });
    expect((await read(id)).status).toBe('0');
  });
});

describe('the plan tells', () => {
  it('each statement with its table, what is done beside who writes, and nothing is done by asking', async () => {
    const id = await open(['ubsSite', { fields: { fax }, indexes: [['fax']] }]);
    const { statements } = await check(id);
    expect(statements.find((it) => it.sql.includes('ADD COLUMN "fax"'))).toMatchObject({
      table: 'ubs_site',
      beside: false,
    });
    expect(statements.find((it) => it.sql.startsWith('CREATE INDEX'))).toMatchObject({
      table: 'ubs_site',
      beside: true,
    });
    expect((await check(id)).statements).toEqual(statements);
  });

  it('the rows that break a tightened rule, counted, and what uses the field', async () => {
    const id = await open(['ubsSite', { fields: { siteName: { maxLength: 3 }, siteId: { label: words('Plant') } } }]);
    const { broken, uses } = await check(id);
    const long = await testApp.db.selectFrom('ubs_site').select(['id', 'siteName']).execute();
    const ids = long.filter((it) => it.siteName.length > 3).map((it) => it.id);
    expect(ids.length).toBeGreaterThan(0);
    expect(broken).toEqual([
      { module: 'ubsSite', field: 'siteName', rule: 'maxLength', count: ids.length, ids: ids.sort((a, b) => a - b) },
    ]);
    expect(uses).toContainEqual({
      ...{ module: 'ubsSite', field: 'siteId', kind: 'reference' },
      name: { zh: '用户 · 所属站点', en: 'Users · Home site' },
    });
  });

  it('where its module shows a field or asks for it, and the queue that waits by it', async () => {
    const usesOf = async (module: string, field: string) => {
      const { uses } = await check(await open([module, { fields: { [field]: { label: words('Other') } } }]));
      return uses.filter((it) => it.module === module && it.field === field).map((it) => `${it.kind} ${it.name.en}`);
    };
    expect(await usesOf('ubsSite', 'siteId')).toEqual(
      expect.arrayContaining(['search Sites', 'list Sites', 'form Sites', 'reference Users · Home site']),
    );
    expect(await usesOf('sysDraft', 'status')).toEqual(
      expect.arrayContaining(['search Drafts', 'list Drafts', 'button Rename', 'button Publish']),
    );
    for (const it of queues) {
      if ('field' in it) expect(await usesOf(it.module, it.field)).toContainEqual(expect.stringMatching(/^queue /));
    }
  });
});

describe('the rows that a condition meets', () => {
  it('are counted: those whose value the next change of another field empties, and those that lack one', async () => {
    const base = loan('tentLoan');
    const text = (en: string) => ({ type: 'String', label: words(en), maxLength: 20 }) as const;
    const fields = { ...base.fields, kind: text('Kind'), size: text('Size'), note: text('Note') };
    const definition: Definition = { ...base, fields, form: [['name', 'kind', 'size', 'note']] };
    const made = await testApp.send(createModule, { name: 'x', definition, group: 'items' }, admin);
    const first = await publish(made.data.draftId);
    const create = async (body: object) =>
      (await testApp.ask<{ id: number }>('POST', '/api/tentLoan/create.json', body, admin)).data.id;
    const ids = [
      await create({ name: 'A', kind: 'tent', size: 'big', note: 'x' }),
      await create({ name: 'B', kind: 'bag', size: 'big', note: 'x' }),
      await create({ name: 'C', size: 'small' }),
      await create({ name: 'D', kind: 'tent', note: 'x' }),
    ] as const;
    const broken = async (altered: DefinitionChange['fields']) => {
      const all = (await check(await open(['tentLoan', { fields: altered ?? {} }]))).broken;
      return all.map((it) => [it.field, it.rule, it.count, ...it.ids]);
    };
    const ofTents = { visibleWhen: { kind: 'tent' } };
    expect(await broken({ size: ofTents })).toEqual([['size', 'visibleWhen', 2, ids[1], ids[2]]]);
    // What depends on a field that is not shown is emptied with it.
    const chain = { size: ofTents, note: { visibleWhen: { size: 'big' } } };
    expect(await broken(chain)).toEqual([
      ['size', 'visibleWhen', 2, ids[1], ids[2]],
      ['note', 'visibleWhen', 2, ids[1], ids[3]],
    ]);
    expect(await broken({ note: { requiredWhen: { kind: ['', 'tent'] } } })).toEqual([
      ['note', 'requiredWhen', 1, ids[2]],
    ]);
    const second = await publish(await open(['tentLoan', { fields: { size: ofTents } }]));
    expect(await broken({ size: { label: words('Length') } })).toEqual([]);
    expect(await broken({ size: { visibleWhen: { kind: ['tent', 'bag'] } } })).toEqual([]);
    await back(second.data.id);
    await back(first.data.id);
  });
});

describe('a publish over the wire', () => {
  it('is worked by when it answers, stands in the history, and is gone when it is taken back', async () => {
    const id = await open(['ubsSite', { label: words('Plants'), fields: { fax } }]);
    const { data } = await publish(id, 'sites have a fax again');
    expect(await labelOf('ubsSite')).toBe('Plants');
    expect((await testApp.send(readPublish, { id: data.id }, admin)).data).toMatchObject({
      ...{ userId: 'admin', note: 'sites have a fax again', isInForce: true, takesBack: [] },
      parts: [{ module: 'ubsSite', change: { label: words('Plants') } }],
    });
    expect(await read(id)).toMatchObject({ status: '1' });
    const taken = await back(data.id);
    expect(await labelOf('ubsSite')).toBe('Sites');
    expect((await testApp.send(readPublish, { id: data.id }, admin)).data.isInForce).toBe(false);
    await expectFailed('100002', () => back(data.id));
    await back(taken.data.id);
    expect(await labelOf('ubsSite')).toBe('Plants');
    await back(taken.data.id + 1);
  });

  it('is told with what was there before it, whatever has been published since', async () => {
    const ids: number[] = [];
    for (const en of ['One', 'Two']) {
      const draft = await open(['ubsSite', { label: words(en), rights: { supplier: ['list'] } }]);
      const { parts } = await read(draft);
      expect(parts[0]?.before).toMatchObject({
        definition: { label: en === 'One' ? { en: 'Sites' } : words('One') },
        rights: { supplier: en === 'One' ? [] : ['list'] },
      });
      ids.push((await publish(draft)).data.id);
    }
    const labelBefore = async (id: number) => {
      const { parts } = (await testApp.send(readPublish, { id }, admin)).data;
      return parts.map((it) => (it.before.definition?.['label'] as { en: string }).en);
    };
    expect(await labelBefore(ids[0] as number)).toEqual(['Sites']);
    expect(await labelBefore(ids[1] as number)).toEqual(['One']);
    const { data } = await back(ids[0] as number, true);
    expect(await labelBefore(data.id)).toEqual(['Sites', 'One']);
    expect(await labelBefore(ids[1] as number)).toEqual(['One']);
  });

  it('is taken back with all since it', async () => {
    const ids: number[] = [];
    for (const en of ['One', 'Two', 'Three'])
      ids.push((await publish(await open(['ubsSite', { label: words(en) }]))).data.id);
    const { data } = await back(ids[1] as number, true);
    expect(await labelOf('ubsSite')).toBe('One');
    expect((await testApp.send(readPublish, { id: data.id }, admin)).data.takesBack).toEqual(ids.slice(1));
    await back(ids[0] as number);
    expect(await labelOf('ubsSite')).toBe('Sites');
  });

  it('is read by the auditor in the ledger', async () => {
    const { data } = await publish(await open(['ubsSite', { label: words('Plants') }]), 'for the auditor');
    const answer = await testApp.ask<{ items: { what: string; recordId: string }[] }>(
      'GET',
      '/api/sysLedger/pager.json',
      { module: 'definitions' },
      { as: 'auditor' },
    );
    expect(answer.data.items).toContainEqual(expect.objectContaining({ what: 'publish', recordId: String(data.id) }));
    await back(data.id);
  });
});

describe('a publish that a start could not apply', () => {
  it('is told to administrators with the reason, and taken back like any other', async () => {
    const { data } = await publish(await open(['ubsSite', { fields: { fax } }]));
    await testApp.db
      .updateTable('definition_change')
      .set({ change: JSON.stringify({ fields: { fax: { ...fax, ofANewerVersion: true } } }) })
      .where('publishId', '=', data.id)
      .execute();
    const { model, aside } = await prepareDatabase(testApp.url, registers);
    expect([model.definitions.get('ubsSite')?.fields['fax'], aside.map((it) => it.id)]).toEqual([undefined, [data.id]]);
    const told = (await testApp.send(readPublish, { id: data.id }, admin)).data;
    expect(told.isInForce).toBe(true);
    const path = 'fields.fax.ofANewerVersion';
    expect(told.trouble).toContainEqual({
      kind: 'BadShape',
      module: 'ubsSite',
      path,
      name: 'ofANewerVersion',
      rule: 'shapeUnknown',
    });
    const troubles = async () => (await testApp.send(readHealth, {}, admin)).data.troubles;
    expect(await troubles()).toContainEqual({ key: 'publishAside', args: { smart_count: 1 } });
    const history = () =>
      testApp.ask<{ items: { publishId: number; status: string }[] }>('GET', '/api/sysPublish/pager.json', {}, admin);
    const statusOf = async () => (await history()).data.items.find((it) => it.publishId === data.id)?.status;
    expect(await statusOf()).toBe('2');
    expect((await back(data.id)).code).toBe('000000');
    expect(await statusOf()).toBe('0');
    expect((await troubles()).map((it) => it.key)).not.toContain('publishAside');
  });
});

describe('a new module', () => {
  it('comes with its menu entry and its rights at once, is used by who has them, and is gone from the menu when taken back', async () => {
    const made = await testApp.send(
      createModule,
      { name: 'Loans', definition: loan('toolLoan'), group: 'items' },
      admin,
    );
    const { draftId } = made.data;
    const rights = { office: ['list', 'create'], viewer: ['list'] };
    await save(draftId, 'toolLoan', { definition: loan('toolLoan'), rights }, 1);
    expect((await check(draftId)).problems).toEqual([]);
    const { data } = await publish(draftId);

    const menuOf = async (as: string) =>
      JSON.stringify((await testApp.ask('GET', '/api/sysMenu/queryTree.json', {}, { as })).data);
    expect(await menuOf('office')).toContain('toolLoanList');
    expect(await menuOf('tech')).not.toContain('toolLoanList');
    const created = await testApp.ask('POST', '/api/toolLoan/create.json', { name: 'Multimeter' }, { as: 'office' });
    expect(created.code).toBe('000000');
    const pager = await testApp.ask<{ itemTotal: number }>('GET', '/api/toolLoan/pager.json', {}, { as: 'viewer' });
    expect(pager.data.itemTotal).toBe(1);
    await expectRefused(testApp, '100013', () =>
      testApp.ask('POST', '/api/toolLoan/create.json', { name: 'Drill' }, { as: 'viewer' }),
    );
    expect((await readLedger(testApp, 'office')).map((it) => it.what)).toContain('rightModify');

    await back(data.id);
    expect(await menuOf('admin')).not.toContain('toolLoanList');
    expect(await testApp.ask('GET', '/api/toolLoan/pager.json', {}, admin)).toMatchObject({
      status: 404,
      code: '100050',
    });
    const left = await testApp.db.selectFrom('role_right').selectAll().where('right', 'like', 'toolLoan:%').execute();
    expect(left).toEqual([]);
    // Who loses a right so is in the middle of his work: he stays signed in.
    const sessions = await testApp.db.selectFrom('session').select('userId').where('userId', '=', 'office').execute();
    expect(sessions).not.toEqual([]);
  });

  it('of a name that is taken is refused', async () => {
    await expectRefused(testApp, '100007', () =>
      testApp.send(createModule, { name: 'x', definition: loan('ubsSite'), group: 'items' }, admin),
    );
  });
});

describe('rights in a draft', () => {
  it('of a role that went since are not in the way of a taking back, and come back to none that is called so', async () => {
    const make = () =>
      testApp.db
        .insertInto('admin_role')
        .values({ roleId: 'crew', name: 'crew', nameEn: 'crew', allSites: '0' })
        .returning('id')
        .executeTakeFirstOrThrow();
    const drop = async (id: number) =>
      expect(await testApp.ask('POST', '/api/adminRole/deleteById.json', { id }, admin)).toMatchObject({
        code: '000000',
      });
    const first = await make();
    await testApp.db.insertInto('role_right').values({ roleId: 'crew', right: 'rmaPriceBill:list' }).execute();
    const given = (await publish(await open(['rmaPriceBill', { rights: { crew: ['list', 'create'] } }]))).data.id;
    await drop(first.id);
    const taken = await back(given);
    expect(taken.code).toBe('000000');
    const second = await make();
    expect((await back(taken.data.id)).code).toBe('000000');
    const rights = await testApp.db.selectFrom('role_right').select('right').where('roleId', '=', 'crew').execute();
    expect(rights).toEqual([]);
    await back(taken.data.id + 1);
    await drop(second.id);
  });

  it('that its giver does not have are refused, and so is the last administrator’s own', async () => {
    await testApp.db
      .insertInto('role_right')
      .values(
        ['sysModule:configure', 'sysDraft:publish', 'sysDraft:list'].map((right) => ({ roleId: 'planner', right })),
      )
      .execute();
    const apprentice = { roleId: 'apprentice', name: 'x', nameEn: 'x', allSites: '0' };
    await testApp.db.insertInto('admin_role').values(apprentice).execute();
    const id = await open(['rmaPriceBill', { rights: { apprentice: ['list', 'create'] } }]);
    const answer = await expectFailed('100013', () => publish(id, 'x', { as: 'planner' }));
    expect(answer.msg).toContain('rmaPriceBill:');
    await testApp.db.insertInto('role_right').values({ roleId: 'planner', right: 'adminRole:modifyRight' }).execute();
    await expectFailed('100013', () => publish(id, 'x', { as: 'planner' }));
    await testApp.db.deleteFrom('role_right').where('right', '=', 'adminRole:modifyRight').execute();
    await testApp.db.deleteFrom('admin_role').where('roleId', '=', 'apprentice').execute();
    const last = await open(['adminRole', { rights: { admin: [] } }]);
    await testApp.db
      .updateTable('role_right')
      .set({ right: 'adminRole:modifyRight' })
      .where('right', '=', '*:*')
      .execute();
    await testApp.db
      .insertInto('role_right')
      .values(['sysModule:*', 'sysDraft:*', 'sysPublish:*', 'sysLedger:*'].map((right) => ({ roleId: 'admin', right })))
      .execute();
    await expectFailed('100023', () => publish(last));
    await testApp.db.deleteFrom('role_right').where('roleId', '=', 'admin').execute();
    await testApp.db.insertInto('role_right').values({ roleId: 'admin', right: '*:*' }).execute();
  });

  it('are taken back, and come again, though a role is deleted since', async () => {
    const add = { roleId: 'shortly', name: '临时', nameEn: 'Shortly', allSites: '0' };
    expect((await testApp.ask('POST', '/api/adminRole/create.json', add, admin)).code).toBe('000000');
    const rightsOf = async () =>
      (
        await testApp.db
          .selectFrom('role_right')
          .select('roleId')
          .where('right', '=', 'sysModule:list')
          .where('roleId', 'in', ['shortly', 'finance'])
          .orderBy('roleId')
          .execute()
      ).map((it) => it.roleId);
    expect(await rightsOf()).toEqual([]);
    const given = await publish(await open(['sysModule', { rights: { shortly: ['list'], finance: ['list'] } }]));
    expect(await rightsOf()).toEqual(['finance', 'shortly']);
    const { id } = await testApp.db
      .selectFrom('admin_role')
      .select('id')
      .where('roleId', '=', 'shortly')
      .executeTakeFirstOrThrow();
    expect((await testApp.ask('POST', '/api/adminRole/deleteById.json', { id }, admin)).code).toBe('000000');
    const taken = await back(given.data.id);
    expect([taken.code, await rightsOf()]).toEqual(['000000', []]);
    const again = await back(taken.data.id);
    expect([again.code, await rightsOf()]).toEqual(['000000', ['finance']]);
    await back(again.data.id);
  });

  it('of an unknown role are refused', async () => {
    const id = await open(['ubsSite', { rights: { nobody: ['list'] } }]);
    await expectFailed('100002', () => publish(id));
  });
});

describe('between installations', () => {
  it('what is published goes as one file into a draft, without what is there already, and leads to the same', async () => {
    const { data } = await publish(
      await open(
        ['ubsSite', { fields: { fax, siteName: { label: words('Plant') } }, form: [['siteId', 'siteName'], ['fax']] }],
        ['ubsShipment', { label: words('Cargo'), buttons: { add: { hidden: true } }, buttonOrder: ['modify'] }],
      ),
    );
    const current = async (module: string) => (await testApp.send(readModule, { module }, admin)).data.current;
    const [site, shipment] = [await current('ubsSite'), await current('ubsShipment')];
    const file = (await testApp.send(exportPublished, {}, admin)).data;
    expect(file.changes.map((it) => it.module).sort()).toEqual(['ubsShipment', 'ubsSite']);
    const send = (changes: typeof file.changes) =>
      testApp.send(importDraft, { name: 'From elsewhere', format: FORMAT, changes }, admin);
    await expectRefused(testApp, '100001', () => send(file.changes));
    await back(data.id);
    const imported = await send(file.changes);
    expect(imported.data.count).toBe(2);
    const again = await publish(imported.data.draftId);
    expect([await current('ubsSite'), await current('ubsShipment')]).toEqual([site, shipment]);
    await back(again.data.id);
  });

  it('options come with whichever module brings them, also where that one is there already', async () => {
    const option = (value: string) => ({ value, label: words(`Kind ${value}`) });
    const field = (options: string) => ({ type: 'select', label: words('Kind'), options }) as const;
    const made = loan('crate');
    const first = await publish(
      await open([
        'crate',
        {
          definition: { ...made, fields: { ...made.fields, kind: field('crateKinds') } },
          options: { crateKinds: [option('1'), option('2')] },
        },
      ]),
    );
    const more = {
      fields: { colour: field('crateColours') },
      options: { crateKinds: [option('1'), option('2'), option('3')], crateColours: [option('4')] },
    };
    const second = await publish(await open(['crate', more]));
    const file = (await testApp.send(exportPublished, {}, admin)).data;
    const lists = async () => {
      const { crateKinds, crateColours } = (await testApp.send(readModule, { module: 'crate' }, admin)).data.options;
      return [crateKinds, crateColours];
    };
    const published = await lists();
    await back(second.data.id);
    const imported = await testApp.send(importDraft, { name: 'x', format: FORMAT, changes: file.changes }, admin);
    expect((await read(imported.data.draftId)).parts.map((it) => it.change)).toEqual([more]);
    expect((await check(imported.data.draftId)).problems).toEqual([]);
    const again = await publish(imported.data.draftId);
    expect(await lists()).toEqual(published);
    // Values that are here besides are no change: none is lost by a list that does not know them.
    const fewer = [{ module: 'crate', change: { options: { crateKinds: [option('1'), option('2')] } } }];
    await expectRefused(testApp, '100001', () =>
      testApp.send(importDraft, { name: 'x', format: FORMAT, changes: fewer }, admin),
    );
    await back(again.data.id);
    await back(first.data.id);
  });

  it('a file that is none of ours is refused, and a part that fits nowhere is told by the check', async () => {
    const wrong = { name: 'x', format: 'something' as typeof FORMAT, changes: [{ module: 'ubsSite', change: {} }] };
    await expectRefused(testApp, '100015', () => testApp.send(importDraft, wrong, admin));
    const twice = ['Plants', 'Works'].map((it) => ({ module: 'ubsSite', change: { label: words(it) } }));
    const refused = await expectRefused(testApp, '100015', () =>
      testApp.send(importDraft, { name: 'x', format: FORMAT, changes: twice }, { ...admin, lang: 'en' }),
    );
    expect(refused.msg).toContain('“ubsSite” is here twice. Remove one of them.');
    const { data } = await testApp.send(
      importDraft,
      { name: 'x', format: FORMAT, changes: [{ module: 'ubsSyte', change: { label: words('Plants') } }] },
      admin,
    );
    expect((await check(data.draftId)).problems).toMatchObject([{ module: 'ubsSyte', rule: 'noModule' }]);
  });
});

describe('a preview', () => {
  it('shows the list and the form with real rows as they will be, and nobody else sees any of it', async () => {
    const id = await open([
      'ubsSite',
      { fields: { fax }, list: { columns: ['siteId', 'fax'] }, form: [['siteId', 'siteName'], ['fax']] },
    ]);
    const { data } = await asDraft(id, '/api/ubsSite/pager.json');
    expect(data.columns.map((it) => it.name)).toEqual(['siteId', 'fax']);
    expect(data.items.map((it) => it['siteId'])).toContain('SZ');
    expect(data.items.every((it) => it['fax'] === null)).toBe(true);
    expect(JSON.stringify(await asDraft(id, '/api/ubsSite/toAdd.json'))).toContain('"Fax"');
    expect(JSON.stringify((await testApp.ask('GET', '/api/ubsSite/pager.json', {}, admin)).data)).not.toContain(
      '"fax"',
    );
  });

  it('shows a module that has no table yet', async () => {
    const definition = copyOf(null, { module: 'visitor', label: words('Visitors'), table: 'visitor' }, true);
    const id = await open(['visitor', { definition }]);
    expect(await asDraft(id, '/api/visitor/pager.json')).toMatchObject({
      code: '000000',
      data: { items: [], itemTotal: 0 },
    });
    expect((await testApp.ask('GET', '/api/visitor/pager.json', {}, admin)).code).toBe('100050');
  });

  it('of a new module shows no rows of a table that is there, whosever it was', async () => {
    const made = await publish(await open(['visitor', { definition: loan('visitor') }]));
    await sql`INSERT INTO visitor (name) VALUES ('Secret guest')`.execute(testApp.db);
    await back(made.data.id);
    const id = await open(['guest', { definition: { ...loan('guest'), table: 'visitor' } }]);
    expect(await asDraft(id, '/api/guest/pager.json')).toMatchObject({ code: '000000', data: { items: [] } });
  });

  it('writes nothing, whatever is asked of it', async () => {
    const id = await open(['ubsSite', { fields: { fax } }]);
    const before = await takeSnapshot(testApp.db);
    for (const path of ['ubsSite/create', 'ubsSite/modifyById', 'sysModule/saveChange', 'ubsSite/export'])
      expect((await asDraft(id, `/api/${path}.json`, 'POST')).code, path).not.toBe('000000');
    expect((await asDraft(id, '/api/sysModule/saveChange.json', 'POST')).code).toBe('100015');
    expect(await takeSnapshot(testApp.db)).toEqual(before);
  });

  it('shows what changes with a list of its rows, in whichever order, beside every other list', async () => {
    const shed = { ...loan('toolShed'), table: 'tool_shed' };
    const rows = (of: Definition, name: string): Definition => ({
      ...of,
      ...{ module: name, label: words(name), rowsOf: { module: of.module, when: {} }, buttons: [], form: [] },
    });
    const { current } = (await testApp.send(readModule, { module: 'ubsSite' }, admin)).data;
    const { site, owner, table } = current as unknown as Definition;
    const siteRows: Definition = {
      ...{ module: 'listSites', label: words('Sites listed'), table, site, ...(owner && { owner }) },
      ...{ fields: { fax }, list: { columns: ['fax'] }, rowsOf: { module: 'ubsSite', when: {} } },
    };
    const drafts = [
      await open(['toolShed', { definition: shed }], ['aRows', { definition: rows(shed, 'aRows') }]),
      await open(['toolShed', { definition: shed }], ['zRows', { definition: rows(shed, 'zRows') }]),
      await open(['ubsSite', { fields: { fax } }], ['listSites', { definition: siteRows }]),
    ];
    const asked = [['toolShed', 'aRows'], ['toolShed', 'zRows'], ['listSites']];
    for (const [i, id] of drafts.entries())
      for (const module of [...(asked[i] ?? []), 'ubsSite', 'rmaInventory']) {
        const answer = await asDraft(id, `/api/${module}/pager.json`);
        expect([module, answer.code, answer.msg]).toEqual([module, '000000', expect.anything()]);
      }
  });

  it('has PostgreSQL’s own types, whatever an earlier version let a table be called', async () => {
    const published = testApp.model;
    const definition = { ...loan('toolShed'), table: 'text' };
    const model = { ...published, definitions: new Map([...published.definitions, ['toolShed', definition]]) };
    const changes = [{ module: 'toolShed', change: { definition } }];
    const read = await readPreview(
      { search: testApp.search } as Context,
      { model, published, changes, problems: [] },
      ({ db }) => sql<{ it: string }>`SELECT count(*)::text AS it FROM text`.execute(db),
    );
    expect(read.rows).toEqual([{ it: '0' }]);
  });

  it('finds what stands in the other schemas of the database, such as those of extensions', async () => {
    const changes = [{ module: 'toolShed', change: { definition: loan('toolShed') } }];
    const read = await testApp.search.connection().execute(async (search) => {
      await sql`BEGIN; CREATE SCHEMA "more kinds"; CREATE DOMAIN "more kinds".kind AS text; COMMIT`.execute(testApp.db);
      await sql`SELECT set_config('search_path', current_schema() || ', "more kinds"', false)`.execute(search);
      try {
        return await readPreview(
          { search } as Context,
          { model: testApp.model, published: testApp.model, changes, problems: [] },
          ({ db }) => sql<{ it: string }>`SELECT count(*)::text::kind AS it FROM ubs_site`.execute(db),
        );
      } finally {
        await sql`RESET search_path`.execute(search);
        await sql`DROP SCHEMA "more kinds" CASCADE`.execute(testApp.db);
      }
    });
    expect(read.rows).toEqual([{ it: expect.stringMatching(/^[1-9]/) }]);
  });

  it('is for who may configure lists, and of what can’t be shown it says why', async () => {
    const id = await open(['ubsSite', { search: ['nothing'] }]);
    expect((await asDraft(id, '/api/ubsSite/pager.json', 'GET', 'tech')).code).toBe('100013');
    expect((await asDraft(id, '/api/ubsSite/pager.json')).code).toBe('100015');
    expect((await asDraft(9_999, '/api/ubsSite/pager.json')).code).toBe('100002');
  });

  it('and of a change that is none, in the words of the check', async () => {
    const id = await open(['ubsSite', { search: ['nothing'] }]);
    const headers = { token: await testApp.openToken('admin'), 'definitions-draft': String(id) };
    const previewed = async (lang: string) =>
      (await testApp.app.inject({ url: `/api/ubsSite/pager.json?lang=${lang}`, headers })).json<{ msg: string }>();
    expect((await previewed('zh')).msg).toMatch(/有 1 个问题。第一个：没有字段“nothing”。$/);
    expect(await previewed('en')).toMatchObject({
      msg: expect.stringMatching(/1 problem\(s\)\. The first one: There is no field “nothing”\.$/),
      data: { found: [{ module: 'ubsSite', path: 'search', kind: 'UnknownField', name: 'nothing' }] },
    });
    const wrong = { search: 'siteId' } as unknown as DefinitionChange;
    const saved = (lang: 'zh' | 'en') => save(id, 'ubsSite', wrong, 1, { ...admin, lang });
    expect((await saved('zh')).msg).toMatch(/第一个：此处必须是一个列表。$/);
    expect((await saved('en')).msg).toMatch(/The first one: This must be a list\.$/);
  });
});

describe('names that a database or a call can’t hold', () => {
  it('are told by the check, and publish nothing that would stop a later publish or a start', async () => {
    const definition = { ...loan('longOne'), table: 'a'.repeat(70) };
    expect(await rulesOf('longOne', { definition })).toEqual(['table: tableLong']);
    const id = await open(['longOne', { definition }]);
    await expectFailed('100015', () => publish(id));
    const option = { value: 'a', label: words('A') };
    // A body that says `__proto__` is no JSON that is taken.
    const proto = { draftId: id, module: 'ubsSite', version: 0, change: { options: { ['__proto__']: [option] } } };
    expect(await testApp.send(saveChange, proto, admin)).not.toMatchObject({ code: '000000' });
    for (const list of [...reservedNames].filter((it) => it !== '__proto__'))
      expect([list, await rulesOf('ubsSite', { options: { [list]: [option] } })]).toEqual([
        list,
        expect.arrayContaining([`options.${list}: reservedName`]),
      ]);
  });
});

describe('what its author may not read', () => {
  const reads = (module: string, value: string, shown: string) => ({
    fields: {
      peek: { type: 'select', label: words('Peek'), ref: { module, value, label: shown, mayDangle: 'test' } } as const,
    },
    form: [['siteId', 'siteName'], ['peek']],
    list: { columns: ['siteId', 'peek'] },
  });
  const author = { as: 'warehouse' };
  beforeAll(async () => {
    const rights = ['sysModule:configure', 'sysDraft:list', 'sysDraft:publish', 'sysPublish:takeBack', 'ubsSite:*'];
    await testApp.db
      .insertInto('role_right')
      .values(rights.map((right) => ({ roleId: 'warehouse', right })))
      .onConflict((it) => it.doNothing())
      .execute();
  });

  it('is read by no reference of his: neither checked as fine, nor shown before, nor published', async () => {
    const id = await open(['ubsSite', reads('rmaPriceBill', 'prbId', 'unitPriceWithTax')]);
    const told = (await testApp.send(checkDraft, { id }, author)).data.problems;
    expect(told).toMatchObject([{ module: 'ubsSite', rule: 'unreadable', name: 'rmaPriceBill' }]);
    expect((await check(id)).problems).toEqual([]);
    expect((await asDraft(id, '/api/ubsSite/pager.json', 'GET', 'warehouse')).code).toBe('100015');
    expect((await asDraft(id, '/api/ubsSite/options.json?field=peek', 'GET', 'warehouse')).code).toBe('100015');
    await expectFailed('100015', () => publish(id, 'x', author));
  });

  it('is a password for everybody', async () => {
    const change = reads('adminUser', 'userId', 'password');
    const id = await open(['ubsSite', change]);
    expect((await check(id)).problems).toMatchObject([{ module: 'ubsSite', rule: 'secretField', name: 'password' }]);
    expect((await asDraft(id, '/api/ubsSite/options.json?field=peek')).code).toBe('100015');
    await expectFailed('100015', () => publish(id));
  });

  it('is counted where it is too long for an index, and named as people call it', async () => {
    const definition: Definition = {
      ...{ module: 'memo', label: words('Memos'), table: 'memo', site: 'all' },
      fields: { body: { type: 'LongString', label: words('Body') }, tag: { type: 'String', label: words('Tag') } },
      list: { columns: ['body'] },
    };
    const first = await publish(await open(['memo', { definition }]));
    await sql`INSERT INTO memo (body, tag)
      SELECT (SELECT string_agg(md5(i::text || n::text), '') FROM generate_series(1, i) AS n), 'x' FROM unnest(ARRAY[1, 60, 95, 120]) AS i`.execute(
      testApp.db,
    );
    const long = { kind: 'NotApplied', rule: 'valuesTooLong', module: 'memo', path: 'fields.body', count: 2 };
    for (const [change, name] of [
      [{ indexes: [['body']] }, 'Body'],
      [{ indexes: [['body', 'tag']] }, 'Body, Tag'],
      [{ fields: { body: { unique: true } } }, 'Body'],
    ] as [DefinitionChange, string][]) {
      const id = await open(['memo', change]);
      expect((await check(id)).problems).toEqual([{ ...long, name }]);
      await expectFailed('100015', () => publish(id));
    }
    await sql`DELETE FROM memo WHERE length(body) > 2000`.execute(testApp.db);
    const fits = await open(['memo', { indexes: [['body']] }]);
    expect((await check(fits)).problems).toEqual([]);
    await back((await publish(fits)).data.id);
    await back(first.data.id);
  });

  it('is told by no check: of a list that he may not see he may decide nothing', async () => {
    const definition: Definition = {
      ...{ module: 'salary', label: words('Salaries'), table: 'salary', site: 'all', search: [] },
      fields: { who: { type: 'String', label: words('Who'), maxLength: 40 } },
      list: { columns: ['who'] },
    };
    const first = await publish(await open(['salary', { definition }]));
    await sql`INSERT INTO salary (who) VALUES ('Ann'), ('Ann'), ('Bob'), ('Bob'), ('Bob'), ('Cy')`.execute(testApp.db);
    const id = await open(['salary', { fields: { who: { unique: true } } }]);
    const told = (await testApp.send(checkDraft, { id }, author)).data.problems;
    expect(told).toEqual([
      {
        ...{ kind: 'ForbiddenChange', rule: 'ruledUnlisted', module: 'salary' },
        ...{ path: 'fields.who.unique', name: 'Salaries' },
      },
    ]);
    expect((await check(id)).problems).toMatchObject([{ rule: 'rowsShare', name: 'Bob ×3, Ann ×2', count: 2 }]);
    const { version } = await read(id);
    const refused = await expectFailed('100015', () =>
      testApp.send(publishDraft, { id, version, note: 'x' }, { ...admin, lang: 'zh' }),
    );
    expect(refused.msg).toContain('“who”有重复的值，而该字段不允许重复');
    await sql`UPDATE salary SET who = id`.execute(testApp.db);
    expect((await check(id)).problems).toEqual([]);
    expect((await publish(id)).code).toBe('000000');
    await back(first.data.id, true);
  });

  it('is given to nobody by taking back what took it away', async () => {
    const before = await testApp.db
      .selectFrom('role_right')
      .selectAll()
      .where('roleId', '=', 'finance')
      .where('right', 'like', 'rmaPriceBill:%')
      .execute();
    expect(before).not.toEqual([]);
    const { data } = await publish(await open(['rmaPriceBill', { rights: { finance: [] } }]));
    await expectFailed('100013', () => testApp.send(takeBack, { id: data.id, since: false, note: 'x' }, author));
    expect((await back(data.id)).code).toBe('000000');
  });
});

describe('an option list', () => {
  const option = (value: string, more: object = {}) => ({ value, label: words(`Kind ${value}`), ...more });
  const base = loan('loanOfKinds');
  const kind = { type: 'select', label: words('Kind'), options: 'loanKinds', required: true } as const;
  const definition: Definition = {
    ...base,
    fields: { ...base.fields, kind },
    form: [...(base.form ?? []), ['kind']],
    list: { columns: ['name', 'kind'] },
  };
  interface Offering {
    item: { version: number };
    items: { queryName: string; options?: { value: string; tone?: string }[] }[];
  }
  const offered = (items: Offering['items']) =>
    items.find((it) => it.queryName === 'kind')?.options?.map((it) => it.value);
  const create = (name: string, value: string) =>
    testApp.ask<{ id: number }>('POST', '/api/loanOfKinds/create.json', { name, kind: value }, admin);

  it('comes with a new module, and what is retired of it stays where it stood and is offered no more', async () => {
    const options = { loanKinds: [option('a', { tone: 'waits' }), option('b')] };
    const made = await testApp.send(createModule, { name: 'x', definition, options, group: 'items' }, admin);
    expect(made.code).toBe('000000');
    const first = await publish(made.data.draftId);
    const { id } = (await create('Drill', 'a')).data;

    const retiring = { options: { loanKinds: [option('b'), option('a', { tone: 'waits', retired: true })] } };
    const second = await publish(await open(['loanOfKinds', retiring]));
    expect(second.code).toBe('000000');
    const form = (await testApp.ask<Offering>('GET', '/api/loanOfKinds/toAdd.json', {}, admin)).data;
    expect(offered(form.items)).toEqual(['b']);
    const own = (await testApp.ask<Offering>('GET', '/api/loanOfKinds/toModify.json', { id: String(id) }, admin)).data;
    expect(offered(own.items)).toEqual(['a', 'b']);
    const search = (await testApp.ask<Offering>('GET', '/api/loanOfKinds/searchItems.json', {}, admin)).data;
    expect(offered(search.items) ?? ['b', 'a']).toEqual(['b', 'a']);
    type Column = { name: string; options?: object[] };
    const list = (await testApp.ask<{ columns: Column[] }>('GET', '/api/loanOfKinds/pager.json', {}, admin)).data;
    expect(list.columns.find((it) => it.name === 'kind')?.options).toContainEqual({
      ...{ value: 'a', optionName: 'Kind a', tone: 'waits' },
    });

    const refused = await expectRefused(testApp, '100015', () => create('Saw', 'a'));
    expect(refused.msg).toContain('Kind a');
    await expectRefused(testApp, '100015', () => create('Saw', 'c'));
    const same = { id, name: 'Drill 2', kind: 'a', version: own.item.version };
    expect((await testApp.ask('POST', '/api/loanOfKinds/modifyById.json', same, admin)).code).toBe('000000');

    // A station shows values by the lists that the client has: who may use the module is told which of them are others.
    const optionsOf = async (as: string) =>
      (await testApp.ask<{ options: object }>('GET', '/api/userInfo.json', {}, { as })).data.options;
    expect(await optionsOf('admin')).toEqual({ loanKinds: retiring.options.loanKinds });
    expect(await optionsOf('tech')).toEqual({});
    await back(second.data.id);
    await back(first.data.id);
    expect(await optionsOf('admin')).toEqual({});
  });

  it('keeps a value that a later publish does not know', async () => {
    const reasons = (...values: string[]) => ({ options: { printReason: values.map((it) => option(it)) } });
    const one = await publish(await open(['ubsSite', reasons('1', '2', '3', '4', '5', '6')]));
    const two = await publish(await open(['ubsSite', reasons('2', '1', '3', '4', '5')]));
    const { options } = (await testApp.send(readModule, { module: 'ubsSite' }, admin)).data;
    const values = (options['printReason'] as { value: string }[]).map((it) => it.value);
    expect(values).toEqual(['2', '1', '3', '4', '5', '6']);
    for (const it of [two, one]) await back(it.data.id);
  });
});

describe('the menu', () => {
  it('has the entries of two modules that were made in two drafts', async () => {
    const drafts: number[] = [];
    for (const module of ['firstLoan', 'secondLoan']) {
      const made = await testApp.send(createModule, { name: 'x', definition: loan(module), group: 'items' }, admin);
      drafts.push(made.data.draftId);
    }
    const published = [];
    for (const it of drafts) published.push((await publish(it)).data.id);
    const menu = JSON.stringify((await testApp.ask('GET', '/api/sysMenu/queryTree.json', {}, admin)).data);
    expect(menu).toContain('firstLoanList');
    expect(menu).toContain('secondLoanList');
    for (const id of published.toReversed()) await back(id);
  });
});

describe('a field that was taken back', () => {
  it('leaves its column, of which whoever adds a field is told', async () => {
    const added = await publish(await open(['ubsSite', { fields: { pager: fax } }]));
    await back(added.data.id);
    const { current, columns } = (await testApp.send(readModule, { module: 'ubsSite' }, admin)).data;
    expect(Object.keys((current as Definition).fields)).not.toContain('pager');
    expect(columns).toEqual(expect.arrayContaining(['siteId', 'pager', 'createTime']));
  });
});

describe('the lines of a detail', () => {
  const bill = (module: string): Definition => {
    const base = loan(module);
    return { ...base, unique: [['name']], detail: ['name'], form: [['name']], list: { columns: ['name'] } };
  };

  it('are rows of another module, for whoever may see their list and as many as he sees there', async () => {
    const items: Definition = {
      ...loan('caseItem'),
      indexes: [['name']],
      form: [['name']],
      list: { columns: ['name'] },
    };
    const made = await testApp.send(createModule, { name: 'x', definition: bill('caseLoan'), group: 'items' }, admin);
    await save(made.data.draftId, 'caseItem', { definition: items });
    const both = await publish(made.data.draftId);
    const { modules } = (await testApp.send(readModule, { module: 'caseLoan' }, admin)).data;
    expect(modules.find((it) => it.module === 'caseItem')?.indexed).toContain('name');

    const lines = [{ name: 'caseItemList', module: 'caseItem', by: 'name' }];
    const rights = { viewer: ['list'] };
    const draft = await open(['caseLoan', { lines, rights }]);
    expect((await check(draft)).problems).toEqual([]);
    const shown = await publish(draft);
    const { id } = (await testApp.ask<{ id: number }>('POST', '/api/caseLoan/create.json', { name: 'A' }, admin)).data;
    for (const name of ['A', 'A', 'B']) await testApp.ask('POST', '/api/caseItem/create.json', { name }, admin);
    const detail = async (as: string) =>
      (await testApp.ask<Record<string, unknown[]>>('GET', '/api/caseLoan/queryById.json', { id }, { as })).data;
    expect((await detail('admin'))['caseItemList']).toHaveLength(2);
    expect(await detail('viewer')).not.toHaveProperty('caseItemList');

    // What is published of both is one change that another installation takes.
    const carried = (await testApp.send(exportPublished, {}, admin)).data.changes;
    expect(JSON.stringify(carried)).toContain('caseItemList');
    await back(shown.data.id);
    expect(await detail('admin')).not.toHaveProperty('caseItemList');
    await back(both.data.id);
  });

  it.each([
    ['a name that a field has', { name: 'siteId', module: 'ubsStore', by: 'siteId' }, ['lines.siteId: linesName']],
    ['what rows may share', { name: 'stores', module: 'ubsStore', by: 'siteName' }, ['lines.stores: linesKey']],
    ['a module that is not there', { name: 'stores', module: 'ubsStor', by: 'siteId' }, ['lines: UnknownModule']],
    ['a field that it does not have', { name: 'items', module: 'ubsItem', by: 'siteId' }, ['lines: UnknownField']],
  ])('are refused with %s', async (_, lines, problems) => {
    expect(await rulesOf('ubsSite', { lines: [lines] })).toEqual(problems);
  });

  it('are refused where their rows would all be read', async () => {
    const made = await testApp.send(createModule, { name: 'x', definition: bill('slowLoan'), group: 'items' }, admin);
    await save(made.data.draftId, 'slowItem', { definition: loan('slowItem') });
    const { version, definition } = { version: 1, definition: bill('slowLoan') };
    const lines = [{ name: 'slowItemList', module: 'slowItem', by: 'name' }];
    await save(made.data.draftId, 'slowLoan', { definition: { ...definition, lines } }, version);
    expect((await check(made.data.draftId)).problems.map((it) => it.kind)).toEqual(['UnindexedLines']);
  });
});

describe('a field of a shop floor', () => {
  it('has a unit where its values are seen, and a text that has to look like an example', async () => {
    const base = loan('bikeLoan');
    const plate = { type: 'String', label: words('Plate'), maxLength: 20 } as const;
    const load = { type: 'BigDecimal', label: words('Load'), unit: { zh: '千克', en: 'kg' } } as const;
    const depth = { type: 'BigDecimal', format: 'number', label: words('Depth') } as const;
    const deposit = { type: 'BigDecimal', label: words('Deposit') } as const;
    const fields = { ...base.fields, plate, load, depth, deposit };
    const definition: Definition = {
      ...base,
      fields,
      form: [['name', 'plate', 'load']],
      list: { columns: ['name', 'plate', 'load', 'depth', 'deposit'] },
    };
    const made = await testApp.send(createModule, { name: 'x', definition, group: 'items' }, admin);
    const first = await publish(made.data.draftId);
    const create = (text: string) =>
      testApp.ask('POST', '/api/bikeLoan/create.json', { name: 'One', plate: text, load: '12.5' }, admin);
    expect((await create('nothing much')).code).toBe('000000');

    const pattern = { mask: 'AA-9999', example: 'DN-0012' };
    const draft = await open(['bikeLoan', { fields: { plate: { pattern } } }]);
    expect((await check(draft)).broken).toMatchObject([
      { module: 'bikeLoan', field: 'plate', rule: 'pattern', count: 1 },
    ]);
    const second = await publish(draft);
    const refused = await expectRefused(testApp, '100015', () => create('DN-12'));
    expect(refused.msg).toContain('DN-0012');
    expect((await create('DN-0013')).code).toBe('000000');

    interface Seen {
      columns: { name: string; label: string; isMeasured?: boolean }[];
    }
    const list = (await testApp.ask<Seen>('GET', '/api/bikeLoan/pager.json', {}, admin)).data;
    expect(list.columns.find((it) => it.name === 'load')?.label).toBe('Load (kg)');
    const measured = list.columns.filter((it) => it.isMeasured).map((it) => it.name);
    expect(measured, 'the others are amounts of money').toEqual(['load', 'depth']);
    const zh = (await testApp.ask<Seen>('GET', '/api/bikeLoan/pager.json', {}, { as: 'admin', lang: 'zh' })).data;
    expect(zh.columns.find((it) => it.name === 'load')?.label).toBe('Load（千克）');
    await back(second.data.id);
    await back(first.data.id);
  });

  it('is computed from others: as the form shows it, in lists, details, totals and the preview of a draft', async () => {
    const base = loan('crateLoan');
    const worth = { type: 'BigDecimal', label: words('Worth'), readOnly: true, computed: 'price * qty' } as const;
    const definition: Definition = {
      ...base,
      fields: {
        ...base.fields,
        qty: { type: 'Integer', label: words('Pieces') },
        price: { type: 'BigDecimal', label: words('Price') },
      },
      form: [['name', 'qty', 'price']],
      list: { columns: ['name', 'qty', 'price'] },
    };
    const made = await testApp.send(createModule, { name: 'x', definition, group: 'items' }, admin);
    const first = await publish(made.data.draftId);
    const create = (body: object) => testApp.ask<{ id: number }>('POST', '/api/crateLoan/create.json', body, admin);
    const { id } = (await create({ name: 'One', qty: 3, price: '0.1' })).data;
    await create({ name: 'Two', qty: 3 });

    const list = { columns: ['name', 'qty', 'price', 'worth'], totals: ['worth'] };
    const draft = await open(['crateLoan', { fields: { worth }, list, form: [['name', 'qty', 'price', 'worth']] }]);
    expect((await check(draft)).statements.map((it) => it.sql)).toEqual([
      expect.stringContaining('ADD COLUMN "worth" numeric(18,6) GENERATED ALWAYS AS') as string,
      expect.stringContaining('COMMENT ON COLUMN') as string,
    ]);
    interface Page {
      items: { name: string; worth: string | null }[];
      totals: Record<string, unknown>;
    }
    const page = async () =>
      (await testApp.ask<Page>('GET', '/api/crateLoan/pager.json', { sortBy: 'id' }, admin)).data;
    const seen = [
      { name: 'One', worth: '0.300000' },
      { name: 'Two', worth: null },
    ];
    expect((await asDraft(draft, '/api/crateLoan/pager.json?sortBy=id')).data.items).toMatchObject(seen);
    const second = await publish(draft);
    expect(await page()).toMatchObject({ items: seen, totals: { worth: '0.300000' } });

    const body = { id, version: 1, name: 'One', qty: 4, price: '0.1' };
    const form = await testApp.ask<{ items: { queryName: string; computed?: object }[] }>(
      ...(['GET', '/api/crateLoan/toModify.json', { id }, admin] as const),
    );
    expect(form.data.items.find((it) => it.queryName === 'worth')).toMatchObject({
      ...{ readOnly: true, value: '0.300000', computed: { op: '*', kind: 'number' } },
    });
    const modify = (more: object) => testApp.ask('POST', '/api/crateLoan/modifyById.json', { ...body, ...more }, admin);
    await expectRefused(testApp, '100015', () => modify({ worth: '7' }));
    expect((await modify({ worth: '0.3' })).code, 'as it was read it may come back').toBe('000000');
    const detail = await testApp.ask<{ worth: string }>('GET', '/api/crateLoan/queryById.json', { id }, admin);
    expect(detail.data.worth).toBe('0.400000');

    const uses = await check(await open(['crateLoan', { fields: { qty: { label: words('Count') } } }]));
    expect(uses.uses).toContainEqual({ module: 'crateLoan', field: 'qty', kind: 'rule', name: words('Worth') });
    const third = await publish(await open(['crateLoan', { fields: { worth: { computed: 'price + qty' } } }]));
    expect((await page()).items).toMatchObject([{ worth: '4.100000' }, { worth: null }]);
    await back(third.data.id);
    expect((await page()).items[0]).toMatchObject({ worth: '0.400000' });
    await back(second.data.id);
    expect((await page()).items[0]).not.toHaveProperty('worth');
    const plain = { type: 'BigDecimal', label: words('Worth') } as const;
    const fourth = await publish(await open(['crateLoan', { fields: { worth: plain }, list }]));
    expect((await page()).items[0], 'the name is free again').toMatchObject({ worth: null });
    await back(fourth.data.id);
    await back(first.data.id);
  });

  const computed = (type: 'Integer' | 'String' | 'date', text: string, more: object = {}) =>
    ({ type, label: words('Made'), readOnly: true, computed: text, ...more }) as const;
  it.each<[string, DefinitionChange, string[]]>([
    ['does not end', { fields: { made: computed('Integer', '(id + 1') } }, ['fields.made.computed: expressionSyntax']],
    ['names nothing', { fields: { made: computed('String', 'fone') } }, ['fields.made.computed: expressionField']],
    [
      'has the wrong type',
      { fields: { made: computed('Integer', 'phone') } },
      ['fields.made.computed: expressionResult'],
    ],
    [
      'adds what can’t be added',
      { fields: { made: computed('String', 'phone + 1') } },
      ['fields.made.computed: expressionTypes'],
    ],
    ['is of a day', { fields: { made: computed('date', 'phone') } }, ['fields.made.type: computedType']],
    [
      'is entered too',
      { fields: { made: { ...computed('String', 'phone'), readOnly: false } } },
      ['fields.made.computed: computedReadOnly'],
    ],
    [
      'is required',
      { fields: { made: computed('String', 'phone', { required: true }) } },
      ['fields.made.required: computedAlone'],
    ],
    [
      'is searched',
      { fields: { made: computed('String', 'phone') }, search: ['made'] },
      ['fields.made.computed: computedElsewhere'],
    ],
    [
      'is indexed',
      { fields: { made: computed('String', 'phone') }, indexes: [['made']] },
      ['fields.made.computed: computedElsewhere'],
    ],
    [
      'takes the place of a field',
      { fields: { phone: { computed: 'siteId' } } },
      ['fields.phone.computed: computedFixed'],
    ],
  ])('is refused where what it is computed as %s', async (_, change, expected) => {
    expect(await rulesOf('ubsSite', change)).toEqual(expected);
  });

  it.each<[string, DefinitionChange, string[]]>([
    [
      'an example that does not look so',
      { fields: { phone: { pattern: { mask: '999', example: '12' } } } },
      ['fields.phone.pattern: BadPattern'],
    ],
    [
      'a unit of what is no number',
      { fields: { phone: { unit: { zh: '米', en: 'm' } } } },
      ['fields.phone.unit: BadUnit'],
    ],
  ])('is refused with %s', async (_, change, expected) => {
    expect(await rulesOf('ubsSite', change)).toEqual(expected);
  });
});
