import { refFields } from '#domain/definition/refFields.ts';
import { Compile } from 'typebox/compile';
import {
  DefinitionSchema,
  type Definition,
  type Field,
  type MenuNode,
  type Model,
} from '#domain/definition/grammar.ts';
import { findCircles } from '#domain/definition/circles.ts';
import { indexesOf, sqlTypes, standardNames } from '#domain/definition/columns.ts';
import { namesInEach } from '#domain/definition/listText.ts';
import { isNumeric } from '#domain/definition/isNumeric.ts';
import { isOffered } from '#domain/definition/options.ts';
import { computedParts, computedTypes } from '#domain/definition/computable.ts';
import { parseExpression } from '#domain/definition/parseExpression.ts';
import { matches } from '#domain/definition/pattern.ts';
import { referencesOf } from '#domain/definition/references.ts';
import { problemsOfShape } from '#domain/definition/shape.ts';
import { nearest } from '#domain/nearest.ts';
import { atOnce, type Steps } from '#domain/steps.ts';

/** What is wrong with a definition, by name: `UnknownField: rmaPriceBill → "amont" in form; did you mean …?` */
export interface DefinitionProblem {
  kind:
    | 'BadShape'
    | 'BadBounds'
    | 'BadDefault'
    | 'CircularReference'
    | 'ForbiddenChange'
    | 'DuplicateModule'
    | 'DuplicateTable'
    | 'DuplicatePrefix'
    | 'ReservedField'
    | 'UnknownField'
    | 'UnknownOptions'
    | 'UnknownModule'
    | 'UnknownScript'
    | 'NoText'
    | 'MissingOptions'
    | 'BadTotal'
    | 'BadList'
    | 'DuplicateButton'
    | 'LooseReference'
    | 'LosesData'
    | 'NotApplied'
    | 'BadPattern'
    | 'BadUnit'
    | 'BadExpression'
    | 'UnindexedLines'
    | 'Slip'
    | 'UnknownMenuEntry';
  /** Of a change that is not allowed: which rule it would break. */
  rule?: string;
  /** The module. */
  where: string;
  what: string;
  /** Where in the module, as `fields.amount.maxLength`, and the name that is wrong there, for who edits it. */
  path?: string;
  name?: string;
  /** How many values or rows it is said of. */
  count?: number;
  /** Of what was set aside: what it is called since. */
  keptAs?: string;
  suggestion?: string | undefined;
}

/** What the code and the definitions must agree on: the scripts that definitions may name, the modules that have hooks. */
export interface Registers {
  hooks: ReadonlySet<string>;
  scripts: ReadonlySet<string>;
}

export const sayProblem = ({ kind, where, what, suggestion }: DefinitionProblem): string =>
  `${kind}: ${where} → ${what}${suggestion ? `; did you mean "${suggestion}"?` : ''}`;

const shape = Compile(DefinitionSchema);

/** Everything that is wrong with one definition's own shape: the first thing checked, before names are looked up. */
export function validateShape(value: unknown, where: string): DefinitionProblem[] {
  return shape.Check(value) ? [] : problemsOfShape(shape.Errors(value), value, where);
}

/** Everything that is wrong with a model whose definitions have their shape. Empty when the server may start. */
export const validateModel = (model: Model, registers: Registers): DefinitionProblem[] =>
  atOnce(problemsInSteps(model, registers));

/** The same module by module: of a large draft it takes long. */
export function* problemsInSteps(model: Model, registers: Registers): Steps<DefinitionProblem[]> {
  const problems: DefinitionProblem[] = [];
  const tables = new Map<string, string>();
  const prefixes = new Map<string, string>();
  for (const definition of model.definitions.values()) {
    const { module, number } = definition;
    const owner = number && prefixes.get(number.prefix);
    if (owner) problems.push({ kind: 'DuplicatePrefix', where: module, what: `${number.prefix} is ${owner}'s` });
    if (number) prefixes.set(number.prefix, module);
    const other = definition.rowsOf ? undefined : tables.get(definition.table);
    if (other)
      problems.push({
        ...{ kind: 'DuplicateTable', where: module, what: `${definition.table} is ${other}'s` },
        ...{ path: 'table', name: module },
      });
    if (definition.rowsOf) problems.push(...validateRowsOf(definition, model));
    else tables.set(definition.table, definition.module);
    problems.push(...validateNames(definition, model, registers));
    yield;
  }
  problems.push(
    ...findCircles(model.definitions),
    ...validateHooks(registers, model),
    ...validateMenu(model.menu, model),
  );
  return problems;
}

