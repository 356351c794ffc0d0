import { dequal } from 'dequal/lite';
import { indexesOf, isUnique, standardNames } from '#domain/definition/columns.ts';
import { boundsOf } from '#domain/definition/fieldBounds.ts';
import type { Altered, DefinitionChange } from '#domain/definition/change.ts';
import type { Definition, Field, MenuNode, Option } from '#domain/definition/grammar.ts';
import { isBlank } from '#domain/definition/fieldRules.ts';
import { forbiddenIn } from '#domain/definition/forbidden.ts';
import type { DefinitionProblem } from '#domain/definition/problems.ts';
import { altering, layOver, MENU, ownOf } from '#domain/definition/overlay.ts';
import { platformNames } from '#domain/rights.ts';
import { isListAddress } from '#domain/viewAddress.ts';

/** More than a table's list can be worked with; what is stored beside each row has its price. */
const MAX_FIELDS = 120;
/** Each is written with every row. */
export const MAX_INDEXES = 16;
/** The longest name of a module or a field. */
export const MAX_NAME = 40;
/** PostgreSQL cuts longer ones, and then finds no table of that name. */
const MAX_TABLE = 63;
const NAME = /^[a-z][A-Za-z0-9]*$/;

/** Names that a row or a call has already: PostgreSQL's own columns, a page's parameters, an answer's parts, JavaScript's. */
export const reservedNames: ReadonlySet<string> = new Set([
  ...['tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid'],
  ...['pageStart', 'pageCount', 'sortBy', 'order', 'lang', 'token', 'ids', 'adminAdvancedSearchGroup', 'exportColumns'],
  ...['total', 'columns', 'script'],
  ...['view', 'values', 'prototype', ...Object.getOwnPropertyNames(Object.prototype)],
]);

const alterable = new Set<keyof Field>([
  ...(['label', 'default', 'format', 'unit', 'pattern'] as const),
  ...(['required', 'minLength', 'maxLength', 'min', 'max', 'requiredWhen', 'readOnlyWhen'] as const),
]);
const sayable = new Set<string>([
  ...['definition', 'label', 'one', 'fields', 'search', 'list', 'form', 'detail'],
  ...['indexes', 'lines', 'buttons', 'buttonOrder', 'options', 'rights', 'contents'],
]);

/** Their rows give rights: a default would give, by whoever adds the next one, what its author may not have. */
const givingModules: ReadonlySet<string> = new Set(['adminUser', 'adminRole']);

/** What a change is judged against: what this version ships, and what is there now with earlier changes over it. */
interface Standing {
  shipped: Definition | undefined;
  current: Definition | undefined;
}

/** What a change may not do; empty when it may be laid over what is there. */
export function validateChange(
  { shipped, current }: Standing,
  module: string,
  change: DefinitionChange,
): DefinitionProblem[] {
  const no = forbiddenIn(module);
  if (module === MENU) return validateMenuChange(change, no);
  const strange = Object.keys(change).filter((it) => !sayable.has(it));
  if (strange.length > 0) return strange.map((it) => no('fixedPart', `"${it}" cannot be changed`, it, it));
  const problems = [
    ...validateLabels(change, no),
    ...Object.entries(change.options ?? {}).flatMap(([list, values]) => validateOptions(list, values, no)),
  ];
  if (!current) {
    if (!change.definition) return [no('noModule', 'there is no such module; a new one is published whole', '')];
    return [...problems, ...validateNew(change.definition, module, change, no)];
  }
  // What was made here and a version ships since is the same; another's module is not.
  if (change.definition && shipped?.table === change.definition.table) return problems;
  if (change.definition) return [moduleThere(module)];

  for (const [name, altered] of Object.entries(change.fields ?? {})) {
    const at = `fields.${name}`;
    const before = ownOf(current.fields, name);
    if (!before) {
      if (current.viewOf)
        problems.push(no('viewField', `${module} is a view, which has no room for "${name}"`, at, name));
      else if (!altered.type || !altered.label)
        problems.push(no('newField', `the new field "${name}" needs a type and a label`, at, name));
      else if (layOver(current, change).lines?.some((it) => it.name === name))
        problems.push(no('reservedName', `"${name}" is what lines are called`, at, name));
      else problems.push(...validateFieldName(name, no));
      continue;
    }
    problems.push(...validateAltered(name, before, altered, shipped && ownOf(shipped.fields, name), no));
    if (givingModules.has(module) && 'default' in altered && !dequal(altered.default ?? undefined, before.default))
      problems.push(no('fixedPart', `"${name}.default" of ${module} cannot be changed`, `${at}.default`, 'default'));
  }
  problems.push(
    ...validateForm(shipped, layOver(current, change), no),
    ...validateRights(layOver(current, change), change, no),
  );
  problems.push(
    ...validateButtons(shipped, current, change, no),
    ...validateLines(layOver(current, change), change, no),
  );
  problems.push(...validateSize(layOver(current, change), shipped, no));
  return problems;
}

