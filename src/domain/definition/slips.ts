import { dequal } from 'dequal/lite';
import { buttonSlips, strayButtons } from '#domain/definition/buttonSlips.ts';
import type { DefinitionChange } from '#domain/definition/change.ts';
import { evaluate, namedFields, type Expression, type Operator } from '#domain/definition/expression.ts';
import { boundsOf, isAmount, typeLimits } from '#domain/definition/fieldBounds.ts';
import { findFault, normaliseText } from '#domain/definition/fieldRules.ts';
import { isNumeric } from '#domain/definition/isNumeric.ts';
import type { Definition, Field, MenuNode, Model, Option, OptionLists, When } from '#domain/definition/grammar.ts';
import { toldOverSites } from '#domain/definition/keys.ts';
import {
  alikeModules,
  labelSlips,
  menuLabelSlips,
  modulesByName,
  movedLabels,
  optionLabelSlips,
  takenButtonWords,
  type LabelSlip,
  type ModulesByName,
} from '#domain/definition/labelSlips.ts';
import { validateNamePlaces } from '#domain/definition/nameSlips.ts';
import { MODULES_LIST, readLists, readValues } from '#domain/definition/options.ts';
import { MENU, nodesIn } from '#domain/definition/overlay.ts';
import { parseExpression } from '#domain/definition/parseExpression.ts';
import { moduleOf, type DefinitionProblem } from '#domain/definition/problems.ts';
import { rowsAre } from '#domain/definition/rowsOf.ts';
import { isSwitch } from '#domain/definition/switches.ts';
import { CURRENCY, DOLLARS } from '#domain/money.ts';
import { hiddenSignOf } from '#domain/signs.ts';
import { atOnce, type Steps } from '#domain/steps.ts';
import { inBoth } from '#domain/words.ts';
import { readAs } from '#domain/definition/readAlike.ts';

interface Change {
  module: string;
  change: DefinitionChange;
}

/** What is told and can be published all the same: somebody may mean it. */
const mayBeMeant: ReadonlySet<string> = new Set([
  ...[
    'optionSwapped',
    'optionAsValue',
    'optionRetiredWords',
    'changesNothing',
    'labelAlike',
    'labelAsName',
    'labelMoved',
    'menuLoses',
  ],
  ...['uniqueOverSites', 'buttonAlike', 'moduleAlike', 'optionsIdle'],
]);

/**
 * What the grammar allows and nobody can mean: rules that never hold, what is required and entered nowhere, options that
 * nobody can tell apart, buttons that bear each other's words, a studio without a way into it. Of what is in force already nothing is said again. Errors are in the
 * way of a publish, warnings are told. Rule: definitions#slips.
 * @param before the model that is in force
 * @param after the same with the changes laid over it
 * @param shipped the model as this version ships it; left out, as it is in force
 */
export function validateSlips(...asked: Parameters<typeof slipsInSteps>): Slips {
  return atOnce(slipsInSteps(...asked));
}

interface Slips {
  errors: DefinitionProblem[];
  warnings: DefinitionProblem[];
}

/** The same module by module: of a large draft it takes long. */
export function* slipsInSteps(
  before: Model,
  after: Model,
  changes: readonly Change[],
  shipped: Pick<Model, 'definitions' | 'options'> = before,
): Steps<Slips> {
  const modules = [...new Set(changes.map((it) => it.module))];
  const [namesBefore, namesAfter] = [
    modulesByName(before.definitions.values()),
    modulesByName(after.definitions.values()),
  ];
  const found: DefinitionProblem[] = [];
  for (const it of modules) {
    const known = new Set(slipsOf(it, before, namesBefore).map(keyOf));
    yield;
    found.push(...slipsOf(it, after, namesAfter).filter((one) => !known.has(keyOf(one))));
    found.push(...lockedIn(it, before, after));
    yield;
  }
  for (const it of changes) {
    for (const list of Object.keys(it.change.options ?? {})) {
      found.push(...optionSlips(it.module, list, { before, after, shipped: shipped.options }));
      yield;
    }
  }
  found.push(...tooManyOptions(before, after, changes), ...idleOptions(before, after, changes));
  // Its calls would be those of the module without the ending. Rule: definitions#modules.
  const misnamed = changes.filter(({ module, change }) => change.definition && moduleOf(module) !== module);
  found.push(...misnamed.map(({ module }) => slip('reservedName', module, 'module', module)));
  for (const it of modules) {
    found.push(...movedIn(it, before, after));
    yield;
  }
  found.push(...changes.flatMap(droppedIn));
  for (const it of modules) {
    found.push(...takenIn(it, before, after, shipped), ...strayIn(it, before, after, shipped));
    yield;
  }
  found.push(...changes.flatMap(({ change: { menu } }) => (menu ? lostIn(menu, before, after) : [])));
  const idle = changes.filter((it) => changesNothing(it, before, after));
  found.push(...idle.map(({ module }) => slip('changesNothing', module, '', module)));
  const isWarning = (it: DefinitionProblem) => mayBeMeant.has(it.rule ?? '');
  return { errors: found.filter((it) => !isWarning(it)), warnings: found.filter(isWarning) };
}

