import { useEffect, useState } from 'react';
import { findFormChanges, type FormChanges } from '#app/engine/formChanges.ts';
import { type FormValues, toInitialValues } from '#app/engine/formRules.ts';
import type { FormField } from '#app/engine/wire.ts';

interface Options {
  /** The record that the form was opened with. */
  before?: FormValues;
  /** Is given what a field that came later begins with. */
  onAdded?: (name: string, value: unknown) => void;
}

/** What was published of a form since it was opened, until the user has seen it. Rule: definitions#open-forms. */
export function useFormChanges(
  fields: readonly FormField[] | undefined,
  values: FormValues,
  { before, onAdded }: Options = {},
) {
  const [known, setKnown] = useState(fields);
  const [changes, setChanges] = useState<FormChanges | null>(null);
  if (known !== fields) {
    setKnown(fields);
    if (known && fields) setChanges(findFormChanges(known, fields, toInitialValues(known, before), values) ?? changes);
  }
  useEffect(() => {
    if (!onAdded || !fields) return;
    for (const [name, value] of Object.entries(toInitialValues(fields, before)))
      if (values[name] === undefined) onAdded(name, value);
  });
  return { changes, forgetChanges: () => setChanges(null) };
}