/** A whole module is said under the name of one that is there. */
export const moduleThere = (module: string): DefinitionProblem =>
  forbiddenIn(module)('moduleThere', 'the module is there already', '');

/**
 * Whole modules that are said anew and are there already: only what was made here before a version shipped it goes on as that
 * one's. Rule: definitions#published-changes.
 * @param there the modules that are there: those that are shipped or in force
 */
export const saidAnew = (
  there: ReadonlyMap<string, unknown>,
  changes: readonly { module: string; change: Pick<DefinitionChange, 'definition'> }[],
): DefinitionProblem[] =>
  changes.flatMap(({ module, change }) => (change.definition && there.has(module) ? [moduleThere(module)] : []));

/** Groups in groups in groups are found by nobody. */
export const MENU_LEVELS = 3;

/** A tree of three levels, each group named in both languages, nothing in it twice, each list at an address of its own. */
function validateMenuChange({ menu, ...others }: DefinitionChange, no: No): DefinitionProblem[] {
  const [strange] = Object.keys(others);
  if (!menu || strange !== undefined)
    return [no('fixedPart', 'only the tree is said of the menu', '', strange ?? 'menu')];
  const seen = new Set<string>();
  const visit = (nodes: readonly MenuNode[], level: number): DefinitionProblem[] =>
    nodes.flatMap((node) => {
      const { menuNo, label, children } = node;
      const problems: DefinitionProblem[] = [];
      if (seen.has(menuNo)) problems.push(no('menuTwice', `"${menuNo}" is there twice`, menuNo, menuNo));
      seen.add(menuNo);
      if (!children && !isListAddress(menuNo))
        problems.push(no('menuAddress', `"${menuNo}" is another page's address`, menuNo, menuNo));
      if (level > MENU_LEVELS)
        problems.push(no('menuDepth', `"${menuNo}" is deeper than three levels`, menuNo, menuNo));
      if (children && !(label?.zh.trim() && label.en.trim()))
        problems.push(no('labelBoth', `the group "${menuNo}" needs a name in both languages`, menuNo, menuNo));
      return [...problems, ...visit(children ?? [], level + 1)];
    });
  return visit(menu, 1);
}

type No = (rule: string, what: string, path: string, name?: string) => DefinitionProblem;

function validateNew(definition: Definition, module: string, change: DefinitionChange, no: No): DefinitionProblem[] {
  const problems = Object.keys(definition.fields).flatMap((name) => validateFieldName(name, no));
  if (definition.module !== module)
    problems.push(no('moduleName', `the module calls itself "${definition.module}"`, 'module', definition.module));
  if (!NAME.test(module) || module.length > MAX_NAME || reservedNames.has(module) || platformNames.has(module))
    problems.push(no('reservedName', `"${module}" is no name for a module`, 'module', module));
  if (definition.table.length > MAX_TABLE)
    problems.push(no('tableLong', `"${definition.table}" is longer than ${MAX_TABLE}`, 'table', definition.table));
  for (const { btnNo } of definition.buttons ?? []) problems.push(...validateButtonName(btnNo, no));
  problems.push(...validateLines(definition, definition, no));
  return [...problems, ...validateRights(definition, change, no), ...validateSize(definition, undefined, no)];
}

/** Whatever people read has both languages: who works in the other one would read nothing, or a name of the code. */
function validateLabels(change: DefinitionChange, no: No): DefinitionProblem[] {
  const problems: DefinitionProblem[] = [];
  const visit = (value: unknown, path: string) => {
    if (typeof value !== 'object' || value === null) return;
    const { zh, en, ...others } = value as Record<string, unknown>;
    if (('zh' in value || 'en' in value) && Object.keys(others).length === 0) {
      const isSaid = (it: unknown) => typeof it === 'string' && it.trim() !== '';
      if (!isSaid(zh) || !isSaid(en)) problems.push(no('labelBoth', `${path} needs both languages`, path));
      return;
    }
    for (const [name, it] of Object.entries(value)) visit(it, path === '' ? name : `${path}.${name}`);
  };
  visit(change, '');
  return problems;
}

