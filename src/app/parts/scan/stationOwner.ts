import { newKey } from '#app/send.ts';
import { removed, restored, type Scan } from '#app/parts/scan/scanQueue.ts';
import type { Place } from '#app/parts/scan/scanDatabase.ts';
import { HeldElsewhere, type Held, type KeptList, type ScanStore } from '#app/parts/scan/scanStore.ts';
import type { StationCore } from '#app/parts/scan/stationContract.ts';

/** What came of writing to this browser's disk; another window may go on with the list by now. */
export type Outcome = 'done' | 'elsewhere' | 'failed';

export interface StationOwner {
  start: () => Promise<void>;
  stop: () => void;
  /** Makes this window the one that writes here, with the list as it is on disk. */
  takeOver: () => Promise<void>;
  /** Writes a scan that is new; until then it stays in sight whatever another window does. */
  add: (scan: Scan, onWritten: (outcome: Outcome) => void) => void;
  /** When `onWritten` of a new scan is done. */
  written: (key: string) => Promise<void> | undefined;
  /** Writes a scan as it is now. */
  put: (scan: Scan) => Promise<Outcome>;
  /** Any other change of the list on disk. */
  write: (work: (held: Held) => Promise<void>) => Promise<Outcome>;
}

interface Hooks {
  /** The list has been read: it is this window's now. */
  onTaken: (kept: (KeptList & { isNew: boolean }) | undefined) => void;
  /** Another window has gone on with it. */
  onLost: () => void;
}

/** The list of one place on disk, of which one window at a time is the owner. Rule: scanning#store. */
export function createOwner(core: StationCore, place: Place, store: ScanStore, hooks: Hooks): StationOwner {
  const held: Held = { place, holder: newKey() };
  const writing = new Map<string, Promise<void>>();
  let taking: Promise<void> | undefined;
  let unlisten = () => {};

  const owner: StationOwner = {
    async start() {
      unlisten();
      unlisten = store.onTaken(held, lose);
      await owner.takeOver();
    },
    stop: () => unlisten(),
    takeOver: () => (taking ??= take().finally(() => (taking = undefined))),
    add(scan, onWritten) {
      const written = owner.put(scan).then((outcome) => {
        writing.delete(scan.key);
        onWritten(outcome);
      });
      writing.set(scan.key, written);
    },
    written: (key) => writing.get(key),
    async put(scan) {
      const outcome = await owner.write((it) => store.put(it, scan));
      if (outcome === 'done' && !core.get().kept) core.set({ kept: true });
      return outcome;
    },
    // What is on no disk is said to be on none: a scan that can't be kept is refused, and never lost unseen.
    async write(work) {
      try {
        await work(held);
        return 'done';
      } catch (error) {
        if (error instanceof HeldElsewhere) {
          lose();
          return 'elsewhere';
        }
        core.set({ kept: false });
        return 'failed';
      }
    },
  };
  return owner;

  async function take(): Promise<void> {
    const known = core.get().scans.flatMap((it) => (writing.has(it.key) ? [] : [it.key]));
    let read: (KeptList & { isNew: boolean }) | undefined;
    await owner.write(async () => {
      const [kept, others] = await Promise.all([store.hold(held), store.waitingOfOthers(place)]);
      // What another window did with these is on disk alone; what was scanned here meanwhile may not have been read yet.
      const own = kept.isNew ? removed(core.get().scans, known) : core.get().scans;
      core.setScans(restored(own, kept.scans));
      core.set({ others });
      read = kept;
    });
    core.set({ list: 'here' });
    hooks.onTaken(read);
  }

  function lose(): void {
    const unwritten = core.get().scans.filter((it) => writing.has(it.key));
    core.set({ scans: unwritten, accepted: [], verdict: null, sending: null, list: 'elsewhere' });
    hooks.onLost();
  }
}
