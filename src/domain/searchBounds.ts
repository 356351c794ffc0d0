import { cleanText } from '#domain/signs.ts';

/**
 * What a nested search may ask for at most; the builder and the server hold by the same numbers. Rule: rights#searches.
 */
export const MAX_RULES = 50;
/** The longest value that a search takes. */
export const MAX_VALUE = 200;
/** How many values "is one of" takes. */
export const MAX_VALUES = 200;

/** The values of "is one of": between commas, semicolons or lines, each once; the signs of Chinese input as well. */
export const valuesIn = (text: string): string[] => [
  ...new Set(
    cleanText(text)
      .split(/[,，;；、\n\r\t]/)
      .map((it) => it.trim())
      .filter((it) => it !== ''),
  ),
];
