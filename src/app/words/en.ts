import type { TranslationMessages } from 'ra-core';
import words from '#i18n/en/react-admin.json';

export const files = import.meta.glob<object>('/i18n/en/*.json', { eager: true, import: 'default' });

/** The type makes a key that react-admin adds and we lack an error. */
export const reactAdmin: TranslationMessages = words;