const slip = (rule: string, where: string, path: string, name: string): DefinitionProblem => ({
  ...{ kind: 'Slip', rule, where, what: `${rule} at ${path || where}: "${name}"`, path, name },
});
const ofLabels = (where: string, all: readonly LabelSlip[]) =>
  all.map(([rule, path, name]) => slip(rule, where, path, name));
const keyOf = ({ where, rule, path, name }: DefinitionProblem) => `${where} ${rule} ${path} ${name}`;

/** What may be said beside a whole new module; anything else belongs into it. */
const besides: ReadonlySet<string> = new Set(['definition', 'options', 'rights', 'contents']);

function droppedIn({ module, change }: Change): DefinitionProblem[] {
  if (!change.definition) return [];
  const dropped = Object.keys(change).filter((it) => !besides.has(it));
  return dropped.map((it) => slip('besideDefinition', module, it, it));
}

function movedIn(module: string, before: Model, after: Model): DefinitionProblem[] {
  const [was, is] = [before.definitions.get(module), after.definitions.get(module)];
  return was && is ? ofLabels(module, movedLabels(was, is)) : [];
}

function takenIn(
  module: string,
  before: Model,
  after: Model,
  shipped: Pick<Model, 'definitions'>,
): DefinitionProblem[] {
  const is = after.definitions.get(module);
  const former = [before, shipped].flatMap(({ definitions }) => definitions.get(module) ?? []);
  return is ? ofLabels(module, takenButtonWords(former, is)) : [];
}

/** Of buttons that are new; those in force are not asked about again. */
function strayIn(
  module: string,
  before: Model,
  after: Model,
  shipped: Pick<Model, 'definitions'>,
): DefinitionProblem[] {
  const strayOf = ({ definitions }: Model) => {
    const definition = definitions.get(module);
    return definition ? ofLabels(module, strayButtons(definition, shipped.definitions)) : [];
  };
  const known = new Set(strayOf(before).map(keyOf));
  return strayOf(after).filter((it) => !known.has(keyOf(it)));
}

/** New lists of options that no field has: nobody would ever choose from them. */
function idleOptions(before: Model, after: Model, changes: readonly Change[]): DefinitionProblem[] {
  const used = new Set(
    [...after.definitions.values()].flatMap((it) => Object.values(it.fields).flatMap((field) => field.options ?? [])),
  );
  return changes.flatMap(({ module, change: { options = {} } }) =>
    Object.keys(options)
      .filter((list) => !Object.hasOwn(before.options, list) && !used.has(list))
      .map((list) => slip('optionsIdle', module, `options.${list}`, list)),
  );
}

/** Rights are told of where the roles are known. */
function changesNothing({ module, change }: Change, before: Model, after: Model): boolean {
  if (Object.keys(change.rights ?? {}).length > 0) return false;
  if (module === MENU) return dequal(before.menu, after.menu);
  const lists = Object.keys(change.options ?? {});
  return (
    dequal(before.definitions.get(module), after.definitions.get(module)) &&
    lists.every((it) => dequal(before.options[it], after.options[it]))
  );
}