/** A role is given what the module has. */
function validateRights({ buttons = [] }: Definition, { rights = {} }: DefinitionChange, no: No): DefinitionProblem[] {
  const known = new Set(['list', ...buttons.map((it) => it.btnNo)]);
  return Object.entries(rights).flatMap(([roleId, given]) =>
    given
      .filter((it) => !known.has(it))
      .map((it) => no('noButton', `there is no button "${it}" for ${roleId}`, `rights.${roleId}`, it)),
  );
}

/** Lines stand beside the fields of their row on the wire, and are found by what no two rows share. */
function validateLines(laid: Definition, { lines = [] }: Pick<DefinitionChange, 'lines'>, no: No): DefinitionProblem[] {
  const taken = [...Object.keys(laid.fields), ...standardNames, ...reservedNames];
  return lines.flatMap(({ name, by }) => {
    const at = `lines.${name}`;
    const isTaken = taken.includes(name);
    return [
      ...(isTaken || !NAME.test(name) ? [no('linesName', `"${name}" is no name for lines`, at, name)] : []),
      ...(isUnique(laid, by) ? [] : [no('linesKey', `rows may share "${by}", by which ${name} are found`, at, by)]),
    ];
  });
}

/** A new field's name becomes a column's and a parameter's. */
function validateFieldName(name: string, no: No): DefinitionProblem[] {
  const isFree = !reservedNames.has(name) && !(standardNames as string[]).includes(name);
  if (!isFree)
    return [no('reservedName', `"${name}" is a name that the database or a call keeps`, `fields.${name}`, name)];
  if (NAME.test(name) && name.length <= MAX_NAME) return [];
  return [no('badName', `"${name}" is no name: letters and digits, a small one first`, `fields.${name}`, name)];
}

/** What stands in the shipped files is law; what an earlier change brought may be loosened by a later one, but keeps its type. */
function validateAltered(
  name: string,
  before: Field,
  altered: Altered<Field>,
  shipped: Field | undefined,
  no: No,
): DefinitionProblem[] {
  const at = (part: string) => `fields.${name}.${part}`;
  if ('type' in altered && altered.type !== before.type)
    return [no('typeFixed', `"${name}.type" stays ${before.type}`, at('type'), name)];
  if ('computed' in altered && (before.computed === undefined) !== (altered.computed == null))
    return [no('computedFixed', `"${name}" is computed from the beginning or never`, at('computed'), name)];
  // Whoever does not see the values of other sites could let himself see them.
  if (before.site && 'site' in altered && !dequal(altered.site, before.site))
    return [no('siteFixed', `"${name}.site" is said from the beginning`, at('site'), name)];
  if (!shipped) return [];
  const problems = (Object.keys(altered) as (keyof Field)[])
    .filter((part) => !alterable.has(part) && !dequal(altered[part], before[part]))
    .map((part) => no('fixedPart', `"${name}.${part}" of a shipped field cannot be changed`, at(part), part));
  const loosened = (part: keyof Field) =>
    problems.push(no('loosened', `"${name}.${part}" of a shipped field can be tightened only`, at(part), name));
  const laid = altering(before, altered);
  if (shipped.required && !laid.required) loosened('required');
  const [is, was] = [boundsOf(laid), boundsOf(shipped)];
  for (const part of ['max', 'maxLength'] as const) {
    if (part in altered && (is[part] ?? Infinity) > (was[part] ?? Infinity)) loosened(part);
  }
  for (const part of ['min', 'minLength'] as const) {
    if (part in altered && (is[part] ?? -Infinity) < (was[part] ?? -Infinity)) loosened(part);
  }
  for (const part of ['requiredWhen', 'readOnlyWhen'] as const) {
    if (part in altered && shipped[part] && !dequal(altered[part], shipped[part])) loosened(part);
  }
  for (const part of ['format', 'unit', 'pattern'] as const) {
    if (part in altered && shipped[part] && !dequal(altered[part], shipped[part]))
      problems.push(no('fixedPart', `"${name}.${part}" of a shipped field cannot be changed`, at(part), name));
  }
  return problems;
}

