import { createRoot } from 'react-dom/client';
import { PartsPage } from '#app/gallery/PartsPage.tsx';
import { i18nProvider, loadFeatureWords } from '#app/i18nProvider.ts';
import { currentLanguage } from '#app/session.ts';
import { parseLanguage } from '#domain/words.ts';

/** The page of the kit, in the language of its address; nobody need be signed in, and no server is asked. */
export async function startParts(root: HTMLElement): Promise<void> {
  const language = parseLanguage(new URLSearchParams(location.search).get('lang') ?? currentLanguage.get());
  currentLanguage.set(language);
  await i18nProvider.changeLocale(language);
  await loadFeatureWords();
  createRoot(root).render(<PartsPage />);
}