function slipsOf(module: string, model: Model, names: ModulesByName): DefinitionProblem[] {
  if (module === MENU) return ofLabels(MENU, menuLabelSlips(model.menu));
  const definition = model.definitions.get(module);
  if (!definition) return [];
  const { fields, buttons = [], rowsOf } = definition;
  const base = rowsAre(definition, model);
  return [
    ...Object.entries(fields).flatMap(([name, field]) => [
      ...entrySlips(definition, name, field, model),
      ...valueSlips(definition, name, field),
      ...(field.computed === undefined ? [] : expressionSlips(definition, name, field, model)),
      // The rows have the other's columns: what a list says of one would be nowhere but in a preview.
      ...(rowsOf && field.computed !== undefined
        ? [slip('computedInList', module, `fields.${name}.computed`, name)]
        : []),
    ]),
    ...ofLabels(module, buttonSlips(definition)),
    ...buttons.flatMap((it) => conditionSlips(definition, it.when, `buttons.${it.btnNo}.when`, model)),
    ...conditionSlips({ module, fields: base.fields }, rowsOf?.when, 'rowsOf', model),
    ...switchSlips(definition, model),
    ...totalSlips(definition, model),
    ...validateNamePlaces(definition),
    ...toldOverSites(definition).map(([path, name]) => slip('uniqueOverSites', module, path, name)),
    ...ofLabels(module, labelSlips(definition)),
    ...ofLabels(module, alikeModules(definition, names)),
  ];
}

/**
 * Without these nobody gets into the studio, and nothing that hid them could be taken back there; or nobody switches accounts
 * off.
 */
const waysIn: ReadonlySet<string> = new Set([
  ...['sysModule:newModule', 'sysModule:configure', 'sysModule:configureMenu'],
  ...['sysDraft:configure', 'sysDraft:publish', 'sysPublish:takeBack', 'adminUser:modify'],
]);

/** A way in that was shown and is not any more, or for fewer rows than before. */
function lockedIn(module: string, before: Model, after: Model): DefinitionProblem[] {
  if (module === MENU) {
    const still = new Set(shownIn(after.menu));
    const isWayIn = (menuNo: string) => [...waysIn].some((it) => it.startsWith(`${moduleOf(menuNo)}:`));
    const gone = shownIn(before.menu).filter((it) => isWayIn(it) && !still.has(it));
    return gone.map((it) => slip('lockedOut', MENU, it, it));
  }
  const [was = [], is = []] = [before, after].map((it) => it.definitions.get(module)?.buttons);
  return was.flatMap((it) => {
    if (it.hidden || !waysIn.has(`${module}:${it.btnNo}`)) return [];
    const laid = is.find((other) => other.btnNo === it.btnNo);
    const lost = !laid || laid.hidden ? 'hidden' : isNarrower(it.when, laid.when) ? 'when' : undefined;
    return lost ? [slip('lockedOut', module, `buttons.${it.btnNo}.${lost}`, it.btnNo)] : [];
  });
}

/** Fewer rows have these values than had those. */
const isNarrower = (was: When = {}, is: When = {}): boolean =>
  Object.entries(is).some(([name, values]) => {
    const before = was[name];
    return before === undefined || listed(before).some((it) => !listed(values).includes(it));
  });

/** The entries that stand in a menu, none of a hidden group. */
const shownIn = (nodes: readonly MenuNode[]): string[] =>
  nodes.flatMap(({ menuNo, hidden, children }) => (hidden ? [] : children ? shownIn(children) : [menuNo]));

/** What stood in the menu, or is said of it, and stands there no more; a group that held nothing is taken out knowingly. */
function lostIn(menu: readonly MenuNode[], before: Model, after: Model): DefinitionProblem[] {
  const still = new Set(nodesIn(after.menu).map((it) => it.menuNo));
  const said = new Map([...nodesIn(menu), ...nodesIn(before.menu)].map((it) => [it.menuNo, it]));
  return [...said.values()]
    .filter((it) => !still.has(it.menuNo) && it.children?.length !== 0)
    .map(({ menuNo, label }) => slip('menuLoses', MENU, menuNo, label ? inBoth(label.zh, label.en) : menuNo));
}

type Fields = Pick<Definition, 'module' | 'fields'>;
const conditions = ['visibleWhen', 'requiredWhen', 'readOnlyWhen'] as const;
const listed = (values: string | string[] | undefined): string[] => (values === undefined ? [] : [values].flat());

