import { useEffect, useEffectEvent } from 'react';
import { useTranslate } from 'ra-core';
import { isWithoutVerdict } from '#app/parts/scan/answers.ts';
import { useBillByNo } from '#app/parts/scan/useBillByNo.ts';
import { findVisible } from '#app/parts/visibleElements.ts';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
import { send } from '#app/send.ts';
import { useTabName } from '#app/shell/useTabName.ts';
import type { DataOf } from '#domain/call.ts';
import { loadScrapRepair } from './contract.ts';
import { validateOpen } from './rules.ts';

export type Loaded = DataOf<typeof loadScrapRepair>;

/**
 * The bill whose units come back: by its row in the address, by its number, or as it was left. `problem` is why nothing can
 * be entered on it. Rule: scrap-repair#accepting.
 */
export function useScrapRepair(id: string) {
  const translate = useTranslate();
  const { wordsOf } = useProblemWords();
  const whyNot = (loaded: Loaded): string => {
    const [problem] = validateOpen(loaded, 'srbId');
    return problem ? wordsOf(problem) : '';
  };
  const loadFirst = translate('bills.scrapRepair.loadFirst');
  const { bill, load, again, isLeft, isRead, isLoading, shipNo } = useBillByNo<Loaded>('outsourcingAccept-setting', {
    loadFirst,
    fetchBill: (srbId) => send(loadScrapRepair, { srbId }),
    // One that has ended is read here, and nothing is wrong with that.
    onLoaded: () => '',
    onFailed: (error, { no }, replaceBill) => {
      const isSame = bill && [bill.srbId, String(bill.id)].includes(no);
      if (!isSame || !isWithoutVerdict(error)) replaceBill(undefined);
    },
  });
  const resume = useEffectEvent(() => {
    if (isRead && id !== '') {
      void load(id);
      findVisible<HTMLInputElement>('input[data-scan=field]')?.focus();
    } else if (isLeft()) void load(shipNo);
  });
  // Once, when what is kept has arrived; and when the address names another one.
  useEffect(() => resume(), [isRead, id]);
  useTabName(bill?.srbId);
  return {
    bill,
    srbId: bill?.srbId ?? '',
    no: bill?.srbId ?? shipNo,
    problem: bill ? whyNot(bill) : loadFirst,
    isLoading,
    load,
    again,
  };
}
