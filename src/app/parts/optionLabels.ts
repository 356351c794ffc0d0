import { useMemo } from 'react';
import type { OptionLists } from '#domain/definition/grammar.ts';
import { offeredOptions } from '#domain/definition/options.ts';
import { useLanguage, useUser } from '#app/session.ts';
import type { Option } from '#app/parts/choiceProps.ts';
import shipped from '#definitions/options.json';

export type OptionList = keyof typeof shipped;

/** The option lists as they are published over those that are shipped. */
export function useOptionLists(): OptionLists {
  const published = useUser()?.options;
  return useMemo(() => ({ ...(shipped as OptionLists), ...published }), [published]);
}

/** What a named list offers, in the user's language. */
export function useOptions(list: OptionList): Option[] {
  const lang = useLanguage();
  const lists = useOptionLists();
  return offeredOptions(lists, list).map(({ value, label }) => ({ value, label: label[lang] }));
}

/** What a value of a list is called; the value itself when the list does not have it. */
export function useLabelOf(): (list: OptionList, value: string | null | undefined) => string {
  const lang = useLanguage();
  const lists = useOptionLists();
  return (list, value) => lists[list]?.find((it) => it.value === value)?.label[lang] ?? value ?? '';
}