/** A form that leaves out what it requires, and that has no default, could never be saved. */
function validateForm(shipped: Definition | undefined, { form, fields }: Definition, no: No): DefinitionProblem[] {
  if (!form || !shipped?.form) return [];
  const there = new Set(form.flat());
  const isNeeded = (name: string) => shipped.fields[name]?.required === true && isBlank(fields[name]?.default);
  return shipped.form
    .flat()
    .filter((name) => isNeeded(name) && !there.has(name))
    .map((name) => no('formNeeds', `the form requires "${name}"`, 'form', name));
}

/** A shipped button keeps what it does; that it is offered for fewer rows, or to nobody, is its form. */
function validateButtons(
  shipped: Definition | undefined,
  current: Definition,
  { buttons = {}, buttonOrder = [] }: DefinitionChange,
  no: No,
): DefinitionProblem[] {
  const problems: DefinitionProblem[] = [];
  const known = new Set([...(current.buttons ?? []).map((it) => it.btnNo), ...Object.keys(buttons)]);
  for (const btnNo of buttonOrder) {
    if (!known.has(btnNo)) problems.push(no('noButton', `there is no button "${btnNo}"`, 'buttonOrder', btnNo));
  }
  for (const [btnNo, altered] of Object.entries(buttons)) {
    const at = `buttons.${btnNo}`;
    const before = current.buttons?.find((it) => it.btnNo === btnNo);
    const law = shipped?.buttons?.find((it) => it.btnNo === btnNo);
    if (!before) {
      if (!altered.script) problems.push(no('noButton', `there is no button "${btnNo}"`, at, btnNo));
      else if (!altered.label) problems.push(no('newButton', `the new button "${btnNo}" needs a label`, at, btnNo));
      else problems.push(...validateButtonName(btnNo, no));
      continue;
    }
    if ('script' in altered && altered.script !== before.script)
      problems.push(no('fixedPart', `"${btnNo}.script" cannot be changed`, `${at}.script`, btnNo));
    if (law && 'rows' in altered && altered.rows !== law.rows)
      problems.push(no('fixedPart', `"${btnNo}.rows" of a shipped button cannot be changed`, `${at}.rows`, btnNo));
    if (
      law &&
      'when' in altered &&
      Object.entries(law.when ?? {}).some(([name, it]) => !isWithin(altered.when?.[name], it))
    )
      problems.push(no('loosened', `"${btnNo}.when" of a shipped button can be narrowed only`, `${at}.when`, btnNo));
  }
  return problems;
}

/** It becomes a right beside the list's own and the one to all of them. */
const validateButtonName = (btnNo: string, no: No): DefinitionProblem[] =>
  NAME.test(btnNo) && btnNo !== 'list'
    ? []
    : [no('badName', `"${btnNo}" is no name for a button`, `buttons.${btnNo}`, btnNo)];

/** Whether a condition takes no other values than an earlier one. */
const isWithin = (values: string | string[] | undefined, among: string | string[]): boolean =>
  values !== undefined && [values].flat().every((it) => [among].flat().includes(it));

/** Each value of a list once, and something left that may be chosen. */
function validateOptions(list: string, values: readonly Option[], no: No): DefinitionProblem[] {
  const at = `options.${list}`;
  const twice = values.filter((it, i) => values.findIndex((other) => other.value === it.value) !== i);
  return [
    ...(reservedNames.has(list) ? [no('reservedName', `"${list}" is no name of a list`, at, list)] : []),
    ...(NAME.test(list) && list.length <= MAX_NAME
      ? []
      : [no('badName', `"${list}" is no name of a list: letters and digits, a small one first`, at, list)]),
    ...twice.map((it) => no('optionTwice', `"${it.value}" of ${list} is there twice`, at, it.value)),
    ...(values.every((it) => it.retired) ? [no('noOption', `${list} offers nothing`, at, list)] : []),
  ];
}

function validateSize(laid: Definition, shipped: Definition | undefined, no: No): DefinitionProblem[] {
  const fields = Object.keys(laid.fields).length;
  const indexes = indexesOf(laid).length;
  const mostFields = Math.max(MAX_FIELDS, Object.keys(shipped?.fields ?? {}).length);
  const mostIndexes = Math.max(MAX_INDEXES, shipped ? indexesOf(shipped).length : 0);
  return [
    ...(fields > mostFields
      ? [no('tooManyFields', `${fields} fields, ${mostFields} at most`, 'fields', String(mostFields))]
      : []),
    ...(indexes > mostIndexes
      ? [no('tooManyIndexes', `${indexes} indexes, ${mostIndexes} at most`, 'indexes', String(mostIndexes))]
      : []),
  ];
}
