import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DefinitionChange } from '#domain/definition/change.ts';
import { standardNames } from '#domain/definition/columns.ts';
import type { Definition, MenuNode, Model } from '#domain/definition/grammar.ts';
import { MENU } from '#domain/definition/overlay.ts';
import { countingPublishes, type Publish } from '#domain/definition/publishes.ts';
import { SUCCESS } from '#domain/call.ts';
import { refusals } from '#domain/refusal.ts';
import { readModel, tryModel, type PublishedChange } from '#server/definitions/read.ts';
import { startTestApp } from '#tests/support/app.ts';
import { registers } from '#tests/support/features.ts';
import { readModule, saveChange, takeBack } from '#features/studio/contract.ts';
import { publishAndWait, publishAsItIs } from '#tests/support/publishing.ts';
import { tries } from '#tests/support/tries.ts';

/**
 * Random histories of publishes and takings back, over shipped modules and new ones, against a model of its own that knows
 * nothing of how changes are laid over each other: it says who spoke last among those that count.
 */
type Step =
  | { kind: 'label'; module: string; en: string }
  | { kind: 'relabel'; module: string; field: string; en: string }
  | { kind: 'field'; module: string; field: string }
  | { kind: 'computed'; module: string; of: string }
  | { kind: 'columns'; module: string; seed: number }
  | { kind: 'hide'; module: string; button: string; hidden: boolean }
  | { kind: 'module'; module: string }
  | { kind: 'back'; at: number };

const shippedModules = ['ubsSite', 'ubsShipment', 'ubsCountry'];
const newModules = ['toolLoan', 'visitor'];
const newFields = ['fax', 'telex'];
const COMPUTED = 'made';
const module = fc.constantFrom(...shippedModules, ...newModules);
const name = fc.constantFrom('One', 'Two', 'Three');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('label' as const), module, en: name }),
  fc.record({
    kind: fc.constant('relabel' as const),
    module,
    field: fc.constantFrom('siteName', 'name', COMPUTED, ...newFields),
    en: name,
  }),
  fc.record({ kind: fc.constant('computed' as const), module, of: fc.constantFrom('name', ...newFields) }),
  fc.record({ kind: fc.constant('field' as const), module, field: fc.constantFrom(...newFields) }),
  fc.record({ kind: fc.constant('columns' as const), module, seed: fc.nat(50) }),
  fc.record({
    kind: fc.constant('hide' as const),
    module,
    button: fc.constantFrom('add', 'modify'),
    hidden: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('module' as const), module: fc.constantFrom(...newModules) }),
  fc.record({ kind: fc.constant('back' as const), at: fc.nat(8) }),
);

const words = (en: string) => ({ zh: en, en });
const made = (of: string): Definition => ({
  ...{ module: of, label: words(of), table: of.toLowerCase(), site: 'all' },
  fields: { name: { type: 'String', label: words('Name'), maxLength: 50 } },
  list: { columns: ['name'] },
  buttons: [{ btnNo: 'add', script: 'create', label: words('New') }],
  form: [['name']],
});

/** What is said of a module, as far as the steps say it. */
interface Said {
  label: string;
  fields: Map<string, string>;
  /** What a computed field is computed of. */
  computed: Map<string, string>;
  columns: string[];
  hidden: Map<string, boolean>;
}

const firstName = (text: string): string => text.split(' ')[0] ?? '';

const saidOf = ({ label, fields, list, buttons }: Definition): Said => ({
  label: label.en,
  fields: new Map(Object.entries(fields).map(([it, field]) => [it, field.label.en])),
  computed: new Map(
    Object.entries(fields).flatMap(([it, { computed }]) => (computed ? [[it, firstName(computed)]] : [])),
  ),
  columns: [...(list?.columns ?? [])],
  hidden: new Map((buttons ?? []).map((it) => [it.btnNo, it.hidden === true])),
});

type World = Map<string, Said>;
const worldOf = (model: Model): World =>
  new Map(
    [...shippedModules, ...newModules].flatMap((it) => {
      const definition = model.definitions.get(it);
      return definition ? [[it, saidOf(definition)] as const] : [];
    }),
  );

