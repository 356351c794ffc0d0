import { useEffect, useRef, useState } from 'react';
import { useReasonOf } from '#app/notify.ts';
import { usePersistedState } from '#app/parts/scan/usePersistedState.ts';
import { useStationScope } from '#app/parts/scan/useStationScope.ts';

interface BillSource<Bill> {
  /** What is said where no number was entered. */
  loadFirst: string;
  fetchBill: (no: string) => Promise<Bill>;
  /** It has come; gives what is wrong with it, or nothing. */
  onLoaded: (bill: Bill, isQuiet: boolean) => string;
  /** It could not be had; what was worked on stays, unless another bill, or none, is kept instead. */
  onFailed: (
    error: unknown,
    asked: { no: string; isQuiet: boolean },
    replaceBill: (bill: Bill | undefined) => void,
  ) => void;
}

/** The bill that a station works on, asked for by the number of its parcel; both outlive a reload. */
export function useBillByNo<Bill>(station: string, { loadFirst, fetchBill, onLoaded, onFailed }: BillSource<Bill>) {
  const reasonOf = useReasonOf();
  const scope = useStationScope(station, '');
  const shipNo = usePersistedState(scope, 'shipNo', '');
  const savedBill = usePersistedState<Bill | undefined>(scope, 'bill', undefined);
  const isRead = shipNo.loaded && savedBill.loaded;
  // Until it has been read whether there is one, and until a station has asked for the one that its address names, there is no
  // saying that there is none: between the two a scan would be taken for its number.
  const [isBegun, setBegun] = useState(false);
  const bill = savedBill.value ?? (isBegun ? null : undefined);
  const [isLoading, setLoading] = useState(false);
  const isAsked = useRef(false);
  /** Counts what was asked for by hand: an answer to what was asked before brings no former bill back. */
  const turn = useRef({ count: 0, isLoading: false });

  useEffect(() => {
    if (isRead) setBegun(true);
  }, [isRead]);

  /** Gives why there is nothing to work on, or nothing. */
  const bring = async (no: string, isQuiet: boolean): Promise<string> => {
    const { count } = turn.current;
    isAsked.current = true;
    try {
      const loaded = await fetchBill(no);
      if (count !== turn.current.count) return '';
      savedBill.set(loaded);
      shipNo.set(no);
      return onLoaded(loaded, isQuiet);
    } catch (error) {
      if (count !== turn.current.count) return '';
      onFailed(error, { no, isQuiet }, savedBill.set);
      return reasonOf(error);
    }
  };
  const load = async (no: string): Promise<string> => {
    if (no === '') return loadFirst;
    turn.current = { count: turn.current.count + 1, isLoading: true };
    setLoading(true);
    const problem = await bring(no, false);
    turn.current.isLoading = false;
    setLoading(false);
    return problem;
  };

  return {
    scope,
    bill,
    shipNo: shipNo.value,
    isLoading,
    /** What was kept is known by now. */
    isRead,
    /** One was left here, and nothing was asked for since. */
    isLeft: () => isRead && shipNo.value !== '' && !isAsked.current,
    load,
    /** The same bill anew, beside the scans. */
    again: () => void (shipNo.value !== '' && !turn.current.isLoading && bring(shipNo.value, true)),
    forget: () => {
      shipNo.set('');
      savedBill.set(undefined);
    },
  };
}
