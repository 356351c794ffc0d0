import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { useTranslate } from 'ra-core';
import { notices, useReasonOf } from '#app/notify.ts';
import { fetchNumbers, type Goal, normaliseSearch } from '#app/palette/finding.ts';
import { isUnreached } from '#app/parts/scan/answers.ts';
import { readSn } from '#app/parts/scan/labels.ts';
import { type Receiver, receiveScans } from '#app/parts/scan/scanner.ts';
import { play } from '#app/parts/scan/sounds.ts';
import { useNotifyRefusal } from '#app/parts/scan/useRefusal.ts';
import { findVisible } from '#app/parts/visibleElements.ts';
import { addressOfSn, useSeesSns } from '#app/parts/snPage.ts';
import { useUser } from '#app/session.ts';
import { isSn } from '#domain/sn.ts';

/** A parcel that became a bill is that bill; before, it is what was signed for. */
const parcelLists = ['rmaMaintainBillList', 'rmaArrivalBillList'];
/** Long enough to be read by who looks up from the label. */
const SEEN = 15_000;

/**
 * An SN, a bill or a parcel that is scanned where nothing expects it opens its page: not at a station, not in a field but
 * the search of a list. Of another site's SN that is said, beside its record. Where several have the number, the palette
 * offers them; where none has, that is said. What could not be looked up stays in the palette; without a network it is
 * opened as an SN. Under what lies over the page it is refused aloud, so that its end presses nothing there. Rule:
 * lists#find.
 */
export function useSnScan(offer: (text: string) => void): void {
  const navigate = useNavigate();
  const translate = useTranslate();
  const reasonOf = useReasonOf();
  const seesSns = useSeesSns();
  const userId = useUser()?.userId ?? '';
  const refuse = useNotifyRefusal();
  const find = async (scanned: string) => {
    const sn = readSn(scanned);
    const text = normaliseSearch(scanned);
    const found = await fetchNumbers(text, seesSns, new AbortController().signal);
    const whole = found.filter((it) => [text, sn].some((sought) => it.text.toUpperCase() === sought.toUpperCase()));
    const goal = onlyOne(whole);
    if (goal?.elsewhere) {
      play('wrong', userId);
      notices.warning(translate('shell.palette.otherSite', { sn: goal.text }), { duration: SEEN });
    }
    if (goal) return void navigate(goal.address);
    if (whole.length > 0) return offer(text);
    play('wrong', userId);
    notices.warning(translate('shell.palette.none', { text }), { duration: SEEN });
  };
  const receiver: Receiver = {
    isLast: true,
    wants(text, isCovered) {
      if (isCovered) return 'refuse';
      return !findVisible('[data-scan]') && isSn(readSn(text)) ? 'take' : 'leave';
    },
    take: (text) =>
      void find(text).catch((error: unknown) => {
        // A page that was read before may be shown without a network; it says itself what it misses.
        if (seesSns && isUnreached(error)) return void navigate(addressOfSn(readSn(text)));
        play('wrong', userId);
        const args = { text: normaliseSearch(text), reason: reasonOf(error) };
        notices.warning(translate('shell.palette.notFoundOut', args), { duration: SEEN });
        offer(args.text);
      }),
    refuse,
  };
  const latest = useRef(receiver);
  useEffect(() => {
    latest.current = receiver;
  });
  useEffect(() => receiveScans(latest), []);
}

/** The one that is meant: the only one, or of a parcel the bill that it became. */
function onlyOne(goals: readonly Goal[]): Goal | undefined {
  if (goals.length === 1) return goals[0];
  if (goals.some((it) => it.kind !== 'parcel')) return undefined;
  for (const list of parcelLists) {
    const there = goals.filter((it) => it.address.startsWith(`/${list}/`));
    if (there.length > 0) return there.length === 1 ? there[0] : undefined;
  }
  return undefined;
}
