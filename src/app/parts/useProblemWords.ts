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
  /** The sentence for the large line of a station: it names the fields. */
  const lineOf = (problems: readonly Problem[], labelOf: (field: string) => string): string => {
    const missing = problems.filter((it) => it.key === 'required' && it.field !== undefined);
    if (missing.length > 0) {
      const fields = [...new Set(missing.map((it) => labelOf(it.field ?? '')))].join(', ');
      return translate('refusals.required', { fields });
    }
    const [first] = problems;
    return first ? wordsOf(first) : '';
  };
  const byField = (problems: readonly Problem[]): Record<string, string> =>
    Object.fromEntries(problems.flatMap((it) => (it.field ? [[it.field, wordsOf(it)]] : [])).reverse());
  return { wordsOf, lineOf, byField };
}

const plain = (arg: unknown): string => (typeof arg === 'object' ? '' : String(arg));
