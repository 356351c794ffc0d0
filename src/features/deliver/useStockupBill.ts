import { useEffect, useEffectEvent } from 'react';
import { useTranslate } from 'ra-core';
import { useBillByNo } from '#app/parts/scan/useBillByNo.ts';
import { useQueryParameter } from '#app/parts/scan/useScanFromAddress.ts';
import { findVisible } from '#app/parts/visibleElements.ts';
import { isRefusal, send } from '#app/send.ts';
import type { DataOf } from '#domain/call.ts';
import { Flag, type GoodsType, StockupStatus } from '#domain/enums.ts';
import { loadStockupBill } from './contract.ts';

export type Loaded = DataOf<typeof loadStockupBill>;

/** The stock-up bill that is delivered from, asked for by its ship number; by hand, by the address, or as it was left. */
export function useStockupBill() {
  const translate = useTranslate();
  const { bill, load, again, isLeft, isRead, ...stockup } = useBillByNo<Loaded>('deliver-setting', {
    loadFirst: translate('stations.deliver.shipNoMsg'),
    fetchBill: (deliverShipNo) => send(loadStockupBill, { deliverShipNo }),
    onLoaded: (answer) => (openLines(answer).length === 0 ? translate('stations.completeDelivery') : ''),
    onFailed: (error, { no }, replaceBill) => {
      if (isRefusal(error, 'completeDelivery') && no === stockup.shipNo && bill) replaceBill(markDelivered(bill));
    },
  });
  const isNamed = useQueryParameter('shipNo', (no) => {
    void load(no);
    // As after the number was entered: what is scanned next is an SN.
    findVisible<HTMLInputElement>('input[data-scan=field]')?.focus();
  });
  const resume = useEffectEvent(() => {
    if (!isNamed && isLeft()) void load(stockup.shipNo);
  });
  // Once, when what is kept has arrived, unless a bill was asked for meanwhile, by hand or by the address.
  useEffect(() => resume(), [isRead]);

  return {
    ...stockup,
    loaded: bill,
    /** The address names one that is still to be asked for. */
    isNamed,
    load,
    refresh: again,
  };
}

/** The loaded bill when nothing waits on it any more: the server then no longer answers it. */
const markDelivered = ({ bill, maintainBillLines }: Loaded): Loaded => ({
  bill: {
    ...bill,
    status: StockupStatus.Finished,
    deliveredCount: bill.allCount,
    rmaStockupBillLineList: bill.rmaStockupBillLineList.map((it) => ({ ...it, delivered: Flag.Yes })),
  },
  maintainBillLines: maintainBillLines.map((it) => ({ ...it, deliverCount: it.shouldDeliverCount })),
});

/** What is still to be delivered, of one kind of goods or of all. */
export const openLines = ({ bill, maintainBillLines }: Loaded, type?: GoodsType) => {
  const alike = maintainBillLines.filter((it) => type === undefined || it.type === type).map((it) => it.mtblId);
  return bill.rmaStockupBillLineList.filter((it) => it.delivered !== Flag.Yes && alike.includes(it.mtblId));
};
