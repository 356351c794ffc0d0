import englishMessages from 'ra-language-english';
import type { TranslationMessages } from 'ra-core';

/** What the server says alone is not loaded, and what pages of features say comes with the first of them. */
export const files = import.meta.glob<object>(
  ['/i18n/en/*.json', '!/i18n/en/{queues,warnings,bills,labels,reports,serials,stations,studio}.json'],
  {
    eager: true,
    import: 'default',
  },
);

export const reactAdmin: TranslationMessages = englishMessages;
