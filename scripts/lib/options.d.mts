/** What the command line asks for; what it does not know ends it with the usage, before anything has begun. */
export function readOptions<Known extends Record<string, true | RegExp>>(
  usage: string,
  known?: Known,
  isWord?: (word: string) => boolean,
): { values: { [Name in keyof Known]?: Known[Name] extends true ? boolean : string }; words: string[] };
