import { changesOf, type FormValues } from '#app/engine/formRules.ts';
import type { FormField } from '#app/engine/wire.ts';
import { textOf } from '#app/fields/format.ts';

/** What a publish made of a form that is open, by what people call the fields. */
export interface FormChanges {
  added: readonly string[];
  required: readonly string[];
  removed: readonly string[];
  /** What was entered into fields that are gone. */
  lost: readonly string[];
}

/** How the fields of a form differ from what it was opened with; null if nobody needs to look. */
export function findFormChanges(
  before: readonly FormField[],
  after: readonly FormField[],
  start: FormValues,
  values: FormValues,
): FormChanges | null {
  const old = new Map(before.map((it) => [it.queryName, it]));
  const names = new Set(after.map((it) => it.queryName));
  const gone = before.filter((it) => !names.has(it.queryName));
  const entered = changesOf(gone, start, values);
  const isNowRequired = (it: FormField) => it.required && old.get(it.queryName)?.required === false;
  const changes = {
    added: after.filter((it) => !old.has(it.queryName)).map((it) => it.name),
    required: after.filter(isNowRequired).map((it) => it.name),
    removed: gone.filter((it) => !(it.queryName in entered)).map((it) => it.name),
    lost: gone.filter((it) => it.queryName in entered).map((it) => `${it.name} (${enteredText(it, values)})`),
  };
  return Object.values(changes).some((it) => it.length > 0) ? changes : null;
}

const enteredText = (field: FormField, values: FormValues): string =>
  textOf({ ...field, name: field.queryName, label: field.name }, values[field.queryName]);