/** What is asked of whoever fills in a form can be done there. */
function entrySlips(definition: Definition, name: string, field: Field, model: Model): DefinitionProblem[] {
  const { module, fields, form = [], number } = definition;
  const at = (part: string) => `fields.${name}.${part}`;
  const isSecret = (it: string) => Object.hasOwn(fields, it) && fields[it]?.type === 'password';
  // How many rows are shown a field by it would tell what it is.
  const problems = conditions.flatMap((it) => [
    ...conditionSlips(definition, field[it], at(it), model),
    ...Object.keys(field[it] ?? {})
      .filter(isSecret)
      .map((other) => slip('secretField', module, at(it), other)),
  ]);
  const { required, requiredWhen, visibleWhen, readOnlyWhen, readOnly } = field;
  const isGiven = field.default !== undefined || field.computed !== undefined || number?.field === name;
  if ((required === true || requiredWhen) && !isGiven) {
    const part = required === true ? 'required' : 'requiredWhen';
    const asked = required === true ? {} : (requiredWhen ?? {});
    if (readOnly === true || (readOnlyWhen && holdsWhere(asked, readOnlyWhen, fields, model)))
      problems.push(slip('requiredReadOnly', module, at(part), name));
    else if (!form.flat().includes(name)) problems.push(slip('requiredNowhere', module, at(part), name));
  }
  for (const part of ['requiredWhen', 'readOnlyWhen'] as const) {
    const other = Object.keys(field[part] ?? {}).find(
      (it) => visibleWhen?.[it] !== undefined && !overlap(visibleWhen[it], field[part]?.[it]),
    );
    if (other !== undefined) problems.push(slip('conditionHidden', module, at(part), other));
  }
  if (field.unique && field.default !== undefined && form.flat().includes(name))
    problems.push(slip('uniqueStart', module, at('default'), name));
  if (needsItself(name, fields)) problems.push(slip('visibleCircle', module, at('visibleWhen'), name));
  return problems;
}

/** What switches accounts stays in the form, and takes each of its values whatever else stands there. */
function switchSlips(definition: Definition, model: Model): DefinitionProblem[] {
  const { module, fields, form = [] } = definition;
  return Object.entries(fields).flatMap(([name, field]) => {
    if (!isSwitch(definition, name)) return [];
    const values = valuesOf(field, model);
    const rules = [
      ...(['visibleWhen', 'readOnlyWhen', 'minField', 'maxField'] as const).filter((it) => field[it] !== undefined),
      ...(['minLength', 'maxLength', 'min', 'max', 'pattern'] as const).filter(
        (it) =>
          field[it] !== undefined && values.some((value) => findFault({ type: field.type, [it]: field[it] }, value)),
      ),
    ];
    const stays = form.flat().includes(name) ? [] : [slip('switchKept', module, 'form', name)];
    return [...rules.map((it) => slip('switchKept', module, `fields.${name}.${it}`, name)), ...stays];
  });
}

const overlap = (a: When[string], b: When[string] | undefined) => listed(a).some((it) => listed(b).includes(it));

/** Whether one condition holds wherever another does: it asks for no more, or for what its field always has. */
function holdsWhere(asked: When, condition: When, fields: Definition['fields'], model: Model): boolean {
  return Object.entries(condition).every(([name, values]) => {
    const field = fields[name];
    const known = asked[name] ?? [...(field?.required ? [] : ['']), ...valuesOf(field, model)];
    return listed(known).length > 0 && listed(known).every((it) => listed(values).includes(it));
  });
}

const valuesOf = (field: Field | undefined, { options }: Model): string[] =>
  field?.options === undefined || !Object.hasOwn(options, field.options)
    ? ['something else']
    : (options[field.options] ?? []).map((it) => it.value);

/** What shows only while something is in itself, however long the chain, is never shown. */
function needsItself(name: string, fields: Definition['fields']): boolean {
  const needed = (of: string) =>
    Object.entries((Object.hasOwn(fields, of) && fields[of]?.visibleWhen) || {})
      .filter(([, values]) => !listed(values).includes(''))
      .map(([other]) => other);
  // Each field once: of chains that go apart and together again there are more than anybody can walk.
  const all = new Set(needed(name));
  for (const it of all) if (it !== name) for (const other of needed(it)) all.add(other);
  return all.has(name) && fields[name]?.default === undefined;
}

