import { useEffect, useState, type ReactNode } from 'react';
import polyglotI18nProvider from 'ra-i18n-polyglot';
import { I18nContext, useI18nProvider } from 'ra-core';
import { loadWords } from '#app/words/load.ts';
import type { Language } from '#domain/words.ts';

interface Props {
  language: Language;
  /** While the words of another language are on their way. */
  reading: ReactNode;
  children: ReactNode;
}

/** What a reader of another language is given: a piece of a page in theirs, whatever the user's own is. */
export function InLanguage({ language, reading, children }: Props) {
  const own = useI18nProvider();
  const [other, setOther] = useState<typeof own>();
  const isOwn = own?.getLocale() === language;
  useEffect(() => {
    if (isOwn) return;
    let isWanted = true;
    void loadWords(language, true).then((words) => {
      if (isWanted) setOther(polyglotI18nProvider(() => words, language, [], { allowMissing: false }));
    });
    return () => {
      isWanted = false;
    };
  }, [language, isOwn]);
  if (isOwn) return children;
  if (other?.getLocale() !== language) return reading;
  return <I18nContext.Provider value={other}>{children}</I18nContext.Provider>;
}