/** What refers to another module is a foreign key or says that it may dangle. Rule: definitions#references. */
export const validateReferences = (definitions: Iterable<Definition>): DefinitionProblem[] =>
  referencesOf(definitions).undecided.map(({ what }) => ({
    kind: 'LooseReference',
    where: 'references',
    what: `${what}: say in "mayDangle" why it may, or refer to a unique field of its type`,
  }));

/** A hook that no row would ever meet is a slip, and so is one of a module that is only read. */
function validateHooks({ hooks }: Registers, { definitions }: Model): DefinitionProblem[] {
  const written = [...definitions.values()].filter((it) => !it.rowsOf && !it.viewOf).map((it) => it.module);
  return [...hooks]
    .filter((name) => !written.includes(name))
    .map((name) => ({ kind: 'UnknownModule', where: 'hooks', what: `"${name}"`, suggestion: nearest(name, written) }));
}

/** A list of another's rows names that one's table and fields as they are, and has no button that writes. */
function validateRowsOf(definition: Definition, model: Model): DefinitionProblem[] {
  const { rowsOf, table, module: where } = definition;
  const base = rowsOf && model.definitions.get(rowsOf.module);
  if (!rowsOf || !base)
    return [
      {
        kind: 'UnknownModule',
        where,
        what: `"${rowsOf?.module}" in rowsOf`,
        path: 'rowsOf',
        name: rowsOf?.module ?? '',
      },
    ];
  const problems: DefinitionProblem[] = [];
  if (table !== base.table)
    problems.push({ kind: 'DuplicateTable', where, what: `${table} is not ${base.table}`, path: 'table', name: where });
  const wrong = Object.entries(definition.fields).filter(([name, it]) => base.fields[name]?.type !== it.type);
  for (const [name] of wrong)
    problems.push({
      ...{ kind: 'UnknownField', where, what: `"${name}" is none of ${base.module}` },
      ...{ path: `fields.${name}`, name },
    });
  for (const name of Object.keys(rowsOf.when)) {
    if (!Object.hasOwn(base.fields, name))
      problems.push({ kind: 'UnknownField', where, what: `"${name}" in rowsOf`, path: 'rowsOf', name });
  }
  const writing = ['create', 'modify', 'deleteById', 'deleteAll'];
  for (const button of definition.buttons ?? []) {
    if (writing.includes(button.script))
      problems.push({
        ...{ kind: 'UnknownScript', where, what: `"${button.script}" writes` },
        ...{ path: `buttons.${button.btnNo}.script`, name: button.script },
      });
  }
  return problems;
}

/** The types whose values can be added up. */
const summed: ReadonlySet<string> = new Set(['Number', 'Integer', 'Long', 'BigDecimal']);

