import { useTranslate } from 'ra-core';
import { BillLoader } from '#app/parts/BillLoader.tsx';
import type { AcceptStep } from './rules.ts';
import { useTransfer } from './useTransfer.ts';

/** What both stations of a transfer are made with: the transfer, and what their list and their page know of it. */
export function useTransferPage(step: AcceptStep, id: string) {
  const translate = useTranslate();
  const { bill, sktbId, no, problem, isLoading, load, again } = useTransfer(step, id);
  return {
    bill,
    sktbId,
    problem,
    ofStation: {
      bill: sktbId,
      isBillUnread: bill === undefined,
      blockedBy: () => problem || undefined,
      onSubmitted: again,
      refresh: again,
    },
    ofPage: {
      isHeld: isLoading || bill === undefined,
      isClosed: !bill,
      idle: bill === undefined ? undefined : problem || undefined,
      before: (
        <BillLoader
          label={translate('bills.transfer.no')}
          initial={no}
          isLoaded={Boolean(bill)}
          isLoading={isLoading}
          isUnread={bill === undefined}
          onLoad={load}
        />
      ),
    },
  };
}
