import type { DefinitionChange } from '#domain/definition/change.ts';
import { indexesOf, isUnique, standardNames } from '#domain/definition/columns.ts';
import type { Definition, Field, FieldType, Model } from '#domain/definition/grammar.ts';
import { rowsAre } from '#domain/definition/rowsOf.ts';
import { genericScripts } from '#domain/definition/scripts.ts';
import type { PublishedChange } from '#server/definitions/read.ts';
import { registers } from '#tests/support/features.ts';
import { randomFrom } from '#tests/support/stations.ts';

/** What an administrator may think of: sound, mistaken and meant ill. */
export interface Drawn {
  model: Model;
  /** The modules that the author may list. */
  listed: readonly Definition[];
  /** Modules that were published. */
  made: readonly Definition[];
  roles: readonly string[];
  /** Tables that are there and no module's. */
  tables: readonly string[];
  /** A name that nothing has yet. */
  fresh: () => string;
}

export class Chance {
  readonly #random: () => number;
  constructor(random: () => number) {
    this.#random = random;
  }
  below = (n: number): number => Math.floor(this.#random() * n);
  is = (share: number): boolean => this.#random() < share;
  pick = <T>(list: readonly T[]): T => list[this.below(list.length)] as T;
  /** One that draws by itself from now on. */
  another = (): Chance => new Chance(randomFrom(this.below(2 ** 31)));
  some = <T>(list: readonly T[], share: number): T[] => list.filter(() => this.is(share));
}

const words = (en: string) => ({ zh: en, en });
const all = ({ definitions }: Model): Definition[] => [...definitions.values()];
const types: readonly FieldType[] = ['String', 'LongString', 'Integer', 'BigDecimal', 'date', 'dateTime', 'Month'];

type Draw = (drawn: Drawn, chance: Chance) => PublishedChange[];

/** Mostly what the author may list, so that enough is published. */
const aModule = ({ model, listed }: Drawn, chance: Chance): Definition =>
  listed.length > 0 && chance.is(0.93) ? chance.pick(listed) : chance.pick(all(model));

function reference(drawn: Drawn, chance: Chance, of: string): Field {
  const target = chance.is(0.05) ? (drawn.model.definitions.get('adminUser') as Definition) : aModule(drawn, chance);
  const names = Object.keys(target.fields);
  const keys = names.filter((it) => isUnique(target, it));
  const value = keys.length > 0 && chance.is(0.6) ? chance.pick(keys) : chance.pick(names);
  const within = chance.is(0.25) && { within: { field: chance.pick(names), of } };
  const dangles = chance.is(0.9) && { mayDangle: 'a walk' };
  return {
    ...{ type: chance.is(0.85) ? 'select' : 'String', label: words('Refers') },
    ref: { module: target.module, value, label: chance.pick(names), ...within, ...dangles },
  };
}

const rightsFor = ({ roles }: Drawn, chance: Chance, buttons: readonly string[]): Record<string, string[]> =>
  Object.fromEntries(
    chance.some(roles, 0.4).map((it) => [it, chance.is(0.7) ? [...buttons] : chance.some(buttons, 0.6)]),
  );

const textsOf = ({ fields }: Definition): string[] =>
  Object.entries(fields).flatMap(([name, it]) => (it.type === 'String' && !it.computed ? [name] : []));

function computed(definition: Definition, chance: Chance): Field {
  const texts = textsOf(definition);
  const [one, other] = [chance.pick(texts), chance.pick(Object.keys(definition.fields))];
  const expression = chance.is(0.8) && texts.length > 0 ? `${one} + "~" + ${chance.pick(texts)}` : `string(${other})`;
  return { type: 'String', label: words('Computed'), readOnly: true, computed: expression };
}

/** Fields of its own that lead elsewhere. */
function ownFields(drawn: Drawn, chance: Chance): Record<string, Field> {
  const references = Array.from({ length: 1 + chance.below(3) }, (_, i): [string, Field] => [
    `it${i}`,
    reference(drawn, chance, 'name'),
  ]);
  return {
    name: { type: 'String', label: words('Name'), maxLength: 100, ...(chance.is(0.3) && { unique: true }) },
    siteId: { type: 'String', label: words('Site') },
    ...(chance.is(0.3) && { plain: { type: chance.pick(types), label: words('Plain') } }),
    ...(chance.is(0.1) && { secret: { type: 'password' as const, label: words('Secret') } }),
    ...(chance.is(0.3) && { person: { type: 'String' as const, label: words('Person'), format: 'user' as const } }),
    ...Object.fromEntries(references),
  };
}

const newModule: Draw = (drawn, chance) => {
  const module = drawn.fresh();
  const fields = ownFields(drawn, chance);
  const names = Object.keys(fields);
  const table = chance.is(0.1) && drawn.tables.length > 0 ? chance.pick(drawn.tables) : module.toLowerCase();
  const { module: through, fields: theirs } = aModule(drawn, chance);
  const site = chance.is(0.4)
    ? ['siteId']
    : chance.is(0.1)
      ? { through, by: 'name', as: chance.pick(Object.keys(theirs)) }
      : ('all' as const);
  const made: Definition = {
    ...{ module, label: words(`Made ${module}`), table, site, fields, form: [names] },
    list: { columns: chance.is(0.8) ? names : ['name'], ...(chance.is(0.5) && { link: true }) },
    ...(chance.is(0.7) && { search: names.filter((it) => fields[it]?.type !== 'password') }),
    buttons: [
      { btnNo: 'add', script: 'create', label: words('New') },
      { btnNo: 'change', script: 'modify', label: words('Change'), rows: 1 },
    ],
  };
  return [{ module, change: { definition: made, rights: rightsFor(drawn, chance, ['list', 'add', 'change']) } }];
};

const newRows: Draw = (drawn, chance) => {
  const module = drawn.fresh();
  const listed = chance.is(0.25) && drawn.made.length > 0 ? chance.pick(drawn.made) : aModule(drawn, chance);
  // A list of a list is refused.
  const base = chance.is(0.9) ? rowsAre(listed, drawn.model) : listed;
  const { site: itsSite, owner: itsOwner } = base;
  const site = chance.is(0.9) || !base.fields['siteId'] ? itsSite : chance.is(0.5) ? ('all' as const) : ['siteId'];
  const owner = chance.is(0.9) ? itsOwner : chance.is(0.5) ? undefined : { field: 'userId', unless: 'all' };
  const sited = Array.isArray(site) ? site : typeof site === 'object' ? [site.by] : [];
  const needed = [...sited, ...(owner ? [owner.field] : []), ...Object.keys(base.rowsOf?.when ?? {})];
  const taken = Object.entries(base.fields).filter(
    ([name, it]) => needed.includes(name) || (chance.is(0.5) && (it.type !== 'password' || chance.is(0.1))),
  );
  const fields = Object.fromEntries(
    taken.map(([name, { type, label, options, items, each, format, ref }]): [string, Field] => {
      const shape = { type, label, ...(items && { items }), ...(each && { each }), ...(format && { format }) };
      if (type === 'select' && options) return [name, { ...shape, options }];
      const other = chance.is(0.1) || type === 'select' ? reference(drawn, chance, name).ref : undefined;
      const isListed = drawn.listed.some((it) => it.module === ref?.module);
      const leads = isListed && chance.is(0.7) ? ref : other;
      return [name, { ...shape, ...(leads && { ref: leads }) }];
    }),
  );
  const names = Object.keys(fields);
  const chosen = Object.entries(fields).find(([, it]) => it.options);
  const value = chosen && drawn.model.options[chosen[1].options ?? '']?.[0]?.value;
  const some = chance.is(0.2) && chosen && value !== undefined ? { [chosen[0]]: value } : {};
  const when = base.rowsOf && chance.is(0.7) ? base.rowsOf.when : some;
  const made: Definition = {
    ...{ module, label: words(`Rows ${module}`), table: base.table, site, fields },
    ...{ rowsOf: { module: base.module, when }, ...(owner && { owner }) },
    ...(names.length > 0 && { list: { columns: chance.is(0.7) ? names : [names[0] as string], link: true } }),
    ...(chance.is(0.5) && { search: chance.some(names, 0.3) }),
    buttons: [
      { btnNo: 'see', script: 'detail', label: words('See'), rows: 1 },
      { btnNo: owner?.unless ?? 'more', script: 'detail', label: words('More'), rows: 1 },
    ],
  };
  const buttons = ['list', 'see', owner?.unless ?? 'more'];
  return [{ module, change: { definition: made, rights: rightsFor(drawn, chance, buttons) } }];
};

/** A module to change: one that is shipped or one that was published, mostly of those that its author may list. */
const changed = (drawn: Drawn, chance: Chance): Definition => {
  const made = drawn.made.filter((it) => drawn.listed.includes(it));
  return made.length > 0 && chance.is(0.5) ? chance.pick(made) : aModule(drawn, chance);
};

const newFields: Draw = (drawn, chance) => {
  const definition = changed(drawn, chance);
  const names = Object.keys(definition.fields);
  const known = drawn.made.includes(definition) && chance.is(0.3) ? names.find((it) => definition.fields[it]?.ref) : '';
  const name = known || (chance.is(0.8) ? `more${chance.below(4)}` : drawn.fresh());
  const draws: (() => Field)[] = [
    () => reference(drawn, chance, chance.pick(names)),
    () => computed(definition, chance),
    () => ({ type: chance.pick(types), label: words('More'), ...(chance.is(0.2) && { unique: true }) }),
    () => ({ type: 'String', label: words('More'), format: chance.pick(['user', 'roles', 'issueCodes', 'code']) }),
    () => ({ type: 'password', label: words('More') }),
  ];
  const field = known || chance.is(0.4) ? reference(drawn, chance, chance.pick(names)) : chance.pick(draws)();
  const columns = [...(definition.list?.columns ?? names), name];
  return [
    {
      module: definition.module,
      change: {
        fields: { [name]: field },
        ...(chance.is(0.8) && { list: { columns: [...new Set(columns)] } }),
        ...(chance.is(0.4) && definition.form && !field.computed && { form: [...definition.form, [name]] }),
        ...(chance.is(0.3) && !field.computed && { search: [...(definition.search ?? []), name] }),
      },
    },
  ];
};

/** Other columns, searches, facts and indexes, of whatever fields there are. */
const newLook: Draw = (drawn, chance) => {
  const { module, fields } = changed(drawn, chance);
  const names = [...Object.keys(fields), ...standardNames];
  const columns = [chance.pick(names), ...chance.some(names, 0.4)];
  const sums = columns.filter((it) => ['Integer', 'BigDecimal'].includes(fields[it]?.type ?? ''));
  const tabs = Object.keys(fields).filter((it) => fields[it]?.options);
  const drawnParts: DefinitionChange[] = [
    {
      list: {
        columns: [...new Set(columns)],
        ...(chance.is(0.5) && sums.length > 0 && { totals: [...new Set(sums)].slice(0, 12) }),
        ...(chance.is(0.3) && tabs.length > 0 && { tabs: chance.pick(tabs) }),
        ...(chance.is(0.3) && { sort: `${chance.is(0.5) ? '-' : ''}${chance.pick(names)}` }),
      },
    },
    { search: chance.some(names, 0.3) },
    { detail: chance.some(names, 0.5) },
    { indexes: [[chance.pick(names)]] },
    { form: chance.some(Object.keys(fields), 0.7).map((it) => [it]) },
    { label: words(drawn.fresh()) },
  ];
  return [{ module, change: chance.pick(drawnParts) }];
};

const newLines: Draw = (drawn, chance) => {
  const definition = changed(drawn, chance);
  const keys = Object.keys(definition.fields).filter((it) => isUnique(definition, it));
  const fitting = all(drawn.model).flatMap((it) =>
    keys
      .filter((by) => indexesOf(it).some(({ columns }) => columns[0] === by))
      .map((by) => ({ module: it.module, by })),
  );
  const one =
    fitting.length > 0 && chance.is(0.9)
      ? chance.pick(fitting)
      : { module: aModule(drawn, chance).module, by: chance.pick(Object.keys(definition.fields)) };
  return [{ module: definition.module, change: { lines: [{ name: drawn.fresh(), ...one }] } }];
};

const newOptions: Draw = (drawn, chance) => {
  const { module } = changed(drawn, chance);
  const list = chance.is(0.6) ? chance.pick(Object.keys(drawn.model.options)) : drawn.fresh();
  const values = drawn.model.options[list] ?? [];
  const more = [...values, { value: drawn.fresh(), label: words('More') }];
  const retired = values.map((it, i) => (i === 0 ? { ...it, retired: true as const } : it));
  const name = `chosen${chance.below(3)}`;
  const field: Field = { type: 'select', label: words('Chosen'), options: list };
  return [
    {
      module,
      change: {
        options: { [list]: chance.is(0.7) || values.length < 2 ? more : retired },
        ...(chance.is(0.5) && { fields: { [name]: field } }),
      },
    },
  ];
};

const newButtons: Draw = (drawn, chance) => {
  const { module, buttons = [] } = changed(drawn, chance);
  const btnNo = chance.is(0.8) ? drawn.fresh() : chance.pick(['list', ...buttons.map((it) => it.btnNo)]);
  const script = chance.is(0.8) ? chance.pick(genericScripts) : chance.pick([...registers.scripts]);
  return [
    {
      module,
      change: {
        buttons: { [btnNo]: { script, label: words('Press'), ...(chance.is(0.5) && { rows: 1 as const }) } },
        ...(chance.is(0.6) && { rights: rightsFor(drawn, chance, [btnNo]) }),
      },
    },
  ];
};

const newRights: Draw = (drawn, chance) => {
  const { module, buttons = [] } = chance.is(0.6) ? aModule(drawn, chance) : changed(drawn, chance);
  const given = chance.is(0.7) ? ['list'] : ['list', ...buttons.map((it) => it.btnNo)];
  return [{ module, change: { rights: rightsFor(drawn, chance, given) } }];
};

const newRules: Draw = (drawn, chance) => {
  const { module, fields } = changed(drawn, chance);
  const name = chance.pick(Object.keys(fields));
  const [other = name] = chance.some(Object.keys(fields), 0.3);
  const rules: NonNullable<DefinitionChange['fields']>[string][] = [
    { required: true },
    { maxLength: 1 + chance.below(50) },
    { readOnlyWhen: { [other]: '1' } },
    { format: chance.pick(['user', 'roles', 'code', 'age', 'issueCodes']) },
    { type: chance.pick(types), label: words('Other') },
    { default: '1' },
    { ref: null },
    { unique: true },
  ];
  return [{ module, change: { fields: { [name]: chance.pick(rules) } } }];
};

const steps: readonly [weight: number, draw: Draw][] = [
  [6, newModule],
  [8, newRows],
  [7, newFields],
  [3, newLook],
  [3, newLines],
  [2, newOptions],
  [3, newButtons],
  [3, newRights],
  [2, newRules],
];
const bag = steps.flatMap(([weight, draw]) => Array.from({ length: weight }, () => draw));

/** The parts of a draft: mostly one change, now and then two of different modules. */
export function drawDraft(drawn: Drawn, chance: Chance): PublishedChange[] {
  const parts = Array.from({ length: chance.is(0.15) ? 2 : 1 }, () => chance.pick(bag)(drawn, chance)).flat();
  return [...new Map(parts.map((it) => [it.module, it])).values()];
}
