import type { Model } from '#domain/definition/grammar.ts';
import type { Arg, Problem } from '#domain/refusal.ts';
import { say } from '#domain/say.ts';
import type { Language } from '#domain/words.ts';
import en from '#i18n/en/refusals.json' with { type: 'json' };
import zh from '#i18n/zh/refusals.json' with { type: 'json' };

const sentences: Record<Language, Record<string, string>> = { zh, en };

/** A problem in words, labels taken from the model in force. */
export const sentenceOf = ({ key, args = {} }: Problem, lang: Language, model: Model): string =>
  say(sentences[lang][key] ?? key, args, lang, (arg) => wordOf(arg, lang, model));

function wordOf(arg: Arg, lang: Language, model: Model): string {
  if (typeof arg === 'string' || typeof arg === 'number') return String(arg);
  if ('zh' in arg) return arg[lang];
  if ('options' in arg) {
    const option = model.options[arg.options]?.find((it) => it.value === arg.value);
    return option?.label[lang] ?? arg.value;
  }
  return model.definitions.get(arg.module)?.fields[arg.field]?.label[lang] ?? arg.field;
}
