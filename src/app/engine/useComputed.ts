import { useEffect, useState } from 'react';
import type { evaluate as evaluating } from '#domain/definition/expression.ts';
import type { FormValues } from '#app/engine/formRules.ts';
import type { FormField } from '#app/engine/wire.ts';

type Evaluate = typeof evaluating;

/** What the computed fields of a form hold for what stands in the others; as they are kept until that is known. */
export function useComputed(fields: readonly FormField[], values: FormValues): FormValues {
  const [evaluate, setEvaluate] = useState<Evaluate | null>(null);
  const isAsked = fields.some((it) => it.computed);
  useEffect(() => {
    if (!isAsked) return;
    // Few forms have one, and decimals weigh something.
    import('#domain/definition/expression.ts').then(
      (it) => setEvaluate(() => it.evaluate),
      () => undefined,
    );
  }, [isAsked]);
  return Object.fromEntries(
    fields.flatMap(({ queryName, type, computed }) => {
      if (!computed) return [];
      return [[queryName, evaluate ? evaluate(type, computed, values) : values[queryName]]];
    }),
  );
}
