import { useTranslate } from 'ra-core';
import type { Problem, RefusalKey } from '#domain/refusal.ts';

/** The stations' own short words for what their rules find; everything else is said as the server says it. */
const ownWords: Partial<Record<RefusalKey, string>> = {
  required: 'emptyMsg',
  duplicateSn: 'repeateSn',
  slot: 'slotMsg',
  qrCodeIllegal: 'qrCodeIllegal',
  count: 'confirmCountMsg',
  completeDelivery: 'completeDelivery',
};

/** What a rule found, in words: of a field, and of the first thing that is wrong. */
export function useProblemWords() {
  const translate = useTranslate();
  const wordsOf = (problem: Problem): string => {
    const own = ownWords[problem.key];
    if (own) return translate(`stations.${own}`);
    const args = Object.fromEntries(Object.entries(problem.args ?? {}).map(([name, arg]) => [name, plain(arg)]));
    return translate(`refusals.${problem.key}`, args);
  };
  const byField = (problems: readonly Problem[]): Record<string, string> =>
    Object.fromEntries(problems.flatMap((it) => (it.field ? [[it.field, wordsOf(it)]] : [])).reverse());
  return { wordsOf, byField };
}

const plain = (arg: unknown): string => (typeof arg === 'object' ? '' : String(arg));
