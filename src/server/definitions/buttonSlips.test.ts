import { describe, expect, it } from 'vitest';
import en from '#i18n/en/studio.json' with { type: 'json' };
import zh from '#i18n/zh/studio.json' with { type: 'json' };
import { buttonSlips, strayButtons } from '#domain/definition/buttonSlips.ts';
import type { DefinitionChange } from '#domain/definition/change.ts';
import type { Button, Definition } from '#domain/definition/grammar.ts';
import { labelSlips } from '#domain/definition/labelSlips.ts';
import { layOver } from '#domain/definition/overlay.ts';
import { validateSlips } from '#domain/definition/slips.ts';
import { deedOf } from '#domain/definition/writes.ts';
import { reviewStep } from '#domain/review.ts';
import type { Words } from '#domain/words.ts';
import { readModel } from '#server/definitions/read.ts';
import { inputSchema } from '#server/input.ts';
import { fixedRoutes, genericActions, registers } from '#tests/support/features.ts';
import { probe } from '#tests/support/probe.ts';

const shipped = readModel(registers);
const label = { zh: '键', en: 'Button' };
type Parts = Partial<Button> & { script: string };
const withButtons = (...parts: Parts[]): Definition => ({
  ...probe,
  buttons: parts.map((it, i) => ({ btnNo: `b${i + 1}`, label, ...it })),
});
const said = (...parts: Parts[]) => buttonSlips(withButtons(...parts)).map((it) => it.join(' '));

describe('of the buttons of a module is told', () => {
  it.each<[string, Parts[], string[]]>([
    ['an upload without a field', [{ script: 'uploadOne' }], ['fillNowhere buttons.b1.field b1']],
    ['a field that is not there', [{ script: 'uploadOne', field: 'nothing' }], ['fillUnfit buttons.b1.field nothing']],
    ['a column of the engine', [{ script: 'uploadOne', field: 'createBy' }], ['fillUnfit buttons.b1.field createBy']],
    ['what every object has', [{ script: 'uploadOne', field: 'toString' }], ['fillUnfit buttons.b1.field toString']],
    ['the number of a row', [{ script: 'uploadDocument', field: 'probeId' }], ['fillUnfit buttons.b1.field probeId']],
    [
      'a workbook that finds no rows',
      [{ script: 'uploadSignForTime', field: 'seenAt' }],
      ['byNothing buttons.b1.by b1'],
    ],
    [
      'what finds none',
      [{ script: 'uploadSignForTime', field: 'day', by: ['createBy', 'count', 'secret', 'title', 'title'] }],
      [
        'fillUnfit buttons.b1.field day',
        ...['createBy', 'count', 'secret'].map((it) => `byUnfit buttons.b1.by ${it}`),
        'nameTwice buttons.b1.by title',
      ],
    ],
    [
      'what nothing reads',
      [
        { script: 'modify', field: 'note', by: ['title'] },
        { script: 'uploadOne', field: 'note', by: ['title'] },
      ],
      ['fillIdle buttons.b1.field field', 'fillIdle buttons.b1.by by', 'fillIdle buttons.b2.by by'],
    ],
    [
      'two fields by one call',
      [
        { script: 'uploadOne', field: 'note' },
        { script: 'uploadOne', field: 'remark' },
      ],
      ['fillTwice buttons.b2.field b1'],
    ],
    [
      'one field by two calls',
      [
        { script: 'uploadOne', field: 'note' },
        { script: 'uploadDocument', field: 'note' },
      ],
      ['fillTwice buttons.b2.field b1'],
    ],
    [
      'not one field for other rows, or one that is hidden',
      [
        { script: 'uploadOne', field: 'note', when: { status: '0' } },
        { script: 'uploadOne', field: 'note', when: { status: '1' } },
        { script: 'uploadDocument', field: 'note', hidden: true },
      ],
      [],
    ],
    [
      'a run of many rows by what takes one',
      [
        { script: 'create', bulk: true },
        { script: 'modify', bulk: true },
        { script: 'deleteAll', bulk: true },
      ],
      ['bulkUnfit buttons.b1.bulk b1'],
    ],
  ])('%s', (_, parts, expected) => {
    expect(said(...parts)).toEqual(expected);
    for (const it of expected.map((one) => one.split(' ')[0] ?? ''))
      expect([it, it in zh.problems, it in en.problems]).toEqual([it, true, true]);
  });

  it('nothing of any that is shipped', () => {
    const all = [...shipped.definitions.values()];
    expect(all.flatMap((it) => buttonSlips(it).map((slip) => [it.module, ...slip]))).toEqual([]);
    expect(all.flatMap((it) => it.buttons ?? []).length).toBeGreaterThan(200);
  });

  it('what a change adds, as an error, and nothing again of what is in force', () => {
    const module = 'ubsShipment';
    const known = shipped.definitions.get(module) as Definition;
    const change = { buttons: { more: { script: 'create', label, bulk: true } } };
    const after = { ...shipped, definitions: new Map([...shipped.definitions, [module, layOver(known, change)]]) };
    const { errors } = validateSlips(shipped, after, [{ module, change }]);
    expect(errors).toMatchObject([{ rule: 'bulkUnfit', path: 'buttons.more.bulk', name: 'more', where: module }]);
    expect(validateSlips(after, after, [{ module, change }]).errors).toEqual([]);
  });
});

