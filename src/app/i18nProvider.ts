import polyglotI18nProvider from 'ra-i18n-polyglot';
import type { TranslationMessages } from 'ra-core';
import { NOTHING } from '#domain/say.ts';
import { languages, parseLanguage, type Language } from '#domain/words.ts';
import { notices } from '#app/notify.ts';
import { chooseLanguage, currentLanguage } from '#app/session.ts';
import { loadWords } from '#app/words/load.ts';

const names: Record<Language, string> = { zh: '简体中文', en: 'English' };

/** Whether a page or dialog of a feature was asked for. */
let sayFeatures = false;

/** No language is there at once: what stands here until the first is loaded is never shown. */
let isFirst = true;
function messagesOf(locale: string): TranslationMessages | Promise<TranslationMessages> {
  if (!isFirst) return loadWords(parseLanguage(locale), sayFeatures);
  isFirst = false;
  return {} as TranslationMessages;
}

const provider = polyglotI18nProvider(
  messagesOf,
  currentLanguage.get(),
  languages.map((locale) => ({ locale, name: names[locale] })),
  { allowMissing: false },
);

/** Names of react-admin and Polyglot that no sentence has a place for. */
const notSaid = new Set(['_', 'smart_count']);

/** What is empty is a dash in its sentence. Rule: refusals#sentences. */
const fillGaps = (options: object) =>
  Object.fromEntries(
    Object.entries(options).map(([name, it]) => [name, isBlank(it) && !notSaid.has(name) ? NOTHING : (it as unknown)]),
  );

const isBlank = (it: unknown) => it === null || it === undefined || (typeof it === 'string' && it.trim() === '');

/**
 * Words in the language that the user chose; the choice is kept under `local`. Chinese is the default.
 * Rule: screens#languages.
 */
export const i18nProvider = {
  ...provider,
  translate: (key: string, options?: object) => provider.translate(key, options && fillGaps(options)),
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

/** The words that pages and dialogs of features say alone come with the first of them, and with each language after it. */
export async function loadFeatureWords(): Promise<void> {
  if (sayFeatures) return loading;
  sayFeatures = true;
  loading = provider.changeLocale(provider.getLocale()).catch((error: unknown) => {
    sayFeatures = false;
    throw error;
  });
  return loading;
}
let loading: Promise<void> = Promise.resolve();
