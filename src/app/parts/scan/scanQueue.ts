import type { Heard } from '#app/parts/scan/heard.ts';

/**
 * How far a scanned SN has come. `wrong` is no SN of this place, `refused` one that the server takes no further,
 * `undone` one that was taken back: it stays in sight, and counts no more.
 */
export type ScanState = 'queued' | 'checking' | 'ok' | 'duplicate' | 'wrong' | 'refused' | 'undone' | 'submitted';

/** A scan that goes no further. */
export type Refused = Exclude<Heard, 'kept'>;

export interface Scan<Data = unknown> {
  key: string;
  sn: string;
  state: ScanState;
  /** When it was scanned, epoch ms. */
  at: number;
  /** When it was taken back, epoch ms. */
  undoneAt?: number;
  /** Why it was refused, or why it still waits; in the words of the server. */
  reason?: string;
  /** What to look out for, although it was accepted. */
  warning?: string;
  /** What was chosen on the screen when it was scanned, such as the test's result; not what is chosen later. */
  chosen?: unknown;
  /** What the check of the SN answered. */
  data?: Data;
}

export type ScanEvent =
  | { type: 'scanned'; key: string; sn: string; at: number; chosen?: unknown }
  | { type: 'restored'; scans: readonly Scan[] }
  | { type: 'checking'; key: string }
  | { type: 'waiting'; key: string; reason: string }
  | { type: 'passed'; key: string; data: unknown; warning?: string }
  | { type: 'failed'; key: string; state: Refused; reason: string }
  | { type: 'undone'; key: string; at: number }
  | { type: 'removed'; keys: readonly string[] }
  | { type: 'submitted'; keys: readonly string[]; cleared: readonly string[] };

const living: readonly ScanState[] = ['queued', 'checking', 'ok'];

/** A scan that counts or still may count: it is kept on disk and never counted twice. */
export const isLiving = (scan: Scan): boolean => living.includes(scan.state);
export const isAccepted = (scan: Scan): boolean => scan.state === 'ok';
export const isWaiting = (scan: Scan): boolean => scan.state === 'queued' || scan.state === 'checking';

/** The scans of a station after an event, oldest first. Nothing is ever lost here except by `removed`. */
export function scanQueue(scans: readonly Scan[], event: ScanEvent): readonly Scan[] {
  switch (event.type) {
    case 'scanned': {
      const again = scans.some((it) => it.sn === event.sn && isLiving(it));
      const { key, sn, at, chosen } = event;
      return [...scans, { key, sn, at, chosen, state: again ? 'duplicate' : 'queued' }];
    }
    case 'restored': {
      const known = new Set(scans.map((it) => it.key));
      const back = event.scans.filter((it) => !known.has(it.key)).map(asRestored);
      return [...back, ...scans].sort((a, b) => a.at - b.at);
    }
    case 'checking':
      return changed(scans, event.key, (it) => ({ ...it, state: 'checking', reason: undefined }));
    case 'waiting':
      return answered(scans, event.key, (it) => ({ ...it, state: 'queued', reason: event.reason }));
    case 'passed':
      return answered(scans, event.key, (it) => ({ ...it, state: 'ok', data: event.data, warning: event.warning }));
    case 'failed':
      return answered(scans, event.key, (it) => ({ ...it, state: event.state, reason: event.reason }));
    case 'undone':
      return changed(scans, event.key, (it) => ({ ...it, state: 'undone', undoneAt: event.at, reason: undefined }));
    case 'removed':
      return scans.filter((it) => !event.keys.includes(it.key));
    case 'submitted':
      return scans
        .filter((it) => it.state !== 'submitted' && !event.cleared.includes(it.key))
        .map((it) => (event.keys.includes(it.key) ? { ...it, state: 'submitted' } : it));
  }
}

/**
 * The next scan to ask the server about, in the order of scanning. A station that works on one unit (`limit` 1) leaves
 * the others waiting until that one is submitted.
 */
export function nextToCheck(scans: readonly Scan[], limit = Infinity): Scan | undefined {
  if (scans.filter((it) => isAccepted(it) || it.state === 'checking').length >= limit) return undefined;
  return scans.find((it) => it.state === 'queued');
}

/** The one that "undo last" takes back: the newest that is still on the list and not submitted. */
export const lastToUndo = (scans: readonly Scan[], locked: readonly string[] = []): Scan | undefined =>
  scans.findLast((it) => isLiving(it) && !locked.includes(it.key));

const changed = (scans: readonly Scan[], key: string, change: (scan: Scan) => Scan): readonly Scan[] =>
  scans.map((it) => (it.key === key ? change(it) : it));

/** An answer that comes after its scan was taken back changes nothing. */
const answered = (scans: readonly Scan[], key: string, change: (scan: Scan) => Scan): readonly Scan[] =>
  changed(scans, key, (it) => (it.state === 'undone' ? it : change(it)));

/** A check that was on its way when the page went has no answer any more: it is asked again. */
const asRestored = (scan: Scan): Scan => (scan.state === 'checking' ? { ...scan, state: 'queued' } : scan);
