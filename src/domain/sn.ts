/** Stands for "no part here" wherever a part's SN is asked for; it may repeat. Spec 2 §5 Assemble, Repair. */
export const NO_PART = 'XXXX';

const pattern = /^[A-Z0-9_-]{1,64}$/;

/** An SN as every station writes it: full-width letters made plain, trimmed, upper-cased. Spec 2 §5 Receive. */
export const normaliseSn = (text: string): string => text.normalize('NFKC').trim().toUpperCase();

/** Whether a normalised text can be an SN at all. */
export const isSn = (sn: string): boolean => pattern.test(sn);

/** The SNs that stand more than once in a list, each named once; XXXX may repeat. */
export function repeatedSns(sns: readonly string[]): string[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const sn of sns) {
    if (seen.has(sn) && sn !== NO_PART) repeated.add(sn);
    seen.add(sn);
  }
  return [...repeated];
}

/** A ship or bill number as it is kept and looked up: written as an SN is. */
export const normaliseNo = (text: string | null | undefined): string => normaliseSn(text ?? '');
