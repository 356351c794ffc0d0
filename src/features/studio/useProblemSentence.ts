import { useTranslate } from 'ra-core';

interface Told {
  kind: string;
  rule?: string;
  name: string;
  count?: number;
  keptAs?: string;
  suggestion?: string | undefined;
}

/** What is wrong with a definition, in words, and what may have been meant. */
export function useProblemSentence(): (problem: Told) => string {
  const translate = useTranslate();
  return ({ kind, rule, name, count, keptAs = '', suggestion }) => {
    const sentence = translate(`studio.problems.${rule ?? kind}`, { name, smart_count: count ?? 1, keptAs });
    return suggestion === undefined ? sentence : `${sentence} ${translate('studio.problems.meant', { suggestion })}`;
  };
}
