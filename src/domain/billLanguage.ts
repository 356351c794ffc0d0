import rule from '#definitions/bill-language.json' with { type: 'json' };
import type { Language } from '#domain/words.ts';

/** The country whose bills are domestic, as base data number it. Rule: parcels#language. */
export const DOMESTIC_COUNTRY = rule.domesticCountry;

/**
 * Whether a parcel's bill is domestic (zh) or foreign (en), by where it comes from: another country is foreign, so are the
 * city and the provinces that `definitions/bill-language.json` does not count as domestic; what is not said yet decides
 * nothing. Rule: parcels#language.
 */
export function deriveLanguage(
  countryId: string | null | undefined,
  stateId: string | null | undefined,
  cityName: string | null | undefined,
): Language {
  if (countryId !== DOMESTIC_COUNTRY) return 'en';
  if (stateId === rule.abroad.state && isAbroad(cityName ?? '')) return 'en';
  if (stateId && !rule.domesticStates.includes(stateId)) return 'en';
  return 'zh';
}

const isAbroad = (cityName: string): boolean => {
  const name = cityName.trim().toLowerCase();
  return rule.abroad.cities.some((it) => it.toLowerCase() === name);
};