describe('a button with a script that other modules answer', () => {
  const shared = [...registers.scripts].filter((it) => !it.includes(':'));
  const callsOf = (module: string, script: string) =>
    fixedRoutes.filter(({ call: { path } }) =>
      [`/api/${module}/${script}.json`, `/api/${module}/${script}ById.json`].includes(path),
    );
  /** What any list answers, as the engine's calls are called. */
  const anywhere = new Set([
    ...[...genericActions.map((it) => it.name), 'modify', 'detail', 'exportDirectOne'],
    ...shared.filter((it) => it.startsWith('upload')),
  ]);
  /** The one call for the changes of SNs is that of the history. */
  const isRolledBack = (module: string, script: string) => script === 'rollback' && module === 'ubsSnChangeLog';

  it('is told in every list that has no call for it, and in no other', () => {
    let stray = 0;
    for (const known of shipped.definitions.values()) {
      for (const script of shared) {
        const { module } = known;
        const isAnswered = anywhere.has(script) || callsOf(module, script).length > 0 || isRolledBack(module, script);
        const told = strayButtons({ ...known, buttons: [{ btnNo: 'more', script, label }] }, shipped.definitions);
        const expected = isAnswered ? [] : [['scriptElsewhere', 'buttons.more.script', script]];
        expect([module, script, told]).toEqual([module, script, expected]);
        stray += Number(!isAnswered);
      }
    }
    expect(stray).toBeGreaterThan(800);
  });

  it('is told in every list where it names a module, which no button does', () => {
    const named = [...registers.scripts].filter((it) => it.includes(':'));
    expect(named.length).toBeGreaterThan(50);
    for (const known of shipped.definitions.values()) {
      const buttons = named.map((script, n) => ({ btnNo: `more${n}`, script, label }));
      const told = strayButtons({ ...known, buttons }, shipped.definitions);
      expect(told).toEqual(named.map((script, n) => ['scriptElsewhere', `buttons.more${n}.script`, script]));
      expect((known.buttons ?? []).filter((it) => it.script.includes(':'))).toEqual([]);
    }
  });

  it('is in the way of a publish, and is not told again of what is in force', () => {
    const module = 'ubsCity';
    const change: DefinitionChange = { buttons: { more: { script: 'done', label } } };
    const laid = layOver(shipped.definitions.get(module), change);
    const after = { ...shipped, definitions: new Map([...shipped.definitions, [module, laid]]) };
    const told = validateSlips(shipped, after, [{ module, change }], shipped).errors;
    expect(told).toMatchObject([{ rule: 'scriptElsewhere', path: 'buttons.more.script', name: 'done', where: module }]);
    expect(validateSlips(after, after, [{ module, change }], shipped).errors).toEqual([]);
    for (const texts of [en, zh]) expect(texts.problems).toHaveProperty('scriptElsewhere');
  });
});