/** A condition asks for values that its field can have. */
function conditionSlips(
  { module, fields }: Fields,
  when: When | undefined,
  path: string,
  model: Model,
): DefinitionProblem[] {
  return Object.entries(when ?? {}).flatMap(([name, values]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (listed(values).length === 0) return [slip('conditionEmpty', module, path, name)];
    const strange = listed(values).filter((it) => field && !canBe(field, it, model));
    return strange.map((it) => slip('conditionValue', module, path, it));
  });
}

function canBe(field: Field, value: string, { options }: Model): boolean {
  if (value === '' || field.ref || field.computed !== undefined) return true;
  if (field.options !== undefined) return !Object.hasOwn(options, field.options) || valuesIn(options, field, value);
  const isText = field.type === 'String' || field.type === 'LongString';
  return findFault(field, value) === null && (!isText || normaliseText(field, value, field.sn) === value);
}
const valuesIn = (options: Model['options'], { options: list = '' }: Field, value: string) =>
  (options[list] ?? []).some((it) => it.value === value);

/** The rules of a field leave a value, its start and its example among them. */
function valueSlips({ module, fields }: Definition, name: string, field: Field): DefinitionProblem[] {
  const problems: DefinitionProblem[] = [];
  const at = (part: string) => `fields.${name}.${part}`;
  const { default: first, pattern, computed } = field;
  for (const part of ['format', 'sn', 'upperCase'] as const)
    if (field[part] && !typesOf(part, field.format).has(field.type))
      problems.push(slip('formatUnfit', module, at(part), part === 'format' ? (field.format ?? '') : part));
  if (computed !== undefined) return problems;
  problems.push(...beyondSlips(module, name, field));
  const { min = -Infinity, max = Infinity, minLength = 0, maxLength = Infinity } = boundsOf(field);
  const isWhole = field.type === 'Integer' || field.type === 'Long';
  const isEmpty = isWhole ? Math.ceil(min) > Math.floor(max) : min > max;
  if (isEmpty || minLength > maxLength) problems.push({ ...slip('', module, `fields.${name}`, name), ...BAD_BOUNDS });
  else if (first !== undefined && field.options === undefined && !field.ref && findFault(field, first))
    problems.push(slip('defaultUnfit', module, at('default'), String(first)));
  if (pattern && findFault(field, pattern.example))
    problems.push(slip('exampleUnfit', module, at('pattern'), pattern.example));
  for (const part of ['minField', 'maxField'] as const) {
    const other = field[part];
    const beside = other !== undefined && Object.hasOwn(fields, other) ? fields[other] : undefined;
    if (!beside || other === undefined) continue;
    const its = boundsOf(beside);
    const isApart =
      part === 'minField' ? max < (its.min ?? -Infinity) : isNumeric(beside) && min > (its.max ?? Infinity);
    if (measureOf(field) !== measureOf(beside)) problems.push(slip('boundKind', module, at(part), other));
    else if (isNumeric(field) && isApart) problems.push(slip('boundsApart', module, at(part), other));
  }
  return problems;
}

/** Values up to there could be entered, and not kept as they were. */
function beyondSlips(module: string, name: string, field: Field): DefinitionProblem[] {
  const limits = typeLimits[field.type];
  if (!limits) return [];
  const isBeyond = (it: number | undefined) => it !== undefined && (it < limits.min || it > limits.max);
  return (['min', 'max'] as const)
    .filter((part) => isBeyond(field[part]))
    .map((part) => slip('boundBeyond', module, `fields.${name}.${part}`, String(limits[part])));
}

const texts: ReadonlySet<string> = new Set(['String', 'LongString', 'select']);
const typesByFormat: Partial<Record<string, ReadonlySet<string>>> = {
  percent: new Set(['BigDecimal', 'Number']),
  number: new Set(['BigDecimal']),
  code: new Set(['String', 'LongString', 'select', 'Integer', 'Long', 'Month']),
  age: new Set(['date', 'dateTime']),
};

