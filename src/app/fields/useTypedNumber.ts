import { useState } from 'react';
import { useTranslate } from 'ra-core';
import { digitsOf, endsNumber, isPasteRefused, type NumberKind } from '#app/fields/typedNumber.ts';

/**
 * A number as it is typed, key by key. After a point that it can't have, the digits that follow are no part of it, and the
 * field says so, until something is taken away or the field is left: else 1.5 would become 15 of what may only be whole. So it
 * does of something pasted that is no number, which would leave no trace otherwise.
 * Rule: screens#numbers.
 */
export function useTypedNumber(kind: NumberKind, value: string, currency?: unknown) {
  const translate = useTranslate();
  /** What stood there when the point came. */
  const [ended, setEnded] = useState<string>();
  /** What stood there when something was pasted of which nothing was taken. */
  const [refused, setRefused] = useState<string>();
  const isEnded = ended === value && value !== '';
  return {
    read: (text: string): string => {
      if (isEnded && text.length > value.length) return value;
      const digits = digitsOf(kind, text, currency);
      setEnded(endsNumber(text, value, digits) ? value : undefined);
      setRefused(isPasteRefused(text, value, digits) ? value : undefined);
      return digits ?? value;
    },
    leave: () => {
      setEnded(undefined);
      setRefused(undefined);
    },
    problem:
      isEnded || refused === value ? translate(`shell.form.${kind === 'whole' ? 'integer' : 'number'}`) : undefined,
  };
}
