import type { TranslationMessages } from 'ra-core';
import words from '#i18n/zh/react-admin.json';

/** What the server says alone is not loaded, and what pages of features say comes with the first of them. */
export const files = import.meta.glob<object>(
  ['/i18n/zh/*.json', '!/i18n/zh/{queues,warnings,bills,labels,reports,serials,stations,studio}.json'],
  {
    eager: true,
    import: 'default',
  },
);

/** The public Chinese packages lack words; the type makes a key that react-admin adds and we lack an error. */
export const reactAdmin: TranslationMessages = words;