/** The types whose values can be shown, read and searched by a format, or taken for an SN or in capitals. */
const typesOf = (part: 'format' | 'sn' | 'upperCase', format = ''): ReadonlySet<string> =>
  (part === 'format' && typesByFormat[format]) || texts;

const BAD_BOUNDS = { kind: 'BadBounds', rule: 'BadBounds' } as const;

const measureOf = (field: Field): string => {
  if (isNumeric(field)) return 'number';
  if (field.type === 'date' || field.type === 'dateTime') return 'moment';
  return field.type === 'Month' ? 'month' : 'text';
};

/** What is computed divides by something, and what it asks may be one way or the other. */
function expressionSlips(definition: Definition, name: string, field: Field, model: Model): DefinitionProblem[] {
  const { module, fields } = definition;
  const parsed = parseExpression(field.computed ?? '', field, fields);
  if (!('expression' in parsed)) return [];
  const at = `fields.${name}.computed`;
  const visit = (it: Expression): DefinitionProblem[] => {
    if (it.op === 'field') return [];
    if (it.op === 'value') {
      const sign = it.kind === 'text' ? hiddenSignOf(it.value) : undefined;
      return sign === undefined ? [] : [slip('expressionSigns', module, at, sign)];
    }
    const [a, b] = it.args as [Expression, Expression];
    const problems = it.args.flatMap(visit);
    if (it.op === '/' && namedFields(b).length === 0 && Number(evaluate('BigDecimal', b, {})) === 0)
      problems.push(slip('expressionZero', module, at, name));
    if (it.kind !== 'truth') return problems;
    if (namedFields(it).length === 0 || (it.args.length === 2 && dequal(a, b)))
      problems.push(slip('expressionConstant', module, at, name));
    const asked = comparisonOf(it);
    const compared = asked && fields[asked.field];
    if (asked && compared && equalities.has(asked.op) && !canBe(compared, asked.value, model))
      problems.push(slip('expressionValue', module, at, asked.value));
    else if (!canHold(comparisonsIn(it), fields)) problems.push(slip('expressionNever', module, at, name));
    return problems;
  };
  const all = visit(parsed.expression);
  return all.filter((it, i) => all.findIndex((other) => keyOf(other) === keyOf(it)) === i);
}

interface Comparison {
  field: string;
  op: Operator;
  value: string;
  isText: boolean;
}
const mirrored: Partial<Record<Operator, Operator>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };
const equalities: ReadonlySet<Operator> = new Set(['==', '!=']);

/** Of what compares a field with a value. */
function comparisonOf(it: Expression): Comparison | undefined {
  if (it.op === 'value' || it.op === 'field') return undefined;
  const [a, b] = it.args;
  if (a?.op === 'field' && b?.op === 'value')
    return { field: a.name, op: it.op, value: b.value, isText: b.kind === 'text' };
  if (a?.op === 'value' && b?.op === 'field')
    return { field: b.name, op: mirrored[it.op] ?? it.op, value: a.value, isText: a.kind === 'text' };
  return undefined;
}

/** Those that all have to hold for it to hold. */
const comparisonsIn = (it: Expression): Comparison[] =>
  it.op === 'and' ? it.args.flatMap(comparisonsIn) : [comparisonOf(it) ?? []].flat();

/** Whether values within the bounds of their fields meet all of the comparisons. */
function canHold(all: readonly Comparison[], fields: Definition['fields']): boolean {
  return [...new Set(all.map((it) => it.field))].every((name) => {
    const own = all.filter((it) => it.field === name);
    const texts = own.filter((it) => it.isText && it.op === '==').map((it) => it.value);
    const field = fields[name];
    if (texts.length > 0 || !field || !isNumeric(field)) return new Set(texts).size <= 1;
    const { min = -Infinity, max = Infinity } = boundsOf(field);
    const of = (...ops: Operator[]) => own.filter((it) => ops.includes(it.op)).map((it) => Number(it.value));
    const [above, below] = [of('>'), of('<')];
    const from = Math.max(min, ...above, ...of('>=', '=='));
    const to = Math.min(max, ...below, ...of('<=', '=='));
    return from < to || (from === to && !above.includes(from) && !below.includes(to));
  });
}

