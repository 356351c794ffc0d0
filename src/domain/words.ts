/** A label that an administrator or a definition gives: always both languages. */
export interface Words {
  zh: string;
  en: string;
}

export const languages = ['zh', 'en'] as const;
export type Language = (typeof languages)[number];

/** Chinese is the default; anything that is not a language that we speak is Chinese. Rule: screens#languages. */
export const parseLanguage = (value: unknown): Language => (value === 'en' ? 'en' : 'zh');

/** A name that is kept as one text, for readers of both languages. */
export const inBoth = (zh: string, en: string | null | undefined): string => (en && en !== zh ? `${zh} / ${en}` : zh);
