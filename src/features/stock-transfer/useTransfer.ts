import { useEffect, useEffectEvent } from 'react';
import { useTranslate } from 'ra-core';
import { isWithoutVerdict } from '#app/parts/scan/answers.ts';
import { useBillByNo } from '#app/parts/scan/useBillByNo.ts';
import { findVisible } from '#app/parts/visibleElements.ts';
import { useProblemWords } from '#app/parts/useProblemWords.ts';
import { send } from '#app/send.ts';
import { useUser } from '#app/session.ts';
import { useTabName } from '#app/shell/useTabName.ts';
import type { DataOf } from '#domain/call.ts';
import { loadTransfer } from './contract.ts';
import { type AcceptStep, validateStep } from './rules.ts';

export type Loaded = DataOf<typeof loadTransfer>;
export type Line = Loaded['rmaStockTransferBillLineList'][number];

/**
 * The transfer that a station works on: by its row in the address, by its number, or as it was left. `problem` is why
 * nothing can be done with it here. Rule: transfers#stations.
 */
export function useTransfer(step: AcceptStep, id: string) {
  const translate = useTranslate();
  const { wordsOf } = useProblemWords();
  const siteId = useUser()?.siteId ?? '';
  const whyNot = (loaded: Loaded): string => {
    const [problem] = validateStep(loaded, step, siteId);
    if (problem?.key !== 'transferSite') return problem ? wordsOf(problem) : '';
    const site = step === 'deliverAccept' ? loaded.deliverSiteName : loaded.receiveSiteName;
    return wordsOf({ ...problem, args: { ...problem.args, site } });
  };
  const loadFirst = translate('bills.transfer.loadFirst');
  const { bill, load, again, isLeft, isRead, isLoading, shipNo } = useBillByNo<Loaded>(`${step}-setting`, {
    loadFirst,
    fetchBill: (sktbId) => send(loadTransfer, { sktbId }),
    onLoaded: whyNot,
    // What can't be reached now is worked on as it was, unless it is another one that was asked for.
    onFailed: (error, { no }, replaceBill) => {
      const isSame = bill && [bill.sktbId, String(bill.id)].includes(no);
      if (!isSame || !isWithoutVerdict(error)) replaceBill(undefined);
    },
  });
  const resume = useEffectEvent(() => {
    if (isRead && id !== '') {
      void load(id);
      // As after the number was entered: what is scanned next is an SN.
      findVisible<HTMLInputElement>('input[data-scan=field]')?.focus();
    } else if (isLeft()) void load(shipNo);
  });
  // Once, when what is kept has arrived; and when the address names another one.
  useEffect(() => resume(), [isRead, id]);
  useTabName(bill?.sktbId);

  return {
    bill,
    sktbId: bill?.sktbId ?? '',
    no: bill?.sktbId ?? shipNo,
    problem: bill ? whyNot(bill) : loadFirst,
    isLoading,
    load,
    again,
  };
}