/** Amounts are added up by the currencies of their rows, which the field of that name says alone. */
function totalSlips({ module, fields, list }: Definition, { options }: Model): DefinitionProblem[] {
  if (Object.hasOwn(fields, CURRENCY)) return [];
  const isCurrency = (field: Field) => valuesIn(options, field, DOLLARS);
  const [other] = Object.entries(fields).find(([, it]) => it.options !== undefined && isCurrency(it)) ?? [];
  const sums = (list?.totals ?? []).filter((it) => Object.hasOwn(fields, it) && isAmount(fields[it] as Field));
  return other === undefined ? [] : sums.map((it) => slip('mixedTotal', module, 'list.totals', it));
}

/** All lists together, with what is shipped: browsers keep them, and pages are drawn by them. */
export const MOST_OPTIONS = 3_000;

const countOptions = ({ options }: Model): number => Object.values(options).reduce((sum, it) => sum + it.length, 0);

/** Where they are too many already, nothing is said of a change that adds none. */
function tooManyOptions(before: Model, after: Model, changes: readonly Change[]): DefinitionProblem[] {
  const count = countOptions(after);
  if (count <= MOST_OPTIONS || count <= countOptions(before)) return [];
  const adding = changes.find(({ change }) => Object.keys(change.options ?? {}).length > 0);
  return adding ? [slip('tooManyOptions', adding.module, 'options', String(count))] : [];
}

function optionSlips(
  module: string,
  list: string,
  { before, after, shipped }: { before: Model; after: Model; shipped: OptionLists },
): DefinitionProblem[] {
  if (list === MODULES_LIST) return [slip('optionComputed', module, `options.${list}`, list)];
  const [was, values] = [before.options[list] ?? [], after.options[list] ?? []];
  const known = new Set(listSlips(module, list, was).map(keyOf));
  const former = byValue(was);
  return [
    ...values.flatMap((it) => [
      ...(readLists.has(list) && !former.has(it.value)
        ? [slip('optionRead', module, `options.${list}`, it.value)]
        : []),
      ...(isReadIn(list, it.value) && it.retired && former.get(it.value)?.retired !== true
        ? [slip('optionKept', module, `options.${list}`, it.value)]
        : []),
    ]),
    ...listSlips(module, list, values).filter((it) => !known.has(keyOf(it))),
    ...swappedIn(list, { before: was, shipped: shipped[list] ?? [], after: values }).map(([rule, name]) =>
      slip(rule, module, `options.${list}`, name),
    ),
  ];
}

/** Of several of one value the first. */
const byValue = (all: readonly Option[]): ReadonlyMap<string, Option> =>
  new Map(all.toReversed().map((it) => [it.value, it]));

/** The values of a list can be told apart by their words, as people choose and imports find them by these. */
function listSlips(module: string, list: string, values: readonly Option[]): DefinitionProblem[] {
  const no = (rule: string, name: string) => slip(rule, module, `options.${list}`, name);
  const ofValue = new Map<string, Option[]>();
  const byWords = new Map<string, Option[]>();
  const ofWords = values.flatMap((it) => {
    const problems: DefinitionProblem[] = [];
    if (it.value !== it.value.trim()) problems.push(no('optionBlank', it.value));
    if (addTo(ofValue, [plain(it.value)], it).some((other) => other.value !== it.value))
      problems.push(no('optionCase', it.value));
    const same = addTo(byWords, [`zh ${plain(it.label.zh)}`, `en ${plain(it.label.en)}`], it);
    const isLive = (other: Option) => !other.retired && !it.retired;
    if (same.some(isLive)) problems.push(no('optionWords', inBoth(it.label.zh, it.label.en)));
    else if (same.some((other) => other.retired !== it.retired))
      problems.push(no('optionRetiredWords', inBoth(it.label.zh, it.label.en)));
    return problems;
  });
  return [...ofWords, ...ofLabels(module, optionLabelSlips(list, values))];
}

const plain = (words: string) => words.trim().toLowerCase();
const isAlike = (a: string, b: string) => plain(a) === plain(b);

/** What stands under these keys already, before this is put there. */
function addTo<Value>(all: Map<string, Value[]>, keys: readonly string[], value: Value): Value[] {
  const there = keys.flatMap((it) => all.get(it) ?? []);
  for (const it of keys) all.set(it, [...(all.get(it) ?? []), value]);
  return there;
}

