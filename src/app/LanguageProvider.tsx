import { useMemo, type ReactNode } from 'react';
import { I18nContext } from 'ra-core';
import { i18nProvider } from '#app/i18nProvider.ts';
import { useLanguage } from '#app/session.ts';

/**
 * Gives the words of the present language to everything below. react-admin's own provider mounts the whole tree anew on
 * a change, and with it every unsaved input would be gone; a new value renders the same without that.
 */
export function LanguageProvider({ children }: { children: ReactNode }) {
  const language = useLanguage();
  const value = useMemo(() => ({ ...i18nProvider, getLocale: () => language }), [language]);
  return <I18nContext.Provider value={value}>{children}</I18nContext.Provider>;
}
