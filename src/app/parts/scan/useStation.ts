import { useEffect, useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { useTranslate } from 'ra-core';
import { useReasonOf } from '#app/notify.ts';
import { useLanguage } from '#app/session.ts';
import { useObservable } from '#app/observable.ts';
import type { Colleague } from '#domain/colleagues.ts';
import type { Colleagues } from '#app/parts/scan/colleagues.ts';
import { isLiving, type Scan } from '#app/parts/scan/scanQueue.ts';
import type { StationScope } from '#app/parts/scan/scanDatabase.ts';
import { type SavedScans, savedScans } from '#app/parts/scan/savedScans.ts';
import { play, prepareSounds, readVolume } from '#app/parts/scan/sounds.ts';
import { isServerWell } from '#app/parts/scan/serverContact.ts';
import { speak, wantsSpeech } from '#app/parts/scan/speech.ts';
import { createStation, type Station } from '#app/parts/scan/station.ts';
import type { StationContract, StationPorts, StationState } from '#app/parts/scan/stationContract.ts';
import { useAskBeforeLeaving } from '#app/parts/scan/useAskBeforeLeaving.ts';
import { useColleagues } from '#app/parts/scan/useColleagues.ts';
import { useStationScope } from '#app/parts/scan/useStationScope.ts';

interface StationOptions<Data, Input, Answer, Chosen = unknown> extends StationContract<Data, Input, Answer, Chosen> {
  /** Which station it is; scans are kept under it. */
  name: string;
  /** The bill that the scans belong to, where a station works bill by bill. */
  bill?: string;
  /** Which bill that is has not been read yet: nobody knows what is on its list. */
  isBillUnread?: boolean;
  /** Brings the bill up to date, beside the scans, when somebody else has submitted on it. */
  refresh?: () => void;
  /** Another store of scans, for tests. */
  scans?: SavedScans;
}

export interface StationView<Data, Input = unknown> extends StationState {
  scans: readonly Scan<Data>[];
  accepted: readonly Scan<Data>[];
  /** Who else has scanned here, and not submitted yet. */
  colleagues: readonly Colleague[];
  actions: Omit<Station<Data, Input, never>, 'state' | 'connect'>;
  scope: StationScope;
}

/** A station of this user at this site: what its page gives (`StationContract`), alive as long as its page is. */
export function useStation<Data, Input, Answer, Chosen = unknown>(
  options: StationOptions<Data, Input, Answer, Chosen>,
): StationView<Data, Input> {
  const { name, bill = '', isBillUnread = false, scans = savedScans } = options;
  const scope = useStationScope(name, bill);
  const others = useColleagues(scope, options.bill === '', options.refresh);
  const ports = usePorts(options, scope.userId, others);
  const [first] = useState(() => ports);
  const station = useMemo(() => createStation(scope, scans, first), [scope, scans, first]);

  // Before any other effect: what was held back while a bill came is scanned in one of them.
  useLayoutEffect(() => {
    station.connect(ports);
  });
  useEffect(prepareSounds, []);
  // Before the first scan that sees the page.
  useLayoutEffect(() => {
    void station.start();
    window.addEventListener('online', station.retry);
    window.addEventListener('focus', station.resume);
    const comesToFront = () => !document.hidden && station.look();
    document.addEventListener('visibilitychange', comesToFront);
    return () => {
      window.removeEventListener('online', station.retry);
      window.removeEventListener('focus', station.resume);
      document.removeEventListener('visibilitychange', comesToFront);
      station.stop();
    };
  }, [station]);

  const state = useSyncExternalStore(station.state.subscribe, station.state.drawn);
  const colleagues = useObservable(others.state);
  // What is kept comes back with the page; the browser's own question would take the Enter of the next scan for a yes.
  useAskBeforeLeaving(!state.isPersisted && (state.sending !== null || state.scans.length > 0));
  useEffect(() => {
    // What another window goes on with is told by that one.
    if (state.list !== 'elsewhere') others.share(state.scans.filter(isLiving).map((it) => it.sn));
  }, [others, state.scans, state.list]);
  return useMemo(() => {
    const scans = state.scans as readonly Scan<Data>[];
    const accepted = state.accepted as readonly Scan<Data>[];
    const list = isBillUnread ? 'unread' : state.list;
    return { ...state, list, scans, accepted, colleagues, actions: station, scope };
  }, [state, isBillUnread, colleagues, station, scope]);
}

function usePorts<Data, Input, Answer, Chosen>(
  options: StationOptions<Data, Input, Answer, Chosen>,
  userId: string,
  others: Colleagues,
): StationPorts<Data, Input, Answer, Chosen> {
  const translate = useTranslate();
  const reasonOf = useReasonOf();
  const language = useLanguage();
  return {
    ...options,
    onSubmitted: (answer, input, scanKeys) => {
      others.noteSubmitted();
      options.onSubmitted?.(answer, input, scanKeys);
    },
    // As any other error of a page: it is told and kept in the log.
    onError: (error) => reportError(error),
    warningOf: (sn) => {
      const also = others.state.get().find((it) => it.snList.includes(sn));
      return also && translate('stations.alsoScanned', { name: also.userName });
    },
    reasonOf,
    isServerWell,
    sound: play,
    speak: (text) => wantsSpeech(userId) && speak(text, language, readVolume(userId)),
    words: {
      accepted: translate('stations.verified'),
      duplicate: translate('stations.repeateSn'),
      scanFirst: translate('stations.scanMsg'),
      notSn: translate('stations.notSn'),
      kept: translate('stations.kept'),
      noAnswer: translate('stations.noAnswer'),
      serverFails: translate('stations.serverFails'),
      undone: translate('stations.undone'),
      unitAwaited: translate('stations.unitAwaited'),
      nothingToUndo: translate('stations.nothingToUndo'),
      submitted: translate('stations.submitMsg'),
      elsewhere: translate('stations.elsewhere'),
      notPersisted: translate('stations.notKept'),
    },
  };
}
