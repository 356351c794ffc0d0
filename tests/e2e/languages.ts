import { turnOf } from '#tests/support/tries.ts';

const both = ['zh', 'en'] as const;
export type Language = (typeof both)[number];

/**
 * In which languages a journey is walked: of `npm test` each takes the one that is its turn, `npm run chaos -- languages`
 * walks both. Words, widths and what lies on what are looked at in both on every page (menu walks, pages, pictures).
 */
export const languagesOf = (place: number): readonly Language[] => turnOf(both, place, both.length);
