import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslate } from 'ra-core';
import { DOLLARS } from '#domain/money.ts';
import {
  digitsOf,
  isStrayKey,
  mayBecomeNumber,
  MOST_DIGITS,
  type NumberKind,
  numberFault,
  type NumberRules,
} from '#app/fields/typedNumber.ts';

interface Selectable {
  select(): void;
}

/** Who keeps numbers has this of what is none. */
const NO_NUMBER = String(NaN);

/**
 * A number as it is typed, key by key, or pasted. What is no number stays as it was entered and the field says what is wrong
 * with it, at once where no more keys can make one of it, else when it is left: 4,20 never becomes 420, nor -5 a 5. It
 * is handed on as it stands, so that whoever sends it has no number.
 * Rule: screens#numbers.
 */
export function useTypedNumber(kind: NumberKind, value: string, rules: NumberRules = {}) {
  const translate = useTranslate();
  const [isTyping, setIsTyping] = useState(false);
  /** What stands there while it is entered, separators and all, and what was handed on of it: after 4,200 another 0 makes no 42000. */
  const [entered, setEntered] = useState({ text: '', value: '' });
  const input = useRef<Selectable>(null);
  const isPointed = useRef(false);
  useLayoutEffect(() => {
    // An amount loses its separators when it is entered, and what the browser had selected with them.
    if (isTyping && !isPointed.current && kind === 'money') input.current?.select();
    isPointed.current = false;
  }, [isTyping, kind]);
  const isEntered = (isTyping && entered.value === value) || value === NO_NUMBER;
  const shown = isEntered ? entered.text : value;
  const isNumber = shown === '' || digitsOf(kind, shown, rules) !== undefined;
  const isTold = !isNumber && !(isTyping && mayBecomeNumber(kind, shown, rules));
  return {
    shown,
    isTyping,
    read: (text: string): string => {
      if (isStrayKey(text, shown)) return value;
      const now = { text, value: digitsOf(kind, text, rules) ?? text };
      setIsTyping(true);
      setEntered(now);
      return now.value;
    },
    problem: isTold
      ? translate(`shell.form.${numberFault(kind, shown, rules)}`, {
          currency: String(rules.currency || DOLLARS),
          max: MOST_DIGITS,
        })
      : undefined,
    handlers: {
      onPointerDown: () => {
        isPointed.current = !isTyping;
      },
      onFocus: ({ target }: { target: Selectable }) => {
        input.current = target;
        setIsTyping(true);
      },
      onBlur: () => setIsTyping(false),
    },
  };
}
