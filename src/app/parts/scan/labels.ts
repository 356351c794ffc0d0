import { type Observable, createObservable } from '#app/observable.ts';
import type { DataOf } from '#domain/call.ts';
import { LABEL_LENGTH } from '#domain/labelRule.ts';
import type { labelRulesOfSite } from '#domain/lookups.ts';
import { isSn, normaliseNo, readLabel } from '#domain/sn.ts';

export type SiteRule = DataOf<typeof labelRulesOfSite>['items'][number];

/** The rules of this user's site by which the SN on a label is found. */
export const labelRules: Observable<readonly SiteRule[]> = createObservable<readonly SiteRule[]>([]);

/** The SN of what was scanned, typed or pasted where an SN is asked for; what is no label stays as it is. */
export const readSn = (text: string): string => readLabel(text, labelRules.get()).sn;

/**
 * The same where any number may be meant: what is written as a number stays one, since a parcel's could by chance have
 * the shape of a label. Letters stay as small as they are.
 */
export function readNumber(text: string, plain: string): string {
  const sn = isSn(normaliseNo(text)) ? '' : readSn(text);
  return isSn(sn) ? sn : plain;
}

/** For an input that asks for an SN: a label may be longer than what is found on it. */
export const snInput = { 'data-sn': '', maxLength: LABEL_LENGTH } as const;
