import type { TranslationMessages } from 'ra-core';
import type { Language } from '#domain/words.ts';

interface Words {
  /** By their paths. */
  files: Record<string, object>;
  reactAdmin: TranslationMessages;
}

/** Each language is a script of its own: only the one that is spoken is loaded. */
const scripts: Record<Language, () => Promise<Words>> = {
  zh: () => import('#app/words/zh.ts'),
  en: () => import('#app/words/en.ts'),
};

/** What neither the sign-in nor a list waits for. */
const featureScripts: Record<Language, () => Promise<Pick<Words, 'files'>>> = {
  zh: () => import('#app/words/zhFeatures.ts'),
  en: () => import('#app/words/enFeatures.ts'),
};

/** Each file of `i18n/{zh,en}` is a namespace: `shell.json` holds `shell.…`. */
export async function loadWords(language: Language, withFeatures = false): Promise<TranslationMessages> {
  const [{ files, reactAdmin }, ofFeatures] = await Promise.all([
    scripts[language](),
    withFeatures ? featureScripts[language]() : null,
  ]);
  const spaces = Object.entries({ ...files, ...ofFeatures?.files }).map(([path, it]) => [
    path.replace(/^.*\/|\.json$/g, ''),
    it,
  ]);
  return { ...reactAdmin, ...Object.fromEntries(spaces) };
}
