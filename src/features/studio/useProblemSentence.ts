import { useTranslate } from 'ra-core';

interface Told {
  kind: string;
  rule?: string;
  name: string;
  count?: number;
  suggestion?: string | undefined;
}

/** What is wrong with a definition, in words, and what may have been meant. */
export function useProblemSentence(): (problem: Told) => string {
  const translate = useTranslate();
  return ({ kind, rule, name, count, suggestion }) => {
    const sentence = translate(`studio.problems.${rule ?? kind}`, { name, smart_count: count ?? 1 });
    return suggestion === undefined ? sentence : `${sentence} ${translate('studio.problems.meant', { suggestion })}`;
  };
}
