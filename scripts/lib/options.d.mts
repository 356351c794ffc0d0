/** What the command line asks for; what it does not know ends it with the usage, before anything has begun. */
export function readOptions(
  usage: string,
  known?: Record<string, true | RegExp>,
  isWord?: (word: string) => boolean,
): { values: Record<string, string | boolean | undefined>; words: string[] };
