import { dequal } from 'dequal/lite';
import { isUnique, sqlTypes } from '#domain/definition/columns.ts';
import type { Button, Definition, Field } from '#domain/definition/grammar.ts';
import { repeatedIn } from '#domain/definition/nameSlips.ts';
import { takesMany } from '#domain/definition/scripts.ts';
import { deedOf, isOfEngine } from '#domain/definition/writes.ts';

/** What is wrong with a button: which rule, where, and what it is said of. */
type ButtonSlip = [rule: string, path: string, name: string];

/**
 * Buttons of a module whose call could not be made, or would fill what nobody means: an upload without a field that takes what
 * it brings, two of which a call can't say which is meant, a workbook whose rows nothing finds, a run of many rows by a call
 * that takes one. Rule: definitions#slips.
 */
export function buttonSlips(definition: Definition): ButtonSlip[] {
  const { module, buttons = [] } = definition;
  return buttons.flatMap((button, i) => {
    const { btnNo, script, bulk } = button;
    const twin = buttons.slice(0, i).find((it) => fillsToo(it, button));
    return [
      ...(isFilling(button) ? fillSlips(definition, button) : idleSlips(button)),
      ...(twin ? [at(button, 'field', 'fillTwice', twin.btnNo)] : []),
      ...(bulk === true && !takesMany(module, script) ? [at(button, 'bulk', 'bulkUnfit', btnNo)] : []),
    ];
  });
}

/**
 * Buttons with a script whose calls other modules have and this one has not: nothing would come of pressing them. `module:script`
 * is the key under which code registers it; a button says `script` alone.
 * @param shipped where each such script has its buttons
 */
export function strayButtons(
  { module, buttons = [] }: Definition,
  shipped: ReadonlyMap<string, Definition>,
): ButtonSlip[] {
  const homes = (script: string) =>
    [...shipped.values()].filter((it) => it.buttons?.some((one) => one.script === script)).map((it) => it.module);
  return buttons.flatMap((it) => {
    const its = isOfEngine(it.script) ? [] : homes(it.script);
    const isHere = !it.script.includes(':') && (its.length === 0 || its.includes(module));
    return isHere ? [] : [at(it, 'script', 'scriptElsewhere', it.script)];
  });
}

const at = ({ btnNo }: Button, part: keyof Button, rule: string, name: string): ButtonSlip => [
  rule,
  `buttons.${btnNo}.${part}`,
  name,
];

const isFilling = ({ script }: Button): boolean => deedOf(script) === 'fill';
/** It brings a workbook with a moment for each of many rows; the others bring a paper for one. */
const isWorkbook = ({ script }: Button): boolean => script === 'uploadSignForTime';

function fillSlips(definition: Definition, button: Button): ButtonSlip[] {
  const { btnNo, field, by = [] } = button;
  const own = (name: string): Field | undefined =>
    Object.hasOwn(definition.fields, name) ? definition.fields[name] : undefined;
  const takes = isWorkbook(button) ? takesMoment : takesPapers;
  const isFit = field !== undefined && !isKey(definition, field) && takes(own(field));
  const unfit = by.filter((it) => !findsRows(own(it)));
  return [
    ...(field === undefined ? [at(button, 'field', 'fillNowhere', btnNo)] : []),
    ...(field !== undefined && !isFit ? [at(button, 'field', 'fillUnfit', field)] : []),
    ...(isWorkbook(button) && by.length === 0 ? [at(button, 'by', 'byNothing', btnNo)] : []),
    ...(!isWorkbook(button) && by.length > 0 ? [at(button, 'by', 'fillIdle', 'by')] : []),
    ...(isWorkbook(button) ? unfit.map((it) => at(button, 'by', 'byUnfit', it)) : []),
    ...repeatedIn(by).map((it) => at(button, 'by', 'nameTwice', it)),
  ];
}

/** Nothing reads these of another script. */
const idleSlips = (button: Button): ButtonSlip[] =>
  (['field', 'by'] as const)
    .filter((part) => button[part] !== undefined)
    .map((part) => at(button, part, 'fillIdle', part));

/** Papers are addresses in one text, beside each other. */
const takesPapers = (field: Field | undefined): boolean =>
  (field?.type === 'String' || field?.type === 'LongString') &&
  !(field.computed ?? field.options ?? field.ref ?? field.pattern ?? field.sn ?? field.upperCase);
const takesMoment = (field: Field | undefined): boolean => field?.type === 'dateTime' && field.computed === undefined;
const findsRows = (field: Field | undefined): boolean =>
  field !== undefined && sqlTypes[field.type] === sqlTypes.String && field.type !== 'password';

/** By it rows are known, seen or numbered: what a file brings would make another row of it. */
function isKey(definition: Definition, name: string): boolean {
  const { site, owner, number, lines = [] } = definition;
  const sites = typeof site === 'string' ? [] : Array.isArray(site) ? site : [site.by];
  return (
    isUnique(definition, name) || [...sites, owner?.field, number?.field, ...lines.map((it) => it.by)].includes(name)
  );
}

/**
 * A call says its script and no button: of two with one script that fill different fields one is never filled. Two that fill
 * the same field for the same rows are one.
 */
function fillsToo(one: Button, other: Button): boolean {
  if (!isFilling(one) || !isFilling(other) || one.field === undefined || other.field === undefined) return false;
  const isSameField = one.field === other.field;
  if (one.script === other.script && !(isSameField && String(one.by) === String(other.by))) return true;
  return isSameField && !one.hidden && !other.hidden && dequal(one.when ?? {}, other.when ?? {});
}