function validateNames(definition: Definition, model: Model, registers: Registers): DefinitionProblem[] {
  const where = definition.module;
  const problems: DefinitionProblem[] = [];
  const known = [...Object.keys(definition.fields), ...standardNames];
  const add = (kind: DefinitionProblem['kind'], what: string, name: string, among: Iterable<string>, path = '') =>
    problems.push({ kind, where, what, path, name, suggestion: nearest(name, among) });
  const field = (name: string, path: string) => {
    if (!known.includes(name)) add('UnknownField', `"${name}" in ${path}`, name, known, path);
  };

  for (const name of Object.keys(definition.fields)) {
    if ((standardNames as string[]).includes(name))
      add('ReservedField', `"${name}" is the engine's own`, name, [], `fields.${name}`);
  }
  for (const [name, it] of Object.entries(definition.fields)) {
    if (it.options && !Object.hasOwn(model.options, it.options)) {
      add(
        'UnknownOptions',
        `"${it.options}" of ${name}`,
        it.options,
        Object.keys(model.options),
        `fields.${name}.options`,
      );
    }
    if (it.type === 'select' && !it.options && !it.ref)
      add('MissingOptions', `"${name}" is a select`, name, [], `fields.${name}.options`);
    problems.push(...validateValues(where, name, it, model));
    if (it.computed !== undefined) problems.push(...validateComputed(definition, name, it, it.computed));
    if (it.type === 'List') problems.push(...validateList(definition, name, it));
    if (it.ref) {
      const target = model.definitions.get(it.ref.module);
      if (!target)
        add(
          'UnknownModule',
          `"${it.ref.module}" of ${name}`,
          it.ref.module,
          model.definitions.keys(),
          `fields.${name}.ref`,
        );
      for (const part of refFields(it.ref)) {
        if (target && !Object.hasOwn(target.fields, part)) {
          add('UnknownField', `"${part}" of ${name}'s ref`, part, Object.keys(target.fields), `fields.${name}.ref`);
        }
      }
      const { only } = it.ref;
      const list = only && target?.fields[only.field]?.options;
      const known = (list === undefined ? undefined : model.options[list]) ?? [];
      for (const value of only && target?.fields[only.field] ? only.values : []) {
        if (known.some((option) => option.value === value)) continue;
        const values = known.map((option) => option.value);
        add('UnknownOptions', `"${value}" in ${name}'s ref.only`, value, values, `fields.${name}.ref.only`);
      }
      // Also of what may dangle the values are compared, as when a row there is deleted.
      if (isOtherwise(it, target?.fields[it.ref.value]))
        add('LooseReference', `"${it.ref.value}" of ${name}'s ref is of another type`, name, [], `fields.${name}.ref`);
    }
    if (it.site) {
      const { through, by } = it.site;
      const at = `fields.${name}.site`;
      const target = model.definitions.get(through);
      field(by, at);
      if (!target) add('UnknownModule', `"${through}" of ${name}`, through, model.definitions.keys(), at);
      else if (!indexesOf(target).some((index) => index.columns[0] === by))
        add('UnindexedLines', `${through} has no index of "${by}"`, by, [], at);
      else if (isOtherwise(definition.fields[by], target.fields[by]))
        add('LooseReference', `"${by}" of ${through} is of another type`, by, [], at);
    }
    if (it.ref?.within) field(it.ref.within.of, `fields.${name}.ref.within`);
    for (const rule of ['requiredWhen', 'visibleWhen', 'readOnlyWhen'] as const) {
      for (const other of Object.keys(it[rule] ?? {})) field(other, `fields.${name}.${rule}`);
    }
    for (const rule of ['minField', 'maxField'] as const) {
      const other = it[rule];
      if (other !== undefined) field(other, `fields.${name}.${rule}`);
    }
  }

  for (const [name, of] of Object.entries(definition.names ?? {})) {
    if (known.includes(name)) add('ReservedField', `"${name}" in names is a field`, name, []);
    if (!definition.fields[of]?.ref) add('UnknownField', `"${of}" in names, which refers to rows,`, of, known);
  }
  for (const name of definition.search ?? []) field(name, 'search');
  for (const name of definition.list?.columns ?? []) field(name, 'list.columns');
  for (const [part, names] of partsOfColumns(definition)) {
    for (const name of names) {
      if (!definition.list?.columns.includes(name))
        add('UnknownField', `"${name}" in list.${part}`, name, definition.list?.columns ?? [], `list.${part}`);
    }
  }
  const { tabs } = definition.list ?? {};
  const tabbed = tabs === undefined ? undefined : definition.fields[tabs];
  if (tabs !== undefined && (!tabbed?.options || tabbed.type === 'password'))
    add(
      'UnknownField',
      `"${tabs}" in list.tabs, which is a select with options,`,
      tabs,
      Object.keys(definition.fields),
      'list.tabs',
    );
  for (const name of definition.list?.totals ?? []) {
    field(name, 'list.totals');
    const type = definition.fields[name]?.type;
    const isShown = definition.list?.columns.includes(name) === true;
    if (type && (!summed.has(type) || !isShown)) {
      add(
        'BadTotal',
        `"${name}" in list.totals is ${isShown ? `a ${type}, no number` : 'no column of the list'}`,
        name,
        [],
        'list.totals',
      );
    }
  }
  const sort = definition.list?.sort?.replace(/^-/, '');
  if (sort !== undefined) field(sort, 'list.sort');
  if (sort && definition.fields[sort]?.type === 'password')
    add('UnknownField', `"${sort}" in list.sort is a password`, sort, [], 'list.sort');
  for (const name of definition.detail ?? []) field(name, 'detail');
  for (const name of (definition.form ?? []).flat()) field(name, 'form');
  for (const name of [...(definition.indexes ?? []), ...(definition.unique ?? [])].flat()) field(name, 'indexes');
  const text = (name: string, path: string) => {
    field(name, path);
    const { type } = definition.fields[name] ?? {};
    if (type && sqlTypes[type] !== sqlTypes.String) add('NoText', `"${name}" in ${path} is no text`, name, [], path);
  };
  const { number, owner, site, about } = definition;
  if (number) text(number.field, 'number');
  if (owner) text(owner.field, 'owner');
  for (const name of about ? [about.module, about.by, ...about.values] : []) text(name, 'about');
  for (const name of Array.isArray(site) ? site : []) text(name, 'site');
  if (typeof definition.site === 'object' && 'through' in definition.site) {
    const parent = model.definitions.get(definition.site.through);
    field(definition.site.by, 'site');
    const { through, by, as = by } = definition.site;
    if (!parent) add('UnknownModule', `"${through}" in site`, through, model.definitions.keys());
    else if (!Object.hasOwn(parent.fields, as)) {
      add('UnknownField', `"${as}" of ${through} in site`, as, Object.keys(parent.fields));
    } else {
      if (isOtherwise(definition.fields[by], parent.fields[as]))
        add('LooseReference', `"${as}" of ${through} is of another type`, as, [], 'site');
    }
  }
  const { writes } = definition;
  if (writes && writes !== 'all') {
    const { modify = {}, delete: deletes = {}, fill = [] } = writes;
    for (const name of [...Object.keys(modify), ...Object.keys(deletes), ...fill]) field(name, 'writes');
  }
  for (const lines of definition.lines ?? []) {
    const target = model.definitions.get(lines.module);
    field(lines.by, 'lines');
    if (!target) add('UnknownModule', `"${lines.module}" in lines`, lines.module, model.definitions.keys(), 'lines');
    else if (!Object.hasOwn(target.fields, lines.by)) {
      const its = Object.keys(target.fields);
      add('UnknownField', `"${lines.by}" of ${lines.module} in lines`, lines.by, its, 'lines');
    } else if (lines.related) {
      if (isOtherwise(definition.fields[lines.by], target.fields[lines.by]))
        add('LooseReference', `"${lines.by}" of ${lines.module} is of another type`, lines.by, [], 'lines');
      if (!indexesOf(target).some((it) => it.columns[0] === lines.by))
        add('UnindexedLines', `${lines.module} has no index of "${lines.by}"`, lines.by, [], 'lines');
    }
    const { under } = lines;
    if (!under) continue;
    const above = definition.lines?.find((it) => it.name === under.name && it !== lines && !it.under);
    const names = definition.lines?.map((it) => it.name) ?? [];
    if (!above) add('UnknownField', `"${under.name}" above ${lines.name} in lines`, under.name, names);
    for (const module of above ? [above.module, lines.module] : []) {
      const fields = Object.keys(model.definitions.get(module)?.fields ?? {});
      if (!fields.includes(under.by)) add('UnknownField', `"${under.by}" of ${module} in lines`, under.by, fields);
    }
  }
  const buttons = new Set<string>();
  for (const button of definition.buttons ?? []) {
    if (buttons.has(button.btnNo))
      add('DuplicateButton', `"${button.btnNo}"`, button.btnNo, [], `buttons.${button.btnNo}`);
    buttons.add(button.btnNo);
    if (!registers.scripts.has(button.script) && !registers.scripts.has(`${where}:${button.script}`)) {
      const own = [...registers.scripts].map((it) => it.replace(`${where}:`, ''));
      const at = `buttons.${button.btnNo}.script`;
      add('UnknownScript', `"${button.script}" of button ${button.btnNo}`, button.script, own, at);
    }
    for (const name of Object.keys(button.when ?? {})) field(name, `buttons.${button.btnNo}.when`);
    for (const name of [button.field ?? [], button.by ?? []].flat()) field(name, `buttons.${button.btnNo}`);
  }
  return problems;
}

