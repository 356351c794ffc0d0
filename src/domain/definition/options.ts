import type { Option, OptionLists } from '#domain/definition/grammar.ts';

/** The values of a list that may be chosen now: those that are retired only stand in rows from before. */
export const offeredOptions = (lists: OptionLists, list: string): Option[] =>
  (lists[list] ?? []).filter((it) => !it.retired);

/** Whether a list has the value and offers it still. */
export const isOffered = (lists: OptionLists, list: string, value: string): boolean =>
  offeredOptions(lists, list).some((it) => it.value === value);
