/** How many pictures each kind of upload takes. Rule: uploads#pictures. */
export const imageLimits = { generic: 4, repairUpload: 3, repairRow: 4, aging: 2, makeup: 3 } as const;

/** A list of pictures travels and rests as one text. Rule: wire#pictures. */
const SEPARATOR = '##';

/** The addresses of a list of pictures, whichever of its two forms came in. Rule: wire#pictures. */
export function splitUrls(urls: string | readonly string[] | null | undefined): string[] {
  const pieces = typeof urls === 'string' ? urls.split(SEPARATOR) : (urls ?? []);
  return pieces.map((it) => it.trim()).filter((it) => it !== '');
}

export const joinUrls = (urls: readonly string[]): string => urls.join(SEPARATOR);

/**
 * A machine log or a paper is kept with the pictures but proves nothing to the eye; its address ends as its name does.
 * Rule: wire#pictures.
 */
export const isPicture = (url: string): boolean => !/\.(txt|pdf|xlsx?)$/i.test(url);

/** The id of a file of our own upload; empty for any other address, which could point out of the workshop. */
export const fileIdOf = (url: string): string => /^\/file\/([0-9a-f]{32})(\.[a-z]{1,4})?$/.exec(url)?.[1] ?? '';
