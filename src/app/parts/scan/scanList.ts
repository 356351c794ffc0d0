import {
  lastToUndo,
  nextToCheck,
  scanQueue,
  type Refused,
  type Scan,
  type ScanEvent,
} from '#app/parts/scan/scanQueue.ts';

export interface ScanList {
  add: (key: string, sn: string, chosen: unknown) => Scan;
  restore: (scans: readonly Scan[]) => void;
  checking: (key: string) => void;
  wait: (key: string, reason: string) => void;
  /** Gives the scan as it is now; nothing when it was taken back meanwhile. */
  pass: (key: string, data: unknown, warning?: string) => Scan | undefined;
  fail: (key: string, state: Refused, reason: string) => Scan | undefined;
  /** Gives the scan as it is now; nothing where there is none. */
  undo: (key: string) => Scan | undefined;
  remove: (keys: readonly string[]) => void;
  /** These were submitted; what is cleared leaves the list. */
  submitted: (keys: readonly string[], cleared: readonly string[]) => void;
  next: (limit?: number) => Scan | undefined;
  last: (locked: readonly string[]) => Scan | undefined;
}

/** The scan queue with its present state held elsewhere. */
export function scansOf(get: () => readonly Scan[], set: (scans: readonly Scan[]) => void): ScanList {
  const apply = (event: ScanEvent) => set(scanQueue(get(), event));
  const find = (key: string) => get().find((it) => it.key === key);
  const isAsked = (key: string) => get().some((it) => it.key === key && it.state !== 'undone');
  return {
    add(key, sn, chosen) {
      const at = Math.max(Date.now(), (get().at(-1)?.at ?? 0) + 1);
      apply({ type: 'scanned', key, sn, at, chosen });
      return find(key) ?? { key, sn, at, chosen, state: 'queued' };
    },
    restore: (scans) => apply({ type: 'restored', scans }),
    checking: (key) => apply({ type: 'checking', key }),
    wait: (key, reason) => apply({ type: 'waiting', key, reason }),
    pass(key, data, warning) {
      if (!isAsked(key)) return undefined;
      apply({ type: 'passed', key, data, warning });
      return find(key);
    },
    fail(key, state, reason) {
      if (!isAsked(key)) return undefined;
      apply({ type: 'failed', key, state, reason });
      return find(key);
    },
    undo(key) {
      apply({ type: 'undone', key, at: Date.now() });
      return find(key);
    },
    remove: (keys) => apply({ type: 'removed', keys }),
    submitted: (keys, cleared) => apply({ type: 'submitted', keys, cleared }),
    next: (limit) => nextToCheck(get(), limit),
    last: (locked) => lastToUndo(get(), locked),
  };
}
