import { describe, expect, it } from 'vitest';
import { deriveLanguage } from './billLanguage.ts';

describe('the bill of a parcel is told domestic or foreign by where it comes from', () => {
  it.each([
    ['nothing said yet', '', '', '', 'en'],
    ['China alone', '95', '', '', 'zh'],
    ['another country', '231', '', '', 'en'],
    ['another country with a domestic state', '231', '93', '', 'en'],
    ['the first domestic state', '95', '93', '', 'zh'],
    ['the second', '95', '346', '', 'zh'],
    ['the third', '95', '94', '', 'zh'],
    ['another state of China', '95', '650000', '', 'en'],
    ['Ningbo in its state', '95', '330000', 'Ningbo', 'en'],
    ['Ningbo in letters of any size', '95', '330000', ' NINGBO ', 'en'],
    ['a city of that name in a domestic state', '95', '93', 'Ningbo', 'zh'],
    ['a city without a state', '95', '', 'Ningbo', 'zh'],
  ])('%s [S-PND-04] [S-PND-05] [S-PND-06]', (_, country, state, city, language) => {
    expect(deriveLanguage(country, state, city)).toBe(language);
  });

  it('nothing is like an empty text', () => {
    expect(deriveLanguage(null, undefined, null)).toBe('en');
    expect(deriveLanguage('95', null, undefined)).toBe('zh');
  });
});