describe('the words of a button', () => {
  type Said = DefinitionChange['buttons'];
  const slipsOf = (module: string, buttons: Said, before = shipped) => {
    const change: DefinitionChange = { buttons };
    const laid = layOver(before.definitions.get(module), change);
    const after = { ...before, definitions: new Map([...before.definitions, [module, laid]]) };
    const { errors, warnings } = validateSlips(before, after, [{ module, change }], shipped);
    const said = [...errors.map((it) => `${it.rule} ${it.path}`), ...warnings.map((it) => `(${it.rule} ${it.path})`)];
    for (const { rule = '' } of [...errors, ...warnings])
      expect([rule, rule in en.problems, rule in zh.problems]).toEqual([rule, true, true]);
    return { said, after };
  };
  const taken = (...names: string[]) => names.map((it) => `buttonWordsTaken buttons.${it}.label`);
  const own: Words = { zh: '另外的名称', en: 'Words of its own' };

  it('are not swapped, taken or got by a new one that does something else: any two of every shipped list', () => {
    let walked = 0;
    for (const { module, buttons = [] } of shipped.definitions.values()) {
      for (const [i, one] of buttons.entries()) {
        for (const other of buttons.slice(0, i)) {
          walked += 1;
          const at = `${module} ${one.btnNo} ${other.btnNo}`;
          const swapped = slipsOf(module, { [one.btnNo]: { label: other.label }, [other.btnNo]: { label: one.label } });
          expect([at, swapped.said.toSorted()]).toEqual([at, taken(one.btnNo, other.btnNo).toSorted()]);
          const dotted = { zh: ` ${other.label.zh}。`, en: `${other.label.en.toUpperCase()}.` };
          expect([at, slipsOf(module, { [one.btnNo]: { label: dotted } }).said]).toEqual([
            at,
            expect.arrayContaining(taken(one.btnNo)),
          ]);
          // By two publishes: what it was shipped as is nobody else's meanwhile, and its own again.
          const first = slipsOf(module, { [other.btnNo]: { label: own } });
          expect([at, first.said]).toEqual([at, []]);
          const second = slipsOf(module, { [one.btnNo]: { label: other.label } }, first.after);
          expect([at, second.said]).toEqual([at, taken(one.btnNo)]);
          expect([at, slipsOf(module, { [other.btnNo]: { label: other.label } }, first.after).said]).toEqual([at, []]);
          const added = slipsOf(module, { more: { script: one.script, label: other.label } }).said;
          if (deedOf(one.script) !== deedOf(other.script))
            expect([at, added.filter((it) => it.startsWith('buttonWords'))]).toEqual([at, taken('more')]);
        }
      }
    }
    expect(walked).toBeGreaterThan(500);
  });

  it('are told of where two of the same deed read alike for the same rows, and nowhere as they are shipped', () => {
    for (const { module, buttons = [] } of shipped.definitions.values()) {
      const kept = Object.fromEntries(buttons.map((it) => [it.btnNo, { label: it.label }]));
      expect([module, slipsOf(module, kept).said.filter((it) => it.includes('button'))]).toEqual([module, []]);
    }
    const city = shipped.definitions.get('ubsCity') as Definition;
    const add = city.buttons?.find((it) => it.script === 'create') as Button;
    const more = { script: 'create', label: add.label };
    expect(slipsOf('ubsCity', { more }).said).toEqual(['(buttonAlike buttons.more.label)']);
    expect(slipsOf('ubsCity', { more: { ...more, hidden: true } }).said).toEqual([]);
    const apart = (more: Parts, other: Parts) =>
      labelSlips(withButtons(more, other)).filter(([rule]) => rule === 'buttonAlike').length;
    expect(apart({ script: 'create', when: { title: 'a' } }, { script: 'create', when: { title: ['b', 'a'] } })).toBe(
      1,
    );
    expect(apart({ script: 'create', when: { title: 'a' } }, { script: 'create', when: { title: ['b', 'c'] } })).toBe(
      0,
    );
    expect(apart({ script: 'create', when: { title: 'a' } }, { script: 'create', when: { note: 'b' } })).toBe(1);
  });
});

describe('a bulk run', () => {
  it('can be begun in every shipped list that has a button for it', () => {
    const modules = [...shipped.definitions.values()].filter((it) => it.buttons?.some(({ bulk }) => bulk));
    expect(modules.length).toBeGreaterThan(5);
    const mute = modules.filter((it) => !it.buttons?.some(({ script }) => script === 'bulk'));
    expect(mute.map((it) => it.module)).toEqual([]);
  });

  it('is offered of a shipped button where its call takes nothing but the row, or a review, and of no other', () => {
    let runs = 0;
    let refused = 0;
    for (const definition of shipped.definitions.values()) {
      const { module, number, buttons = [] } = definition;
      for (const button of buttons) {
        const bulk = { ...definition, buttons: [{ ...button, bulk: true }] };
        const isRefused = buttonSlips(bulk).some(([rule]) => rule === 'bulkUnfit');
        if (button.bulk) expect([module, button.btnNo, isRefused]).toEqual([module, button.btnNo, false]);
        refused += Number(isRefused);
        if (isRefused || ['modify', 'deleteAll'].includes(button.script)) continue;
        runs += 1;
        const call = fixedRoutes.find((it) => it.call.path === `/api/${module}/${button.script}.json`)?.call;
        const takes = Object.keys((call && inputSchema(call.input, false)['properties']) ?? {});
        const more = takes.filter((it) => !['id', 'version', number?.field].includes(it));
        const isReview = reviewStep(module, button.script) !== undefined;
        expect([module, button.script, takes.length > 0, isReview || more.length === 0]).toEqual([
          ...[module, button.script],
          ...[true, true],
        ]);
      }
    }
    expect(runs).toBeGreaterThan(10);
    expect(refused).toBeGreaterThan(100);
  });
});
