const NAME = /\{(\w+)\}/g;

/** The values that a pattern of entries shows, by name. */
export const namesInEach = (each: string): string[] => [...each.matchAll(NAME)].map(([, name = '']) => name);

/** How a list of entries reads: each by the pattern of its field, one after the other. Rule: definitions#lists. */
export function listText(each: string | undefined, value: unknown): string {
  if (!Array.isArray(value)) return '';
  return value
    .map((entry: Record<string, unknown>) =>
      (each ?? '').replaceAll(NAME, (_, name: string) => String(entry[name] ?? '')),
    )
    .join(', ');
}
