import { useTranslate } from 'ra-core';
import { StepLine, type ShownStep } from '#app/parts/StepLine.tsx';
import type { DataOf } from '#domain/call.ts';
import type { PassedStep, TrailAction } from '#domain/reviewTrail.ts';
import type { reviewWords } from './contract.ts';

interface Props {
  steps: readonly PassedStep[];
  words: DataOf<ReturnType<typeof reviewWords>> | undefined;
  /** The next step is this reader's. */
  isMine: boolean;
  nameOf: (action: TrailAction) => string;
}

/** The way of a money bill: who has said what, and what comes next. Rule: money#reviews. */
export function Trail({ steps, words, isMine, nameOf }: Props) {
  const translate = useTranslate();
  const standingOf = ({ action, state }: PassedStep): string => {
    if (state === 'next') return translate(isMine ? 'bills.review.here' : 'bills.review.waits');
    if (state === 'later') return translate('bills.review.later');
    return state === 'refused' && action !== 'void' ? translate('bills.review.refusedAt') : '';
  };
  const shown = steps.map((it): ShownStep => {
    const { action, state, by, at } = it;
    const said = words?.words.find((word) => word.action === action);
    return {
      ...{ name: nameOf(action), state, standing: standingOf(it), at },
      // Before the names are known there is an account alone, which says nothing to people.
      by: by !== null && words ? (words.people[by] ?? by) : null,
      remark: said !== undefined && said.userId === by ? said.remark : null,
    };
  });
  return <StepLine label={translate('bills.review.way')} steps={shown} />;
}
