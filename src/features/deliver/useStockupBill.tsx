import { useEffect, useRef, useState } from 'react';
import { useTranslate } from 'ra-core';
import { useKept } from '#app/parts/scan/useKept.ts';
import { useWordOfAddress } from '#app/parts/scan/useScanOfAddress.ts';
import { usePlace } from '#app/parts/scan/useStation.ts';
import { shown } from '#app/parts/shown.ts';
import { CallError, send } from '#app/send.ts';
import type { DataOf } from '#domain/call.ts';
import { Flag, type GoodsType, StockupStatus } from '#domain/enums.ts';
import { refusals } from '#domain/refusal.ts';
import { loadStockupBill } from './contract.ts';

export type Loaded = DataOf<typeof loadStockupBill>;

/** The stock-up bill that is delivered from, asked for by its ship number; by hand, by the address, or as it was left. */
export function useStockupBill() {
  const translate = useTranslate();
  const place = usePlace('deliver-setting', '');
  const shipNo = useKept(place, 'shipNo', '');
  const kept = useKept<Loaded | undefined>(place, 'bill', undefined);
  const isRead = shipNo.loaded && kept.loaded;
  // Until it has been read whether there is one, there is no saying that there is none.
  const loaded = kept.value ?? (isRead ? null : undefined);
  const [isLoading, setLoading] = useState(false);
  const isAsked = useRef(false);
  /** Counts what was asked for by hand: an answer to what was asked before brings no former bill back. */
  const turn = useRef({ count: 0, isLoading: false });

  /** Gives why there is nothing to deliver on it, or nothing. */
  const bring = async (no: string): Promise<string> => {
    const { count } = turn.current;
    try {
      const answer = await send(loadStockupBill, { deliverShipNo: no });
      if (count !== turn.current.count) return '';
      kept.set(answer);
      shipNo.set(no);
      return openLines(answer).length === 0 ? translate('stations.completeDelivery') : '';
    } catch (error) {
      if (count !== turn.current.count) return '';
      if (isComplete(error) && no === shipNo.value && loaded) kept.set(wholly(loaded));
      return error instanceof CallError && error.msg ? error.msg : translate('shell.call.network');
    }
  };
  const load = async (no: string): Promise<string> => {
    if (no === '') return translate('stations.shipNoMsg');
    isAsked.current = true;
    turn.current = { count: turn.current.count + 1, isLoading: true };
    setLoading(true);
    const problem = await bring(no);
    turn.current.isLoading = false;
    setLoading(false);
    return problem;
  };
  const isNamed = useWordOfAddress('shipNo', (no) => {
    void load(no);
    // As after the number was entered: what is scanned next is an SN.
    shown<HTMLInputElement>('input[data-scan=field]')?.focus();
  });
  useEffect(() => {
    if (!isAsked.current && !isNamed && isRead && shipNo.value !== '') void load(shipNo.value);
    // Once, when what is kept has arrived, unless a bill was asked for meanwhile, by hand or by the address.
  }, [isRead]);

  return {
    place,
    loaded,
    shipNo: shipNo.value,
    isLoading,
    /** The address names one that is still to be asked for. */
    isNamed,
    load,
    /** The same bill anew, beside the scans. */
    refresh: () => void (shipNo.value !== '' && !turn.current.isLoading && bring(shipNo.value)),
  };
}

const isComplete = (error: unknown) => error instanceof CallError && error.code === refusals.completeDelivery.code;

/** The loaded bill when nothing waits on it any more: the server then no longer answers it. */
const wholly = ({ bill, maintainBillLines }: Loaded): Loaded => ({
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
