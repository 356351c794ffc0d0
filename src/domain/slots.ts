import { cleanText } from '#domain/signs.ts';

/** The slots of a row: commas of either width part them, empty pieces count for nothing. Rule: repairing#slots. */
export const parseSlots = (slot: string): string[] =>
  cleanText(slot)
    .normalize('NFKC')
    .split(/[,、]/)
    .map((it) => it.trim().toUpperCase())
    .filter((it) => it !== '');
