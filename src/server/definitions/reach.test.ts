import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixedRoutes, genericActions, registers } from '#tests/support/features.ts';
import type { DefinitionChange } from '#domain/definition/change.ts';
import type { Definition, Field, Model } from '#domain/definition/grammar.ts';
import { layOver } from '#domain/definition/overlay.ts';
import { validateBlind, validateReach } from '#domain/definition/reach.ts';
import { standingFields } from '#domain/definition/standingFields.ts';
import { deedOf, FILE_DEED, writingScripts } from '#domain/definition/writes.ts';
import type { Context } from '#server/context.ts';
import { readModel } from '#server/definitions/read.ts';
import { refTarget } from '#server/engine/describe.ts';
import { ROOT } from '#server/root.ts';

const shipped = readModel(registers);
const exporting = ['export', 'exportDirect', 'exportDirectOne', 'exportWip'];
const label = { zh: '新', en: 'New' };
const withModule = (definition: Definition, model = shipped): Model => ({
  ...model,
  definitions: new Map([...model.definitions, [definition.module, definition]]),
});
const made = (more: Partial<Definition>): Definition => ({
  ...{ module: 'made', label, table: 'made', site: 'all', fields: { name: { type: 'String', label } } },
  ...more,
});
const rulesOf = (definition: Definition, author: readonly string[], before = shipped) =>
  validateReach(before, withModule(definition), [definition.module], new Set(author)).map((it) => it.rule);

/** Each way in which a definition reads rows of another module. */
function waysTo(target: Definition): Definition[] {
  const { module, table, site, owner, fields } = target;
  const [first = ''] = Object.keys(fields).filter((it) => standingFields(target).has(it));
  const ref = (parts: object) =>
    made({
      fields: {
        it: { type: 'select', label, ref: { module, value: first, label: first, mayDangle: 'test', ...parts } },
        of: { type: 'String', label },
      },
    });
  const its = Object.fromEntries(Object.entries(fields).filter(([, it]) => it.type !== 'password' && !it.ref));
  return [
    ref({}),
    ref({ within: { field: first, of: 'of' } }),
    made({ lines: [{ name: 'them', module, by: 'name', label, related: true }] as never }),
    made({ rowsOf: { module, when: {} }, table, site, fields: its, ...(owner && { owner }) }),
    made({ site: { through: module, by: 'name', as: first } }),
    made({
      fields: {
        [first]: { type: 'String', label },
        it: { type: 'String', label, site: { through: module, by: first } },
      },
    }),
  ];
}

