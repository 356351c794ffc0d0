import polyglotI18nProvider from 'ra-i18n-polyglot';
import type { TranslationMessages } from 'ra-core';
import { languages, parseLanguage, type Language } from '#domain/words.ts';
import { notices } from '#app/notify.ts';
import { chooseLanguage, currentLanguage } from '#app/session.ts';
import { loadWords } from '#app/words/load.ts';

const names: Record<Language, string> = { zh: '简体中文', en: 'English' };

/** No language is there at once: what stands here until the first is loaded is never shown. */
let isFirst = true;
function messagesOf(locale: string): TranslationMessages | Promise<TranslationMessages> {
  if (!isFirst) return loadWords(parseLanguage(locale));
  isFirst = false;
  return {} as TranslationMessages;
}

const provider = polyglotI18nProvider(
  messagesOf,
  currentLanguage.get(),
  languages.map((locale) => ({ locale, name: names[locale] })),
  { allowMissing: false },
);

/**
 * Words in the language that the user chose; the choice is kept under `local`. Chinese is the default.
 * Rule: screens#languages.
 */
export const i18nProvider = {
  ...provider,
  changeLocale: async (locale: string) => {
    try {
      await provider.changeLocale(locale);
    } catch {
      notices.error(provider.translate('ra.notification.i18n_error'));
      return;
    }
    chooseLanguage(parseLanguage(locale));
  },
};
