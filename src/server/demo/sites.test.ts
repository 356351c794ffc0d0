import { describe, expect, it } from 'vitest';
import { deriveLanguage, DOMESTIC_COUNTRY } from '#domain/billLanguage.ts';
import { cities, countries, states } from './sites.ts';

describe('of the base data a parcel’s bill is domestic', () => {
  const domestic = (countryId: string, stateId = '', city = '') => deriveLanguage(countryId, stateId, city) === 'zh';

  it('of all countries only China is domestic [S-PND-04]', () => {
    expect(countries.filter((it) => domestic(it.countryId)).map((it) => it.nameEn)).toEqual(['China']);
    expect(DOMESTIC_COUNTRY).toBe('95');
  });

  it('of all states three of China are [S-PND-05]', () => {
    const found = states.filter((it) => domestic(it.countryId, it.stateId)).map((it) => it.nameEn);
    expect(found).toEqual(['Guangdong', 'Sichuan', 'Inner Mongolia']);
  });

  it('of all cities those of these three, by either name [S-PND-06]', () => {
    for (const name of ['name', 'nameEn'] as const) {
      const found = cities.filter((it) => {
        const state = states.find(({ stateId }) => stateId === it.stateId);
        return domestic(state?.countryId ?? '', it.stateId, it[name]);
      });
      expect([...new Set(found.map((it) => it.stateId))]).toEqual(['93', '94', '346']);
      expect(found).toHaveLength(9);
    }
    for (const city of ['Ningbo', '宁波市']) expect(domestic('95', '330000', city)).toBe(false);
  });
});
