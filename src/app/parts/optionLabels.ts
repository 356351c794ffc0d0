import { useLanguage } from '#app/session.ts';
import type { Option } from '#app/parts/choiceProps.ts';
import lists from '#definitions/options.json';

export type OptionList = keyof typeof lists;

/** A named list of options in the user's language. */
export function useOptions(list: OptionList): Option[] {
  const lang = useLanguage();
  return lists[list].map(({ value, label }) => ({ value, label: label[lang] }));
}

/** What a value of a list is called; the value itself when the list does not have it. */
export function useLabelOf(): (list: OptionList, value: string | null | undefined) => string {
  const lang = useLanguage();
  return (list, value) => lists[list].find((it) => it.value === value)?.label[lang] ?? value ?? '';
}