/** Two fields whose values the database can't compare. */
const isOtherwise = (own: Field | undefined, other: Field | undefined): boolean =>
  own !== undefined && other !== undefined && sqlTypes[own.type] !== sqlTypes[other.type];

/** What is computed can be reckoned, takes no value from anybody, and stands only where no index is asked for. */
function validateComputed(definition: Definition, name: string, field: Field, computed: string): DefinitionProblem[] {
  const { module: where, fields, search, list, indexes, unique, lines, viewOf, number, site, owner } = definition;
  const bad = (rule: string, what: string, part: string, of: string, suggestion?: string): DefinitionProblem => ({
    ...{ kind: 'BadExpression', rule, where, what: `"${name}" ${what}`, path: `fields.${name}.${part}`, name: of },
    ...(suggestion !== undefined && { suggestion }),
  });
  const problems: DefinitionProblem[] = [];
  const parsed = parseExpression(computed, field, fields);
  if (!computedTypes[field.type]) problems.push(bad('computedType', `can't be a ${field.type}`, 'type', field.type));
  else if ('fault' in parsed) {
    const { rule, name: at, suggestion } = parsed.fault;
    problems.push(bad(rule, `is computed by what can't be: ${at}`, 'computed', at, suggestion));
  }
  if (field.readOnly !== true || viewOf)
    problems.push(bad('computedReadOnly', 'is computed and written', 'computed', name));
  const strange = Object.keys(field).filter((it) => !computedParts.has(it));
  problems.push(...strange.map((it) => bad('computedAlone', `is computed and says "${it}"`, it, it)));
  const ruling = Object.values(fields).flatMap((it) => [
    ...Object.keys({ ...it.requiredWhen, ...it.visibleWhen, ...it.readOnlyWhen }),
    ...[it.minField ?? [], it.maxField ?? [], it.ref?.within?.of ?? []].flat(),
  ]);
  const elsewhere: [string, readonly string[]][] = [
    ['search', search ?? []],
    ['indexes', [...(indexes ?? []), ...(unique ?? [])].flat()],
    ['list.sort', [list?.sort?.replace(/^-/, '') ?? '']],
    ['lines', (lines ?? []).map((it) => it.by)],
    ['number', [number?.field ?? '']],
    ['site', Array.isArray(site) ? site : [typeof site === 'object' ? site.by : '']],
    ['owner', [owner?.field ?? '']],
    ['rules', ruling],
  ];
  const asked = elsewhere.filter(([, names]) => names.includes(name)).map(([part]) => part);
  return [
    ...problems,
    ...asked.map((it) => bad('computedElsewhere', `is computed and stands in ${it}`, 'computed', it)),
  ];
}