/** What a step means for a world in which it is said; undefined where it may not be said. */
function tell(world: World, one: Step): World | undefined {
  if (one.kind === 'back') return undefined;
  const said = world.get(one.module);
  if (one.kind === 'module') return said ? undefined : new Map(world).set(one.module, saidOf(made(one.module)));
  if (!said) return undefined;
  const next: Said = {
    ...said,
    fields: new Map(said.fields),
    computed: new Map(said.computed),
    columns: [...said.columns],
    hidden: new Map(said.hidden),
  };
  if (one.kind === 'label') next.label = one.en;
  // Said again of the same type, it is called so again.
  if (one.kind === 'field') next.fields.set(one.field, one.field);
  if (one.kind === 'relabel') {
    if (!said.fields.has(one.field)) return undefined;
    next.fields.set(one.field, one.en);
  }
  if (one.kind === 'computed') {
    next.fields.set(COMPUTED, one.of);
    next.computed.set(COMPUTED, one.of);
  }
  if (one.kind === 'columns') next.columns = chosen([...said.fields.keys()], one.seed);
  if (one.kind === 'hide') {
    if (!said.hidden.has(one.button)) return undefined;
    next.hidden.set(one.button, one.hidden);
  }
  return isWhole(next) ? new Map(world).set(one.module, next) : undefined;
}

/** Columns that a list has must be fields still, and so must what a field is computed of. */
const isWhole = (said: Said): boolean =>
  said.columns.every((it) => isColumn(said, it)) && [...said.computed.values()].every((it) => said.fields.has(it));

const isColumn = ({ fields }: Said, name: string): boolean =>
  fields.has(name) || (standardNames as readonly string[]).includes(name);

const chosen = (names: readonly string[], seed: number): string[] => {
  const from = seed % names.length;
  return [...names.slice(from), ...names.slice(0, from)].slice(0, 1 + (seed % 3));
};

/** A step as it is published over a world in which it may be said. */
function changeOf(world: World, one: Exclude<Step, { kind: 'back' }>): PublishedChange {
  const of = one.module;
  const change = (): DefinitionChange => {
    switch (one.kind) {
      case 'label':
        return { label: words(one.en) };
      case 'relabel':
        return { fields: { [one.field]: { label: words(one.en) } } };
      case 'field':
        return { fields: { [one.field]: { type: 'String', label: words(one.field) } } };
      case 'computed': {
        const computed = `${one.of} + "-" + ${one.of}`;
        return { fields: { [COMPUTED]: { type: 'String', label: words(one.of), readOnly: true, computed } } };
      }
      case 'columns':
        return { list: { columns: chosen([...(world.get(of)?.fields.keys() ?? ['name'])], one.seed) } };
      case 'hide':
        return { buttons: { [one.button]: { hidden: one.hidden ? true : null } } };
      case 'module':
        return { definition: made(of) };
    }
  };
  return { module: of, change: change() };
}

/** A history as the model of its own has it: what was said, and what was taken back. */
class History {
  readonly publishes: (Publish & { step: Step; change?: PublishedChange })[] = [];
  readonly #shipped: World;

  constructor(shipped: World) {
    this.#shipped = shipped;
  }

  /** The world of those that count, `more` said last; undefined where one of them may not be said any more. */
  world(counting: readonly number[]): World | undefined {
    let world: World | undefined = this.#shipped;
    for (const it of this.publishes.filter(({ id, step: { kind } }) => counting.includes(id) && kind !== 'back')) {
      world = world && this.#replay(world, it);
    }
    return world;
  }

  #replay(world: World, { step: one, change }: { step: Step; change?: PublishedChange }): World | undefined {
    // Columns were chosen when it was published, whatever fields there are now.
    if (one.kind !== 'columns' || !change) return tell(world, one);
    const said = world.get(one.module);
    const columns = change.change.list?.columns ?? [];
    const next = said && { ...said, columns };
    return next && isWhole(next) ? new Map(world).set(one.module, next) : undefined;
  }

  get counting(): number[] {
    return countingByWords(this.publishes);
  }
}

/** A publish counts unless one that counts took it back: as it is said, from the last to the first. */
function countingByWords(publishes: readonly Publish[]): number[] {
  const counts = (it: Publish): boolean =>
    !publishes.some((later) => later.id > it.id && later.takesBack.includes(it.id) && counts(later));
  return publishes.filter(counts).map((it) => it.id);
}

