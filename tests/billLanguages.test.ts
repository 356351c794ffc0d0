import { describe, expect, it } from 'vitest';
import { deriveLanguage } from '#domain/billLanguage.ts';
import { cities, countries, states } from '#server/demo/sites.ts';

/** Each place of the base data by its names, and what a parcel from there is told as, in either language of its city. */
function told(): string[] {
  return countries.flatMap(({ countryId, nameEn: country }) => [
    `${country}: ${deriveLanguage(countryId, '', '')}`,
    ...states
      .filter((it) => it.countryId === countryId)
      .flatMap(({ stateId, nameEn: state }) => [
        `${country}, ${state}: ${deriveLanguage(countryId, stateId, '')}`,
        ...cities
          .filter((it) => it.stateId === stateId)
          .map((it) => {
            const [one, other] = [it.name, it.nameEn].map((name) => deriveLanguage(countryId, stateId, name));
            return `${country}, ${state}, ${it.nameEn}: ${one}${one === other ? '' : ` or ${other}`}`;
          }),
      ]),
  ]);
}
const isDomestic = (place: string) => place.endsWith(': zh');

describe('what a parcel is told as, over the base data', () => {
  it('is domestic from these places alone [S-PND-04] [S-PND-05]', () => {
    expect(told().filter(isDomestic)).toEqual([
      'China: zh',
      'China, Guangdong: zh',
      'China, Guangdong, Shenzhen: zh',
      'China, Guangdong, Dongguan: zh',
      'China, Guangdong, Guangzhou: zh',
      'China, Guangdong, Huizhou: zh',
      'China, Sichuan: zh',
      'China, Sichuan, Chengdu: zh',
      'China, Sichuan, Mianyang: zh',
      "China, Sichuan, Ya'an: zh",
      'China, Inner Mongolia: zh',
      'China, Inner Mongolia, Hohhot: zh',
      'China, Inner Mongolia, Ordos: zh',
    ]);
  });

  it('is foreign from every other, Ningbo and its province among them, and the same in both languages [S-PND-06]', () => {
    const foreign = told().filter((it) => !isDomestic(it));
    expect(foreign.length).toBeGreaterThan(40);
    expect(foreign.filter((it) => !it.endsWith(': en'))).toEqual([]);
    expect(foreign).toEqual(expect.arrayContaining(['China, Zhejiang, Ningbo: en', 'China, Yunnan: en', 'Norway: en']));
  });
});
