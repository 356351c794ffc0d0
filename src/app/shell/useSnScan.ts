import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { hasOpenDialog, isInOverlay, isTextField } from '#app/parts/scan/editable.ts';
import { readSn } from '#app/parts/scan/labels.ts';
import { createWedge } from '#app/parts/scan/wedge.ts';
import { shown } from '#app/parts/shown.ts';
import { addressOfSn, useSeesSns } from '#app/parts/snPage.ts';
import { isSn } from '#domain/sn.ts';

/**
 * An SN that is scanned where nothing expects it opens its page: not at a station, not while something lies over the
 * page, not in a field. From its second letter on a burst is kept from the page, whose keys it would press.
 */
export function useSnScan(): void {
  const navigate = useNavigate();
  const seesSns = useSeesSns();
  useEffect(() => {
    if (!seesSns) return;
    const wedge = createWedge();
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || event.repeat) return;
      if (isTextField(event.target) || isInOverlay(event.target)) return;
      if (shown('[data-scan]') || hasOpenDialog()) return;
      const burst = wedge.press({ key: event.key, at: event.timeStamp });
      const sn = readSn(burst ?? '');
      if (burst === undefined ? !wedge.isBurst() : !isSn(sn)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (burst !== undefined) navigate(addressOfSn(sn));
    };
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, [navigate, seesSns]);
}