/** Does the next step of a history, by `act`, which says whether it was done. */
async function go(
  history: History,
  one: Step,
  id: number,
  act: (change: PublishedChange[], takesBack: number[]) => Promise<boolean>,
) {
  const { counting } = history;
  if (one.kind === 'back') {
    const target = counting[one.at];
    if (target === undefined) return;
    const next = { id, takesBack: [target], step: one };
    const isRight = history.world(countingByWords([...history.publishes, next])) !== undefined;
    expect(await act([], [target]), JSON.stringify(one)).toBe(isRight);
    if (isRight) history.publishes.push(next);
    return;
  }
  const world = history.world(counting) as World;
  const change = changeOf(world, one);
  const isRight = tell(world, one) !== undefined;
  expect(await act([change], []), JSON.stringify(one)).toBe(isRight);
  if (isRight) history.publishes.push({ id, takesBack: [], step: one, change });
}

const shipped = readModel(registers);

describe('any history of publishes and takings back', () => {
  it('gives what those say that count, and taken back wholly exactly what was shipped', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const history = new History(worldOf(shipped));
        const log: (Publish & { changes: PublishedChange[] })[] = [];
        const modelBy = (publishes: typeof log) => {
          const counting = countingPublishes(publishes);
          return tryModel(
            registers,
            publishes.filter((it) => counting.includes(it.id)).flatMap((it) => it.changes),
          );
        };
        for (const [i, one] of steps.entries()) {
          await go(history, one, i + 1, async (changes, takesBack) => {
            const next = [...log, { id: i + 1, takesBack, changes }];
            const { problems } = modelBy(next);
            if (problems.length > 0) return false;
            log.push({ id: i + 1, takesBack, changes });
            return true;
          });
        }
        const { model } = modelBy(log);
        expect(worldOf(model)).toEqual(history.world(history.counting));
        const all = { id: 99, takesBack: log.map((it) => it.id), changes: [] };
        expect(modelBy([...log, all]).model).toEqual(shipped);
      }),
      tries(50),
    );
  });

  it('is so on a server as well, through drafts, where every list still answers', async () => {
    const testApp = await startTestApp({}, { worksJobs: true });
    const admin = { as: 'admin' };
    const ask = (method: 'GET' | 'POST', path: string, input: object = {}) =>
      testApp.ask<Record<string, unknown>>(method, `/api/${path}.json`, input, admin);
    const publishOne = async ({ module: of, change }: PublishedChange) => {
      const { data } = await ask('POST', 'sysDraft/create', { name: 'x' });
      const draftId = Number(data['id']);
      await testApp.send(
        saveChange,
        { draftId, module: of, version: 0, change: change as Record<string, unknown> },
        admin,
      );
      return publishAsItIs(testApp, draftId, 'x', admin);
    };
    const backOne = (id: number, since = false) => publishAndWait(testApp, takeBack, { id, since, note: 'x' }, admin);
    const worldNow = async () => {
      const found: [string, Said][] = [];
      for (const it of [...shippedModules, ...newModules]) {
        const { current } = (await testApp.send(readModule, { module: it }, admin)).data;
        const pager = await ask('GET', `${it}/pager`);
        expect(pager.code, it).toBe(current ? '000000' : refusals.noSuchCall.code);
        if (current) found.push([it, saidOf(current as unknown as Definition)]);
      }
      return new Map(found);
    };
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), async (steps) => {
          const history = new History(worldOf(shipped));
          const numbers = new Map<number, number>();
          for (const [i, one] of steps.entries()) {
            await go(history, one, i + 1, async ([change], [back]) => {
              const done = change ? await publishOne(change) : await backOne(numbers.get(back ?? 0) ?? 0);
              if (done.code === SUCCESS) numbers.set(i + 1, done.data.id);
              else expect(done.code).toBe(refusals.badDefinitions.code);
              return done.code === SUCCESS;
            });
          }
          expect(await worldNow()).toEqual(history.world(history.counting));
          const [first] = numbers.values();
          if (first === undefined) return;
          expect(await backOne(first, true)).toMatchObject({ code: SUCCESS });
          expect(await worldNow()).toEqual(worldOf(shipped));
        }),
        { ...tries(4), endOnFailure: true },
      );
    } finally {
      await testApp.close();
    }
  });
});

/** Publishes of a list and of the menu as administrators make them: from what there is, with something moved, added or retired. */
type Whole =
  | { kind: 'list'; seed: number; add: boolean; retire: boolean }
  | { kind: 'menu'; seed: number; add: boolean }
  | { kind: 'back'; at: number };
const whole: fc.Arbitrary<Whole> = fc.oneof(
  fc.record({ kind: fc.constant('list' as const), seed: fc.nat(50), add: fc.boolean(), retire: fc.boolean() }),
  fc.record({ kind: fc.constant('menu' as const), seed: fc.nat(50), add: fc.boolean() }),
  fc.record({ kind: fc.constant('back' as const), at: fc.nat(8) }),
);

