import { newKey } from '#app/send.ts';
import { removed, restored, type Scan } from '#app/parts/scan/scanQueue.ts';
import type { StationScope } from '#app/parts/scan/scanDatabase.ts';
import { ClaimedElsewhere, type Claim, type SavedList, type SavedScans } from '#app/parts/scan/savedScans.ts';
import type { StationCore } from '#app/parts/scan/stationContract.ts';

/** What came of writing to this browser's disk; another window may go on with the list by now. */
type Outcome = 'done' | 'elsewhere' | 'failed';

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
  /** The list as this window writes it. */
  claim: Claim;
  /** What comes of any other change of the list on disk. */
  outcomeOf: (writing: Promise<void>) => Promise<Outcome>;
}

interface Hooks {
  /** The list has been read: it is this window's now. */
  onTaken: (isPersisted: (SavedList & { isNew: boolean }) | undefined) => void;
  /** Another window has gone on with it. */
  onLost: () => void;
}

/** The list of one place on disk, of which one window at a time is the owner. Rule: scanning#store. */
export function createOwner(
  core: StationCore,
  scope: StationScope,
  savedScans: SavedScans,
  hooks: Hooks,
): StationOwner {
  const claim: Claim = { scope, holder: newKey() };
  const writing = new Map<string, Promise<void>>();
  let taking: Promise<void> | undefined;
  let unlisten = () => {};

  const owner: StationOwner = {
    claim,
    async start() {
      unlisten();
      unlisten = savedScans.onClaimedElsewhere(claim, lose);
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
      const outcome = await owner.outcomeOf(savedScans.put(claim, scan));
      if (outcome === 'done' && !core.get().isPersisted) core.set({ isPersisted: true });
      return outcome;
    },
    // What is on no disk is said to be on none: a scan that can't be kept is refused, and never lost unseen.
    async outcomeOf(writing) {
      try {
        await writing;
        return 'done';
      } catch (error) {
        if (error instanceof ClaimedElsewhere) {
          lose();
          return 'elsewhere';
        }
        core.set({ isPersisted: false });
        return 'failed';
      }
    },
  };
  return owner;

  async function take(): Promise<void> {
    const known = core.get().scans.flatMap((it) => (writing.has(it.key) ? [] : [it.key]));
    let found: (SavedList & { isNew: boolean }) | undefined;
    const read = async () => {
      const [isPersisted, others] = await Promise.all([savedScans.claim(claim), savedScans.readOthersWaiting(scope)]);
      // What another window did with these is on disk alone; what was scanned here meanwhile may not have been read yet.
      const own = isPersisted.isNew ? removed(core.get().scans, known) : core.get().scans;
      core.setScans(restored(own, isPersisted.scans));
      core.set({ others });
      found = isPersisted;
    };
    await owner.outcomeOf(read());
    core.set({ list: 'here' });
    hooks.onTaken(found);
  }

  function lose(): void {
    const unwritten = core.get().scans.filter((it) => writing.has(it.key));
    core.set({ scans: unwritten, accepted: [], verdict: null, sending: null, rejected: {}, list: 'elsewhere' });
    hooks.onLost();
  }
}