/** What a form starts with can be chosen, and its bounds leave something between them. */
function validateValues(where: string, name: string, field: Field, { options }: Model): DefinitionProblem[] {
  const { min, max, minLength, maxLength, default: first } = field;
  const problems: DefinitionProblem[] = [];
  const isEmpty = (from: number | undefined, to: number | undefined) =>
    from !== undefined && to !== undefined && from > to;
  if (isEmpty(min, max) || isEmpty(minLength, maxLength) || (maxLength !== undefined && maxLength < 1))
    problems.push({
      kind: 'BadBounds',
      where,
      what: `no value of "${name}" is within its bounds`,
      path: `fields.${name}`,
      name,
    });
  const { pattern, unit } = field;
  if (pattern && (field.type !== 'String' || !matches(pattern.mask, pattern.example)))
    problems.push({
      ...{ kind: 'BadPattern', where, what: `"${pattern.example}" does not look like "${pattern.mask}" of "${name}"` },
      ...{ path: `fields.${name}.pattern`, name: pattern.example },
    });
  if (unit && !isNumeric(field))
    problems.push({
      ...{ kind: 'BadUnit', where, what: `"${name}" has a unit and is no number`, path: `fields.${name}.unit`, name },
    });
  if (first === undefined) return problems;
  const bad = (why: string) =>
    problems.push({
      ...{ kind: 'BadDefault', where, what: `"${String(first)}" ${why} of "${name}"` },
      ...{ path: `fields.${name}.default`, name: String(first) },
    });
  if (
    field.options !== undefined &&
    Object.hasOwn(options, field.options) &&
    !isOffered(options, field.options, String(first))
  )
    bad('is no option');
  const asNumber = Number(first);
  const isNumber = summed.has(field.type);
  if (isNumber && (!Number.isFinite(asNumber) || String(first).trim() === '')) bad('is no number');
  else if (isNumber && (asNumber < (min ?? -Infinity) || asNumber > (max ?? Infinity))) bad('is not within the bounds');
  if (!isNumber && typeof first === 'string' && first.length > (maxLength ?? Infinity)) bad('is longer than any value');
  return problems;
}

