import { useRef, useState } from 'react';
import { useTranslate } from 'ra-core';
import { useKept } from '#app/parts/scan/useKept.ts';
import { usePlace } from '#app/parts/scan/usePlace.ts';
import { CallError } from '#app/send.ts';

interface Asking<Bill> {
  ask: (no: string) => Promise<Bill>;
  /** It has come; gives what is wrong with it, or nothing. */
  onCome: (bill: Bill, isQuiet: boolean) => string;
  /** It could not be had; what was worked on stays, unless another bill, or none, is kept instead. */
  onMiss: (error: unknown, asked: { no: string; isQuiet: boolean }, keep: (bill: Bill | undefined) => void) => void;
}

/** The bill that a station works on, asked for by the number of its parcel; both outlive a reload. */
export function useBillByNo<Bill>(station: string, { ask, onCome, onMiss }: Asking<Bill>) {
  const translate = useTranslate();
  const place = usePlace(station, '');
  const shipNo = useKept(place, 'shipNo', '');
  const kept = useKept<Bill | undefined>(place, 'bill', undefined);
  const isRead = shipNo.loaded && kept.loaded;
  // Until it has been read whether there is one, there is no saying that there is none.
  const bill = kept.value ?? (isRead ? null : undefined);
  const [isLoading, setLoading] = useState(false);
  const isAsked = useRef(false);
  /** Counts what was asked for by hand: an answer to what was asked before brings no former bill back. */
  const turn = useRef({ count: 0, isLoading: false });

  /** Gives why there is nothing to work on, or nothing. */
  const bring = async (no: string, isQuiet: boolean): Promise<string> => {
    const { count } = turn.current;
    isAsked.current = true;
    try {
      const loaded = await ask(no);
      if (count !== turn.current.count) return '';
      kept.set(loaded);
      shipNo.set(no);
      return onCome(loaded, isQuiet);
    } catch (error) {
      if (count !== turn.current.count) return '';
      onMiss(error, { no, isQuiet }, kept.set);
      return error instanceof CallError && error.msg ? error.msg : translate('shell.call.network');
    }
  };
  const load = async (no: string): Promise<string> => {
    if (no === '') return translate('stations.shipNoMsg');
    turn.current = { count: turn.current.count + 1, isLoading: true };
    setLoading(true);
    const problem = await bring(no, false);
    turn.current.isLoading = false;
    setLoading(false);
    return problem;
  };

  return {
    place,
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
      kept.set(undefined);
    },
  };
}