describe('a new button called as a right that no button has', () => {
  const all = (known: Definition): Definition => ({
    ...known,
    buttons: [...(known.buttons ?? []), { btnNo: known.owner?.unless ?? '', script: 'detail', label, rows: 1 }],
  });
  const priv = made({
    owner: { field: 'name', unless: 'seeAll' },
    buttons: [{ btnNo: 'add', script: 'create', label }],
  });

  it('is added by who has that right alone: it opens the rows of others', () => {
    const owned = [...shipped.definitions.values(), priv].filter((it) => it.owner);
    expect(owned.map((it) => it.module)).toEqual(['rmaReportDownload', 'made']);
    for (const known of owned) {
      const right = `${known.module}:${known.owner?.unless ?? ''}`;
      const others = ['list', ...(known.buttons ?? []).map((it) => it.btnNo)].map((it) => `${known.module}:${it}`);
      expect([right, rulesOf(all(known), others, withModule(known))]).toEqual([right, ['callNotYours']]);
      expect([right, rulesOf(all(known), [...others, right], withModule(known))]).toEqual([right, []]);
    }
  });

  it('is no other one: each right that the code asks of a module is its list’s, a button’s or that', () => {
    const asked = new Set(
      readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
        .filter((it) => /^(server|features\/.*|domain)\/.*\.ts$/.test(it) && !/test/.test(it))
        .flatMap((it) => [...readFileSync(join(ROOT, 'src', it), 'utf8').matchAll(/['`](\w+):(\w+)['`]/g)])
        .filter(([, module = '']) => shipped.definitions.has(module))
        .map(([, module, name]) => `${module}:${name}`),
    );
    const strange = [...asked].filter((right) => {
      const [module = '', name] = right.split(':');
      const { buttons = [], owner } = shipped.definitions.get(module) as Definition;
      return name !== 'list' && name !== owner?.unless && !buttons.some((it) => it.btnNo === name);
    });
    expect(strange).toEqual([]);
    expect(asked.size).toBeGreaterThan(70);
  });
});

describe('what a change reads of other modules', () => {
  it('is no more than its author may list, in each way and of every module', () => {
    let walked = 0;
    let lists = 0;
    for (const target of shipped.definitions.values()) {
      const path = waysTo(target);
      for (const definition of path) {
        walked += 1;
        const at = `${target.module} by ${Object.keys(definition).join()}`;
        const twice = definition.rowsOf && target.rowsOf ? ['listOfList'] : [];
        lists += twice.length;
        expect([at, rulesOf(definition, ['sysModule:configure'])]).toEqual([at, ['unreadable', ...twice]]);
        expect([at, rulesOf(definition, [`${target.module}:list`])]).toEqual([at, twice]);
        expect([at, rulesOf(definition, ['*:*'])]).toEqual([at, twice]);
        // What is in force reads no more by another change of its module.
        const again = { ...definition, label: { zh: '又', en: 'Again' } };
        expect([at, rulesOf(again, [], withModule(definition))]).toEqual([at, []]);
      }
    }
    expect(walked).toBe(shipped.definitions.size * 6);
    expect(lists).toBeGreaterThan(2);
  });

  it('is never a password, whoever asks for it', () => {
    let walked = 0;
    for (const { module, fields } of shipped.definitions.values()) {
      for (const [secret] of Object.entries(fields).filter(([, it]) => it.type === 'password')) {
        const [first = ''] = Object.keys(fields);
        for (const part of ['value', 'label', 'within']) {
          walked += 1;
          const ref = { module, value: first, label: first, mayDangle: 'test' };
          const said = { ...ref, [part]: part === 'within' ? { field: secret, of: 'it' } : secret };
          const definition = made({ fields: { it: { type: 'select', label, ref: said } } });
          expect([part, rulesOf(definition, ['*:*'])]).toEqual([part, ['secretField']]);
        }
        for (const site of [
          { through: module, by: 'name', as: secret },
          { through: module, by: secret },
        ])
          expect(rulesOf(made({ site }), ['*:*'])).toEqual(['secretField']);
        const { table, site, owner } = shipped.definitions.get(module) as Definition;
        const list = {
          rowsOf: { module, when: { [secret]: ['x'] } },
          table,
          site,
          fields: {},
          ...(owner && { owner }),
        };
        expect(rulesOf(made(list), ['*:*'])).toEqual(['secretField']);
      }
    }
    expect(walked).toBeGreaterThan(2);
  });

  it('is nothing that stands nowhere, neither asked for anew nor told where it is in force', () => {
    let walked = 0;
    for (const { module, fields } of shipped.definitions.values()) {
      const target = shipped.definitions.get(module) as Definition;
      const standing = standingFields(target);
      const readable = Object.entries(fields).filter(([, it]) => it.type !== 'password');
      const [first = ''] = readable.map(([name]) => name).filter((it) => standing.has(it));
      for (const [nowhere] of readable.filter(([name]) => !standing.has(name))) {
        walked += 1;
        const ref = { module, value: first, label: first, mayDangle: 'test' };
        for (const part of [
          { value: nowhere },
          { label: nowhere },
          { within: { field: nowhere, of: 'it' } },
          { only: { field: nowhere, values: ['1'] } },
        ]) {
          const field: Field = { type: 'select', label, ref: { ...ref, ...part } };
          expect([module, part, rulesOf(made({ fields: { it: field } }), ['*:*'])]).toEqual([
            module,
            part,
            ['refNowhere'],
          ]);
          expect([module, part, refTarget(field, { model: shipped, lang: 'en' } as Context)]).toEqual([
            module,
            part,
            undefined,
          ]);
        }
      }
    }
    expect(walked).toBeGreaterThan(30);
    for (const { fields } of shipped.definitions.values())
      for (const field of Object.values(fields))
        if (field.ref) expect(refTarget(field, { model: shipped, lang: 'en' } as Context)).toBeDefined();
  });

  it('is no password, also where an earlier version has let it be published', () => {
    const ctx = { model: shipped, lang: 'en' } as Context;
    const refer = (parts: object) =>
      refTarget(
        { type: 'select', label, ref: { module: 'adminUser', value: 'userId', label: 'userName', ...parts } },
        ctx,
      );
    expect(refer({})).toBeDefined();
    for (const parts of [{ label: 'password' }, { value: 'password' }, { within: { field: 'password', of: 'it' } }])
      expect([parts, refer(parts)]).toEqual([parts, undefined]);
  });

  it('is no more of a list of its rows by a field that is added there', () => {
    let walked = 0;
    for (const known of [...shipped.definitions.values()].filter((it) => it.rowsOf)) {
      const { module = '' } = known.rowsOf ?? {};
      const its = shipped.definitions.get(module)?.fields ?? {};
      const [more] = Object.entries(its).filter(([name, it]) => !(name in known.fields) && !it.ref);
      if (!more) continue;
      walked += 1;
      const wider = { ...known, fields: { ...known.fields, [more[0]]: more[1] } };
      expect([known.module, rulesOf(wider, [`${known.module}:list`])]).toEqual([known.module, ['unreadable']]);
      expect([known.module, rulesOf(wider, [`${module}:list`])]).toEqual([known.module, []]);
    }
    expect(walked).toBeGreaterThan(0);
  });

  it('opens no call by a new button whose like its author may not press', () => {
    let walked = 0;
    const alike = [['deleteById', 'deleteAll'], ['create', 'upload'], ['uploadOne', 'uploadDocument'], exporting];
    for (const known of shipped.definitions.values()) {
      for (const { btnNo, script } of known.buttons ?? []) {
        const others = alike.find((it) => it.includes(script)) ?? [script];
        const may = (known.buttons ?? []).filter((it) => others.includes(it.script)).map((it) => it.btnNo);
        for (const other of others) {
          walked += 1;
          const wider = { ...known, buttons: [{ btnNo: 'more', script: other, label }, ...(known.buttons ?? [])] };
          const at = `${known.module} ${btnNo} ${other}`;
          expect([at, rulesOf(wider, [`${known.module}:list`])]).toEqual([at, ['callNotYours']]);
          for (const it of may) expect([at, rulesOf(wider, [`${known.module}:${it}`])]).toEqual([at, []]);
          expect([at, rulesOf({ ...wider, label }, [], withModule(wider))]).toEqual([at, []]);
        }
      }
    }
    expect(walked).toBeGreaterThan(300);
    const first = { ...made({}), buttons: [{ btnNo: 'more', script: 'create', label }] };
    expect(rulesOf(first, []), 'of a new module').toEqual([]);
    expect(rulesOf(first, [], withModule(made({}))), 'what nothing did before').toEqual([]);
  });

  it('is a file by whichever script: all that a button may name are known by what the engine does for them', () => {
    const scripts = [...registers.scripts].map((it) => it.replace(/^.*:/, ''));
    const openedBy = (script: string) => {
      const definition = made({ buttons: [{ btnNo: 'more', script, label }] });
      return genericActions.filter((it) => it.rightOf(definition, { script }) === 'made:more');
    };
    const opening = [...new Set(scripts)].flatMap((script) => openedBy(script).map((it) => [it.name, script] as const));
    for (const name of new Set(opening.map(([it]) => it))) {
      const ofIt = opening.filter(([it]) => it === name).map(([, script]) => deedOf(script));
      expect([name, new Set(ofIt).size], 'one deed').toEqual([name, 1]);
    }
    const engines = new Set(opening.map(([, it]) => it));
    expect(engines.size).toBeGreaterThan(12);
    // What the engine does for a button: it writes, or makes other calls for many rows by their own rights, or gives a file.
    const others = [...engines].filter((it) => !writingScripts.includes(it as never) && it !== 'bulk');
    expect(others.toSorted()).toEqual(exporting);
    expect(others.map(deedOf)).toEqual(exporting.map(() => FILE_DEED));
    const answered = fixedRoutes.map((it) => it.call.right.split(':'));
    const foreign = answered.filter(([module = '', button = '']) => {
      const own = button === '' || button === 'list' ? undefined : shipped.definitions.get(module);
      return own && !own.buttons?.some((it) => it.btnNo === button);
    });
    expect(foreign, 'every other call asks for a shipped button, which a new one is not').toEqual([]);
  });

  it('gives no file of a list that gives none, or of the rows of another that gives him none', () => {
    const file = (known: Definition, script: string): Definition => ({
      ...known,
      buttons: [...(known.buttons ?? []), { btnNo: 'more', script, label }],
    });
    let walked = 0;
    for (const known of shipped.definitions.values()) {
      const { module, table, site, owner, fields } = known;
      const its = (known.buttons ?? [])
        .filter((it) => exporting.includes(it.script))
        .map((it) => `${module}:${it.btnNo}`);
      for (const script of exporting) {
        walked += 1;
        const at = `${module} ${script}`;
        const list = `${module}:list`;
        expect([at, rulesOf(file(known, script), [list, `${module}:modify`])]).toEqual([at, ['callNotYours']]);
        const held = its.length > 0 ? its : ['ubsCity:export'];
        for (const it of held) expect([at, rulesOf(file(known, script), [list, it])]).toEqual([at, []]);
        if (its.length === 0 || known.viewOf || known.rowsOf) continue;
        const shown = Object.fromEntries(
          Object.entries(fields).filter(([, it]) => it.type !== 'password' && !it.ref && !it.site),
        );
        const rows = made({
          rowsOf: { module, when: {} },
          table,
          fields: shown,
          ...(site && { site }),
          ...(owner && { owner }),
        });
        expect([at, rulesOf(rows, [list])]).toEqual([at, []]);
        expect([at, rulesOf(file(rows, script), [list, 'ubsCity:list'])]).toEqual([at, ['callNotYours']]);
        expect([at, rulesOf(file(rows, script), [list], withModule(rows))]).toEqual([at, ['callNotYours']]);
        const twice = { ...rows, module: 'twice', rowsOf: { module: 'made', when: {} } };
        const both = withModule(twice, withModule(rows));
        const may = new Set(['*:list', 'ubsCity:export']);
        const taken = validateReach(both, withModule(file(twice, script), both), ['twice'], may);
        const isHis = its.includes('ubsCity:export');
        expect([at, taken.map((it) => it.rule)]).toEqual([at, isHis ? [] : ['callNotYours']]);
        for (const it of its) expect([at, rulesOf(file(rows, script), [list, it])]).toEqual([at, []]);
      }
    }
    expect(walked).toBe(shipped.definitions.size * exporting.length);
    expect(rulesOf(file(made({}), 'export'), []), 'of its own rows').toEqual([]);
  });

  it('deletes none of their rows with its own but by who may delete them', () => {
    const { shipId } = shipped.definitions.get('ubsShipment')?.fields ?? {};
    const owning = made({
      fields: { shipId: shipId as never },
      lines: [{ name: 'them', module: 'ubsShipment', by: 'shipId', owned: true, related: true }] as never,
    });
    expect(rulesOf(owning, ['ubsShipment:list'])).toEqual(['rowsStay']);
    expect(rulesOf(owning, ['ubsShipment:list', 'ubsShipment:delete'])).toEqual([]);
  });

  it('is of the same sites and owners as there, and of no view', () => {
    let walked = 0;
    for (const { module, table, site, owner, fields, rowsOf: of } of shipped.definitions.values()) {
      if (of) continue;
      const rowsOf = { module, when: {} };
      const its = Object.fromEntries(Object.entries(fields).filter(([, it]) => it.type !== 'password'));
      if (site !== 'all') {
        walked += 1;
        const wide = made({ rowsOf, table, fields: its, site: 'all', ...(owner && { owner }) });
        expect([module, rulesOf(wide, ['*:*'])]).toEqual([module, ['widerRows']]);
      }
      if (owner) expect(rulesOf(made({ rowsOf, table, fields: its, site }), ['*:*'])).toEqual(['widerRows']);
    }
    expect(walked).toBeGreaterThan(30);
    expect(rulesOf(made({ viewOf: ['admin_user'] }), ['*:*'])).toEqual(['fixedPart']);
  });
});

describe('a new reference of a field that holds values', () => {
  const ofSite = (module: string, more: Partial<Definition> = {}) =>
    made({ module, table: module, site: ['siteId'], fields: { siteId: { type: 'String', label } }, ...more });
  const ref = (module: string, more: object = {}) => ({ module, value: 'siteId', label: 'siteId', ...more });
  const said = (own: Definition, target: string, sites: 'all' | string[], more: object = {}) => {
    const before = withModule(own);
    const siteId: Field = { type: 'select', label, ref: ref(target, more) };
    const after = {
      ...before,
      definitions: new Map(before.definitions).set(own.module, { ...own, fields: { siteId } }),
    };
    const asked = { author: new Set(['*:list']), sites };
    return validateBlind(before, after, [{ module: own.module, change: { fields: { siteId } } }], asked).map(
      (it) => `${it.path}: ${it.rule ?? ''}`,
    );
  };
  const refused = ['fields.siteId.ref: refBlind'];

  it('is added by who sees all rows of both lists, as the check would tell of others', () => {
    let walked = 0;
    for (const { module, site } of shipped.definitions.values()) {
      walked += 1;
      expect([module, said(ofSite('own'), module, ['SZ'])]).toEqual([module, refused]);
      expect([module, said(ofSite('own', { site: 'all' }), module, ['SZ'])]).toEqual([
        module,
        site === 'all' && module !== 'rmaReportDownload' ? [] : refused,
      ]);
      expect([module, said(ofSite('own'), module, 'all')]).toEqual([
        module,
        module === 'rmaReportDownload' ? refused : [],
      ]);
    }
    expect(walked).toBe(shipped.definitions.size);
  });

  it('is added by who sees the values at both ends, which may be of fewer sites than their rows', () => {
    const site = { through: 'rmaInventory', by: 'sn' };
    const fields = { v: { ref: { module: 'target', value: 'code', label: 'code' } } };
    const ends = (of: Partial<Field>, to: Partial<Field>, sites: 'all' | string[]) => {
      const known = [
        made({ module: 'target', fields: { code: { type: 'String', label, unique: true, ...to } } }),
        made({ module: 'own', fields: { v: { type: 'select', label, ...of } } }),
        made({ module: 'ownList', rowsOf: { module: 'own', when: {} }, fields: { v: { type: 'select', label } } }),
      ].map((it) => [it.module, it] as const);
      const before = { ...shipped, definitions: new Map([...shipped.definitions, ...known]) };
      return ['own', 'ownList'].map((module) => {
        const laid = layOver(before.definitions.get(module), { fields });
        const after = { ...before, definitions: new Map(before.definitions).set(module, laid) };
        const by = { author: new Set(['*:list']), sites };
        const said = validateBlind(before, after, [{ module, change: { fields } }], by);
        return said.map(({ path, rule }) => `${path}: ${rule ?? ''}`).join();
      });
    };
    const told = ['fields.v.ref: refBlind', 'fields.v.ref: refBlind'];
    expect(ends({}, {}, ['SZ'])).toEqual(['', '']);
    expect(ends({ site }, {}, ['SZ'])).toEqual(told);
    expect(ends({}, { site }, ['SZ'])).toEqual(told);
    expect(ends({ site }, { site }, 'all')).toEqual(['', '']);
  });

  it('is added by everybody where nothing is looked for: the field is new, it may dangle, or it was there', () => {
    expect(said(ofSite('own'), 'rmaInventory', ['SZ'], { mayDangle: 'test' })).toEqual([]);
    expect(said(ofSite('own', { fields: {} }), 'rmaInventory', ['SZ'])).toEqual([]);
    const has: Field = { type: 'select', label, ref: ref('rmaInventory') };
    expect(said(ofSite('own', { fields: { siteId: has } }), 'rmaInventory', ['SZ'])).toEqual([]);
  });
});

describe('what comes again by taking a taking back back', () => {
  it('is looked through for what it refers to, as that may be gone meanwhile, and not for what rows share: nobody wrote it', () => {
    const code: Field = { type: 'String', label, maxLength: 50 };
    const v: Field = { ...code, ref: { module: 'target', value: 'code', label: 'code' } };
    const target = made({ module: 'target', fields: { code: { ...code, unique: true } } });
    const own = made({
      ...{ module: 'own', site: ['siteId'], fields: { siteId: code, v, w: { ...code, unique: true } } },
      unique: [['siteId', 'w']],
    });
    const { v: _v, w: _w, ...rest } = own.fields;
    const modelOf = (...more: Definition[]) => ({
      ...shipped,
      definitions: new Map([...shipped.definitions, ...more.map((it) => [it.module, it] as const)]),
    });
    const after = modelOf(target, own);
    const said = (before: typeof after, sites: 'all' | string[], change: DefinitionChange = {}) =>
      validateBlind(before, after, [{ module: 'own', change }], { author: new Set(['*:list']), sites }).map(
        (it) => `${it.path}: ${it.rule ?? ''}`,
      );
    const [whole, part] = [modelOf(target), modelOf(target, { ...own, fields: rest, unique: [] })];
    expect(said(whole, ['SZ'])).toEqual(['fields.v.ref: refBlind']);
    expect(said(part, ['SZ']), 'of what stands beside it rows are written').toEqual([
      'fields.v.ref: refBlind',
      'unique: keyBlind',
    ]);
    for (const it of [whole, part]) expect(said(it, 'all')).toEqual([]);
    expect(said(whole, ['SZ'], { definition: own }), 'made anew it holds nothing').toEqual([]);
    expect(said(part, ['SZ'], { fields: { v, w: code } })).toEqual([]);
  });
});

describe('a field of a list that no two rows may share any more', () => {
  const code: Field = { type: 'String', label, maxLength: 50 };
  const asked = (author: string[], sites: 'all' | string[]) => ({ author: new Set(author), sites });
  const said = (own: Definition, change: DefinitionChange, by: ReturnType<typeof asked>) => {
    const before = withModule(own);
    const after = { ...before, definitions: new Map(before.definitions).set(own.module, layOver(own, change)) };
    return validateBlind(before, after, [{ module: own.module, change }], by).map(
      (it) => `${it.path}: ${it.rule ?? ''}`,
    );
  };

  it('is said by who sees all of its rows, whether or not they share any', () => {
    let fields = 0;
    for (const definition of shipped.definitions.values()) {
      const { site, owner, rowsOf, viewOf } = definition;
      if (rowsOf || viewOf) continue;
      const free = Object.entries(definition.fields).filter(
        ([, it]) => !it.unique && !it.computed && it.type === 'String',
      );
      for (const [name, field] of free) {
        fields += 1;
        const change = { fields: { [name]: { ...field, unique: true } } };
        const refused = [`fields.${name}.unique: keyBlind`];
        const at = `${definition.module}.${name}`;
        const isSeen = site === 'all' && !owner;
        expect([at, said(definition, change, asked(['*:list'], ['SZ']))]).toEqual([at, isSeen ? [] : refused]);
        expect([at, said(definition, change, asked(['*:*'], 'all'))]).toEqual([at, []]);
      }
    }
    expect(fields).toBeGreaterThan(100);
  });

  it('is said by everybody of a new field, unless that keeps what was there', () => {
    const own = made({ site: ['siteId'], fields: { siteId: code } });
    const fields = { more: { ...code, unique: true } };
    const one = asked(['*:list'], ['SZ']);
    expect(said(own, { fields }, one)).toEqual([]);
    expect(said(own, { fields, contents: { fields: { more: 'empty' } } }, one)).toEqual([]);
    expect(said(own, { fields, contents: { fields: { more: 'keep' } } }, one)).toEqual([
      'fields.more.unique: keyBlind',
    ]);
    const ref = { module: 'rmaInventory', value: 'sn', label: 'sn' };
    const refers = { more: { type: 'select' as const, label, ref } };
    expect(said(own, { fields: refers, contents: { fields: { more: 'keep' } } }, one)).toEqual([
      'fields.more.ref: refBlind',
    ]);
  });

  it('of a whole module that keeps the rows of a former one is asked as well', () => {
    const anew = made({
      module: 'anew',
      site: ['siteId'],
      fields: { siteId: code, more: code },
      unique: [['siteId', 'more']],
    });
    const saidOf = (contents: DefinitionChange['contents'], sites: 'all' | string[]) => {
      const change = { definition: anew, ...(contents && { contents }) };
      return validateBlind(shipped, withModule(anew), [{ module: 'anew', change }], asked([], sites)).map(
        (it) => it.rule,
      );
    };
    expect(saidOf(undefined, ['SZ'])).toEqual([]);
    expect(saidOf({ table: 'empty' }, ['SZ'])).toEqual([]);
    expect(saidOf({ table: 'keep' }, ['SZ'])).toEqual(['keyBlind']);
    expect(saidOf({ table: 'keep' }, 'all')).toEqual([]);
  });
});