const LIST = 'repairType';
const turned = <Item>(items: readonly Item[], by: number): Item[] => {
  const at = by % Math.max(1, items.length);
  return [...items.slice(at), ...items.slice(0, at)];
};
const leavesIn = (nodes: readonly MenuNode[], group = ''): [entry: string, group: string][] =>
  nodes.flatMap((it) => (it.children ? leavesIn(it.children, it.menuNo) : [[it.menuNo, group] as [string, string]]));

describe('lists and menus that several people publish whole', () => {
  it('lose nothing of each other, keep the order of who published last, and taken back are what was shipped', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ step: whole, saw: fc.nat(9) }), { minLength: 1, maxLength: 8 }), (steps) => {
        const log: (Publish & { changes: PublishedChange[] })[] = [];
        const of = (publishes: typeof log) => publishes.filter((it) => countingPublishes(publishes).includes(it.id));
        const modelBy = (publishes: typeof log) =>
          tryModel(
            registers,
            of(publishes).flatMap((it) => it.changes),
          );
        for (const [i, { step, saw }] of steps.entries()) {
          const id = i + 1;
          if (step.kind === 'back') {
            const target = of(log)[step.at];
            if (target) log.push({ id, takesBack: [target.id], changes: [] });
            continue;
          }
          // Drafts were begun before the last of the others were published.
          const { model } = modelBy(log.slice(0, saw));
          log.push({ id, takesBack: [], changes: wholeOf(step, model, id) });
        }
        const { model, problems } = modelBy(log);
        expect(problems).toEqual([]);
        const said = of(log).flatMap((it) => it.changes.map(({ change }) => change));

        const values = (model.options[LIST] ?? []).map((it) => it.value);
        const known = [
          shipped.options[LIST] ?? [],
          ...said.flatMap((it) => (it.options?.[LIST] ? [it.options[LIST]] : [])),
        ];
        expect(values.toSorted()).toEqual([...new Set(known.flat().map((it) => it.value))].sort());
        const last = known.at(-1) ?? [];
        expect(model.options[LIST]?.slice(0, last.length)).toEqual(last);

        const trees = [shipped.menu, ...said.flatMap((it) => (it.menu ? [it.menu] : []))];
        const entries = leavesIn(model.menu);
        const isThere = (entry: string) => model.definitions.has(entry.replace(/List$/, ''));
        const wanted = new Set(trees.flatMap((it) => leavesIn(it).map(([entry]) => entry)).filter(isThere));
        expect(entries.map(([entry]) => entry).sort()).toEqual([...wanted].sort());
        const mine = new Map(leavesIn(trees.at(-1) ?? []).filter(([entry]) => isThere(entry)));
        expect(entries.filter(([entry]) => mine.has(entry))).toEqual([...mine]);

        const all = { id: 99, takesBack: log.map((it) => it.id), changes: [] };
        expect(modelBy([...log, all]).model).toEqual(shipped);
      }),
      tries(50),
    );
  });
});

function wholeOf(step: Exclude<Whole, { kind: 'back' }>, model: Model, id: number): PublishedChange[] {
  if (step.kind === 'list') {
    const options = turned(model.options[LIST] ?? [], step.seed);
    const [first, ...rest] = options;
    const isLeft = rest.some((it) => !it.retired);
    const retired = step.retire && first && isLeft ? [{ ...first, retired: true as const }, ...rest] : options;
    const added = step.add ? [...retired, { value: `v${id}`, label: words(`V${id}`) }] : retired;
    return [{ module: 'ubsSite', change: { options: { [LIST]: added } } }];
  }
  const menu = turned(model.menu, step.seed);
  if (!step.add) return [{ module: MENU, change: { menu } }];
  // A module of its own, in a group of its own, to which an entry goes that was there.
  const of = `made${id}`;
  const [first, ...rest] = menu;
  const [entry, ...others] = first?.children ?? [];
  const moved = first && entry && !entry.children;
  const group = {
    ...{ menuNo: `group${id}`, label: words('Group') },
    children: [{ menuNo: `${of}List` }, ...(moved ? [entry] : [])],
  };
  const before = moved ? [{ ...first, children: others }, ...rest] : menu;
  return [
    { module: of, change: { definition: made(of) } },
    { module: MENU, change: { menu: [...before, group] } },
  ];
}
