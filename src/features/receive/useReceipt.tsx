import { useEffect, useRef, useState } from 'react';
import { useTranslate } from 'ra-core';
import { isWithoutVerdict } from '#app/parts/scan/answers.ts';
import { useKept } from '#app/parts/scan/useKept.ts';
import { usePlace } from '#app/parts/scan/useStation.ts';
import { CallError, send } from '#app/send.ts';
import { useLanguage, useUser } from '#app/session.ts';
import { queryByShipNo } from './contract.ts';
import type { Bill } from './receiveLines.tsx';

/** The bill that is received on, by the number of its parcel; both outlive a reload. */
export function useReceipt() {
  const translate = useTranslate();
  const extras = useReceiptExtras();
  const place = usePlace('receive-setting', '');
  const shipNo = useKept(place, 'shipNo', '');
  const kept = useKept<Bill | undefined>(place, 'bill', undefined);
  const isRead = shipNo.loaded && kept.loaded;
  // Until it has been read whether there is one, there is no saying that there is none.
  const bill = kept.value ?? (isRead ? null : undefined);
  const [isLoading, setLoading] = useState(false);
  const [warning, setWarning] = useState('');
  const isAsked = useRef(false);
  /** Counts what was asked for by hand: an answer to what was asked before brings no former bill back. */
  const turn = useRef({ count: 0, isLoading: false });

  /** Gives why it could not, or nothing. */
  const bring = async (no: string, quiet: boolean): Promise<string> => {
    const { count } = turn.current;
    try {
      const loaded = await send(queryByShipNo, { receiveShipNo: no, ...extras });
      if (count !== turn.current.count) return '';
      kept.set(loaded);
      shipNo.set(no);
      if (!quiet) setWarning(loaded.warning ?? '');
      return '';
    } catch (error) {
      if (count !== turn.current.count) return '';
      // A bill that can't be reached now is worked on as it was; its scans are kept.
      if (!quiet && !isWithoutVerdict(error)) kept.set(undefined);
      return error instanceof CallError && error.msg ? error.msg : translate('shell.call.network');
    }
  };
  const load = async (no: string, quiet = false): Promise<string> => {
    if (no === '') return translate('stations.shipNoMsg');
    isAsked.current = true;
    if (quiet) return turn.current.isLoading ? '' : bring(no, true);
    turn.current = { count: turn.current.count + 1, isLoading: true };
    setLoading(true);
    const problem = await bring(no, false);
    turn.current.isLoading = false;
    setLoading(false);
    return problem;
  };
  useEffect(() => {
    if (!isAsked.current && isRead && shipNo.value !== '') void load(shipNo.value, true);
    // Once, when what is kept has arrived, unless a bill was asked for meanwhile.
  }, [isRead]);

  return {
    bill,
    mtbId: bill?.mtbId ?? '',
    isLoading,
    /** What to look out for on this bill, such as a parcel that nobody signed for. */
    warning,
    shipNo: shipNo.value,
    load: (no: string) => load(no),
    again: () => void load(shipNo.value, true),
    forget: () => {
      shipNo.set('');
      kept.set(undefined);
    },
    extras,
    place,
  };
}

/** What every receipt call says besides; the server goes by the session. Spec 2 §7. */
function useReceiptExtras() {
  const lang = useLanguage();
  const user = useUser();
  return { lang, orgId: user?.orgId ?? '', siteId: user?.siteId ?? '', userId: user?.userId ?? '' };
}