const isReadIn = (list: string, value: string) => readLists.has(list) || readValues.get(list)?.includes(value) === true;

/**
 * The values that are called what another one was called, now or as it is shipped: rows that hold them would read otherwise
 * than they were meant. Nobody can mean that where the server works by one of the two, or where another value has taken the
 * former words in turn.
 */
function swappedIn(
  list: string,
  { before, shipped, after }: { before: readonly Option[]; shipped: readonly Option[]; after: readonly Option[] },
): [rule: string, name: string][] {
  const [own, home] = [byValue(before), byValue(shipped)];
  const labelsNow = new Map(after.map((it) => [it.value, it.label]));
  // Both by their words, as there may be thousands: the values that bore these and do not any more, and those that read so.
  const left = (wordsOf: (it: Option, lang: Lang) => string) =>
    valuesBy(before, (it, lang) => {
      const [words, now] = [wordsOf(it, lang), labelsNow.get(it.value)?.[lang]];
      return now === undefined || isAlike(now, words) ? undefined : plain(words);
    });
  const [leftWords, leftValues] = [left((it, lang) => it.label[lang]), left((it) => it.value)];
  const reading = new Map<string, string>();
  const readOnce = (words: string) => {
    const known = reading.get(words) ?? readAs(words);
    reading.set(words, known);
    return known;
  };
  const called = (all: readonly Option[]) => valuesBy(all, (it, lang) => readOnce(it.label[lang]));
  const [calledNow, calledBefore, calledAtHome] = [called(after), called(before), called(shipped)];
  const sorts = [
    { all: own, named: calledBefore },
    { all: home, named: calledAtHome },
  ];
  return after.flatMap(({ value, label }) => {
    const was = own.get(value)?.label;
    const isTaken = (all: ReturnType<typeof left>) =>
      langs.some(
        (lang) => !(was && isAlike(was[lang], label[lang])) && hasOther(all[lang].get(plain(label[lang])), value),
      );
    const asValue = isTaken(leftValues) ? 'optionAsValue' : undefined;
    if (!was) {
      const rule = isTaken(leftWords) ? 'optionSwapped' : asValue;
      return rule ? [[rule, inBoth(label.zh, label.en)]] : [];
    }
    const found = langs.flatMap((lang) => {
      const atHome = home.get(value)?.label[lang];
      if (isAlike(was[lang], label[lang]) || (atHome !== undefined && isAlike(atHome, label[lang]))) return [];
      return sorts.flatMap(({ all, named }) => {
        const others = named[lang].get(readOnce(label[lang]));
        if (!hasOther(others, value)) return [];
        const former = all.get(value)?.label[lang];
        const isSwapped = former !== undefined && hasOther(calledNow[lang].get(readOnce(former)), value);
        const isRead = isReadIn(list, value) || readValues.get(list)?.some((it) => others?.has(it));
        return isSwapped || isRead ? 'optionStateWords' : 'optionSwapped';
      });
    });
    const [rule = asValue] = found.toSorted((a, b) => Number(mayBeMeant.has(a)) - Number(mayBeMeant.has(b)));
    return rule === undefined ? [] : [[rule, inBoth(label.zh, label.en)]];
  });
}

const langs = ['zh', 'en'] as const;
type Lang = (typeof langs)[number];
type Values = ReadonlyMap<string, ReadonlySet<string>>;

/** In each language, which values have a key. */
function valuesBy(
  all: readonly Option[],
  keyIn: (it: Option, lang: Lang) => string | undefined,
): Readonly<Record<Lang, Values>> {
  const of = (lang: Lang): Values => {
    const found = new Map<string, Set<string>>();
    for (const it of all) {
      const key = keyIn(it, lang);
      if (key !== undefined) found.set(key, (found.get(key) ?? new Set()).add(it.value));
    }
    return found;
  };
  return { zh: of('zh'), en: of('en') };
}

/** Whether another value than this is among them. */
const hasOther = (values: ReadonlySet<string> | undefined, value: string): boolean =>
  values !== undefined && values.size > (values.has(value) ? 1 : 0);
