import polyglotI18nProvider from 'ra-i18n-polyglot';
import type { TranslationMessages } from 'ra-core';
import { languages, parseLanguage, type Language } from '#domain/words.ts';
import { chooseLanguage, currentLanguage } from '#app/session.ts';
import reactAdminEn from '#i18n/en/react-admin.json';
import reactAdminZh from '#i18n/zh/react-admin.json';

type Messages = Record<string, unknown>;

/** react-admin's own words; the type makes a key that it adds and we lack an error. */
const reactAdmin: Record<Language, TranslationMessages> = { zh: reactAdminZh, en: reactAdminEn };

/** Each file of `i18n/{zh,en}` is a namespace: `shell.json` holds `shell.…`. */
const files = import.meta.glob<Messages>('/i18n/*/*.json', { eager: true, import: 'default' });

function loadMessages(language: Language): TranslationMessages {
  const spaces = Object.entries(files)
    .map(([path, messages]) => ({ path: path.split('/'), messages }))
    .filter(({ path }) => path[2] === language && path[3] !== 'react-admin.json')
    .map(({ path, messages }) => [path[3]?.replace('.json', ''), messages]);
  return { ...reactAdmin[language], ...Object.fromEntries(spaces) };
}

const names: Record<Language, string> = { zh: '简体中文', en: 'English' };

const provider = polyglotI18nProvider(
  (locale) => loadMessages(parseLanguage(locale)),
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
    await provider.changeLocale(locale);
    chooseLanguage(parseLanguage(locale));
  },
};