/** A list says what its entries hold and how they read, and is only read: no form and no search sends one. */
function validateList({ module, form = [], search = [] }: Definition, name: string, field: Field): DefinitionProblem[] {
  const { items = {}, each = '' } = field;
  const bad = (what: string): DefinitionProblem => ({ kind: 'BadList', where: module, what: `"${name}" ${what}` });
  const problems = [...form.flat(), ...search].includes(name)
    ? [bad('is a List, which form and search can’t send')]
    : [];
  if (!field.items || !field.each) problems.push(bad('is a List without items or each'));
  const strange = namesInEach(each).filter((it) => !Object.hasOwn(items, it));
  return [...problems, ...strange.map((it) => bad(`has no "${it}" among its items`))];
}

function validateMenu(nodes: MenuNode[], model: Model): DefinitionProblem[] {
  return nodes.flatMap((node): DefinitionProblem[] => {
    const module = moduleOf(node.menuNo);
    // The entry of that module would be taken for the group, and stand nowhere.
    if (node.children && model.definitions.has(module))
      return [
        {
          kind: 'UnknownMenuEntry',
          rule: 'groupName',
          where: 'menu',
          what: `"${node.menuNo}" is a group`,
          path: node.menuNo,
          name: node.menuNo,
        },
      ];
    if (node.children) return validateMenu(node.children, model);
    if (model.definitions.has(module)) return [];
    return [
      {
        kind: 'UnknownMenuEntry',
        where: 'menu',
        what: `"${node.menuNo}"`,
        suggestion: nearest(module, model.definitions.keys()),
      },
    ];
  });
}

/**
 * The module of a menu entry or of a path: first letter in either case, a trailing `List` stripped. Rule: wire#paths.
 */
export function moduleOf(name: string): string {
  const bare = name.replace(/List$/, '');
  return bare.charAt(0).toLowerCase() + bare.slice(1);
}

/** What a list says of its columns, by where it says it. */
const partsOfColumns = ({ list }: Definition): readonly (readonly [string, readonly string[]])[] => [
  ['shown', list?.shown ?? []],
  ['under', Object.entries(list?.under ?? {}).flat()],
  ['groups', (list?.groups ?? []).flatMap((it) => it.columns)],
];
