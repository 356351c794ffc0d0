import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { readSn } from '#app/parts/scan/labels.ts';
import { type Receiver, receiveScans } from '#app/parts/scan/scanner.ts';
import { useNotifyRefusal } from '#app/parts/scan/useRefusal.ts';
import { findVisible } from '#app/parts/visibleElements.ts';
import { addressOfSn, useSeesSns } from '#app/parts/snPage.ts';
import { isSn } from '#domain/sn.ts';

/**
 * An SN that is scanned where nothing expects it opens its page: not at a station, not in a field. Under what lies over
 * the page it is refused aloud, so that its end presses nothing there.
 */
export function useSnScan(): void {
  const navigate = useNavigate();
  const seesSns = useSeesSns();
  const refuse = useNotifyRefusal();
  const receiver: Receiver = {
    isLast: true,
    wants(text, isCovered) {
      if (isCovered) return 'refuse';
      return seesSns && !findVisible('[data-scan]') && isSn(readSn(text)) ? 'take' : 'leave';
    },
    take: (text) => void navigate(addressOfSn(readSn(text))),
    refuse,
  };
  const latest = useRef(receiver);
  useEffect(() => {
    latest.current = receiver;
  });
  useEffect(() => receiveScans(latest), []);
}
