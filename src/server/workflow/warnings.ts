import { say } from '#domain/say.ts';
import type { Language } from '#domain/words.ts';
import en from '#i18n/en/warnings.json' with { type: 'json' };
import zh from '#i18n/zh/warnings.json' with { type: 'json' };

/** Something to know that forbids nothing; a scan's warning is shown for 30 seconds. Rule: scanning#warnings. */
export interface Warning {
  key: keyof typeof zh;
  args?: Record<string, string | number>;
}

const sentences: Record<Language, Record<string, string>> = { zh, en };

/** All warnings of an answer in one text, a line each; nothing when there is none. */
export function warningOf(warnings: readonly Warning[], lang: Language): { warning?: string } {
  if (warnings.length === 0) return {};
  return {
    warning: warnings
      .map(({ key, args = {} }) => say(sentences[lang][key] ?? key, args, lang, (it) => String(it)))
      .join('\n'),
  };
}
