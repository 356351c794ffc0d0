import type { Problem } from '#domain/refusal.ts';
import { normaliseSn } from '#domain/sn.ts';

/** So many SNs are looked up at once: a column of a customer's list. Rule: units#many. */
export const MOST_SNS = 5000;

/** Where an SN is, as `definitions/options.json` names it under `snPlaces`. Rule: units#many. */
export const Place = { Workshop: '1', Elsewhere: '2', Archive: '3', Unknown: '4' } as const;
export type Place = (typeof Place)[keyof typeof Place];

/** What stands between the SNs of a list, wherever it was copied from. */
const BETWEEN = /[\s,;|，；、]+/;

/** The SNs of a pasted text in their order, each once, and how many stood there again. */
export function readPasted(text: string): { sns: string[]; repeated: number } {
  const all = text.split(BETWEEN).map(normaliseSn).filter(Boolean);
  const sns = [...new Set(all)];
  return { sns, repeated: all.length - sns.length };
}

/** What forbids to look these up. Rule: units#many. */
export function validateMany(sns: readonly string[]): Problem[] {
  if (sns.length === 0) return [{ key: 'required', field: 'sns', args: { fields: [{ zh: 'SN', en: 'SN' }] } }];
  return sns.length > MOST_SNS ? [{ key: 'tooManySns', field: 'sns', args: { n: sns.length, max: MOST_SNS } }] : [];
}
