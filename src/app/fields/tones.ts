import type { Option, Tone } from '#domain/definition/grammar.ts';

/** What a value means to its reader, as its list says: nothing where it is as usual. */
export const toneOf = (
  options: readonly Pick<Option, 'value' | 'tone'>[] | undefined,
  value: unknown,
): Tone | undefined => options?.find((it) => it.value === String(value))?.tone;

/** The palette's name of a tone. */
export const paletteOf: Record<Tone, 'success' | 'warning' | 'error' | 'info' | 'secondary'> = {
  done: 'success',
  waits: 'warning',
  refused: 'error',
  work: 'info',
  closed: 'secondary',
};
