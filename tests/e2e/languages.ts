import { turnOf } from '#tests/support/tries.ts';

const both = ['zh', 'en'] as const;
export type Language = (typeof both)[number];

/**
 * In which languages a journey is walked: in `npm test` each takes the one whose turn it is, `npm run chaos -- languages`
 * walks both. Pages as they open are looked at in both elsewhere (menu walks, pages, pictures); where a journey looks at
 * what fits, it takes English, whose words are longer.
 */
export const languagesOf = (place: number): readonly Language[] => turnOf(both, place, both.length);
