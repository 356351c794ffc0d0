import { useTranslate } from 'ra-core';
import type { Arg, Problem, RefusalKey } from '#domain/refusal.ts';
import { listed } from '#app/fields/format.ts';
import { type OptionList, useLabelOf } from '#app/parts/optionLabels.ts';
import lists from '#definitions/options.json';

/** The stations' own short words for what their rules find; everything else is said as the server says it. */
const ownWords: Partial<Record<RefusalKey, string>> = {
  required: 'emptyMsg',
  transferIncomplete: 'emptyMsg',
  transferCount: 'errorCountMsg',
  duplicateSn: 'repeateSn',
  slot: 'slotMsg',
  qrCodeIllegal: 'qrCodeIllegal',
  count: 'confirmCountMsg',
  completeDelivery: 'completeDelivery',
};

/** What a rule found, in words: of a field, and of the first thing that is wrong. */
export function useProblemWords() {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  const wordsOf = (problem: Problem): string => {
    const own = ownWords[problem.key];
    if (own) return translate(`stations.${own}`);
    const args = Object.fromEntries(
      Object.entries(problem.args ?? {}).map(([name, arg]) => [name, plain(arg, labelOf)]),
    );
    return translate(`refusals.${problem.key}`, args);
  };
  /** The sentence for the large line of a station: it names the fields. */
  const lineOf = (problems: readonly Problem[], labelOf: (field: string) => string): string => {
    const missing = problems.filter((it) => it.key === 'required' && it.field !== undefined);
    if (missing.length > 0) {
      const fields = listed([...new Set(missing.map((it) => labelOf(it.field ?? '')))]);
      return translate('refusals.required', { fields });
    }
    const [first] = problems;
    return first ? wordsOf(first) : '';
  };
  const byField = (problems: readonly Problem[]): Record<string, string> =>
    Object.fromEntries(problems.flatMap((it) => (it.field ? [[it.field, wordsOf(it)]] : [])).reverse());
  return { wordsOf, lineOf, byField };
}

/** The label of an option is said in the user's language; what only the server can name is left out. */
function plain(arg: Arg | Arg[], labelOf: ReturnType<typeof useLabelOf>): string {
  if (typeof arg !== 'object') return String(arg);
  return 'options' in arg && arg.options in lists ? labelOf(arg.options as OptionList, arg.value) : '';
}
