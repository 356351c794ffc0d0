import type { Arg } from '#domain/refusal.ts';
import type { Language } from '#domain/words.ts';

/** Finds the label that an argument stands for: an option's, a field's, or the one of two languages. */
export type ResolveArg = (arg: Arg, lang: Language) => string;

/** What stands where there is nothing to say, so that no sentence has a gap. */
export const NOTHING = '–';

const between: Record<Language, string> = { zh: '、', en: ', ' };

/**
 * A sentence with its `%{placeholders}` filled. Several values are listed as the language lists them (`甲、乙` / `a, b`).
 * A placeholder without an argument stays as it is, so that a forgotten one is seen and not hidden; an empty argument is a
 * dash.
 * Rule: refusals#sentences.
 */
export function say(
  template: string,
  args: Readonly<Record<string, Arg | Arg[]>>,
  lang: Language,
  resolveArg: ResolveArg,
): string {
  return template.replace(/%\{(\w+)\}/g, (placeholder, name: string) => {
    const arg = Object.hasOwn(args, name) ? args[name] : undefined;
    if (arg === undefined) return placeholder;
    const texts = (Array.isArray(arg) ? arg : [arg]).map((it) => resolveArg(it, lang));
    return texts.map((it) => (it.trim() === '' ? NOTHING : it)).join(between[lang]) || NOTHING;
  });
}

/** The names of a sentence's placeholders, each once, sorted. */
export const placeholdersOf = (template: string): string[] =>
  [...new Set([...template.matchAll(/%\{(\w+)\}/g)].map((it) => it[1] ?? ''))].sort();
