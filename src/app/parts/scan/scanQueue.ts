/**
 * How far a scanned SN has come. `wrong` is no SN of this place, `refused` one that the server takes no further,
 * `undone` one that was taken back: it stays in sight, and counts no more.
 */
type ScanState = 'queued' | 'checking' | 'ok' | 'duplicate' | 'wrong' | 'refused' | 'undone' | 'submitted';

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

const living: readonly ScanState[] = ['queued', 'checking', 'ok'];

/** A scan that counts or still may count: it is kept on disk and never counted twice. */
export const isLiving = (scan: Scan): boolean => living.includes(scan.state);
export const isAccepted = (scan: Scan): boolean => scan.state === 'ok';
export const isWaiting = (scan: Scan): boolean => scan.state === 'queued' || scan.state === 'checking';

/** A scan that was just made. An SN that counts already, or may still count, is never counted twice. */
export function newScan(scans: readonly Scan[], scan: Pick<Scan, 'key' | 'sn' | 'chosen'>): Scan {
  const isAgain = scans.some((it) => it.sn === scan.sn && isLiving(it));
  const at = Math.max(Date.now(), (scans.at(-1)?.at ?? 0) + 1);
  return { ...scan, at, state: isAgain ? 'duplicate' : 'queued' };
}

/** One of the scans changed. An answer that comes after its scan was taken back changes nothing. */
export const changed = (scans: readonly Scan[], key: string, part: Partial<Scan>): readonly Scan[] =>
  scans.map((it) => (it.key === key && it.state !== 'undone' ? { ...it, ...part } : it));

/** With those that were kept on disk, in the order of scanning. */
export function restored(scans: readonly Scan[], isPersisted: readonly Scan[]): readonly Scan[] {
  const known = new Set(scans.map((it) => it.key));
  const back = isPersisted.filter((it) => !known.has(it.key)).map(asRestored);
  return [...back, ...scans].sort((a, b) => a.at - b.at);
}

export const removed = (scans: readonly Scan[], keys: readonly string[]): readonly Scan[] =>
  scans.filter((it) => !keys.includes(it.key));

/** After these were submitted: what is cleared, and what was submitted before, leaves the list. */
export const submitted = (
  scans: readonly Scan[],
  keys: readonly string[],
  cleared: readonly string[],
): readonly Scan[] =>
  scans
    .filter((it) => it.state !== 'submitted' && !cleared.includes(it.key))
    .map((it) => (keys.includes(it.key) ? { ...it, state: 'submitted' } : it));

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

/** A check that was on its way when the page went has no answer any more: it is asked again. */
const asRestored = (scan: Scan): Scan => (scan.state === 'checking' ? { ...scan, state: 'queued' } : scan);
