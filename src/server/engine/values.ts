import { dayOf } from '#domain/day.ts';
import { boundsOf } from '#domain/definition/fieldBounds.ts';
import { normaliseText, type Fault, findFault, parseMoment, type RuledField } from '#domain/definition/fieldRules.ts';
import type { Field } from '#domain/definition/grammar.ts';
import type { Problem, RefusalKey } from '#domain/refusal.ts';
import { holdsWaybill, normaliseWaybill } from '#domain/waybill.ts';
import type { Words } from '#domain/words.ts';

type Parsed = { value: unknown } | { problem: Problem };

/** Empty as a search and a form understand it. */
export { isBlank as isEmpty } from '#domain/definition/fieldRules.ts';
import { exactDecimal, exactNumber } from '#domain/exact.ts';

/**
 * A value of the wire as the database takes it, or what is wrong with it by the rules that the browser's form has as
 * well. Rule: definitions#field-rules.
 */
export function parseValue(field: Field & RuledField, name: string, raw: unknown, timeZone: string): Parsed {
  const fault = findFault(field, raw);
  if (fault) return { problem: toProblem(name, field.label, fault) };
  switch (field.type) {
    case 'Number':
    case 'Integer':
    case 'Long':
      return { value: exactNumber(raw) };
    case 'BigDecimal':
      return { value: exactDecimal(raw) };
    case 'date':
      return { value: dayOf(parseMoment(raw) as number, timeZone) };
    case 'dateTime':
      return { value: new Date(parseMoment(raw) as number) };
    case 'Month':
      return { value: raw };
    default: {
      const text = normaliseText(field, raw, boundsOf(field).sn);
      return { value: holdsWaybill(name) ? normaliseWaybill(text) : text };
    }
  }
}

const keys: Partial<Record<Fault['key'], RefusalKey>> = {
  min: 'atLeast',
  max: 'atMost',
  minLength: 'tooShort',
  maxLength: 'tooLong',
  integer: 'wholeNumber',
  decimals: 'decimals',
  hiddenSign: 'hiddenSign',
  sn: 'snForm',
  pattern: 'pattern',
  notBelow: 'notBelow',
  notAbove: 'notAbove',
};

/** A fault of a field as the server refuses it; `other` is the label of the field that stands beside it. */
export const toProblem = (name: string, label: Words, { key, args }: Fault, other?: Words): Problem => ({
  key: keys[key] ?? 'format',
  field: name,
  args: { field: label, ...args, ...(other && { other }) },
});
