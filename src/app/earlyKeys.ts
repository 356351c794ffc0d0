interface EarlyKeys {
  /** Those that were pressed under this session; nothing is kept from now on. */
  take: (token: string) => readonly KeyboardEvent[];
}

declare global {
  interface Window {
    earlyKeys?: EarlyKeys;
  }
}

/** More than any label, and than a technician scans while a page opens. */
const MOST = 1000;

/**
 * Keeps the keys of a page that has no listener yet, so that nothing is lost of what is scanned while it loads. What is
 * typed into a field stays there. Rule: scanning#loading.
 */
export function keepEarlyKeys(): EarlyKeys {
  let kept: { event: KeyboardEvent; token: string }[] = [];
  const keep = (event: KeyboardEvent) => {
    const { target } = event;
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return;
    const token = /(?:^|; )token=([^;]+)/.exec(document.cookie)?.[1];
    if (!token || kept.length >= MOST) return;
    kept.push({ event, token: decodeURIComponent(token) });
    // Firefox would look for what follows in the page.
    if (event.key === '/' || event.key === "'") event.preventDefault();
  };
  window.addEventListener('keydown', keep, true);
  return {
    take(token) {
      window.removeEventListener('keydown', keep, true);
      const taken = kept.filter((it) => it.token === token).map((it) => it.event);
      kept = [];
      return taken;
    },
  };
}
