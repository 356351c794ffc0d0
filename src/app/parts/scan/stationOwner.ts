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
  /** The disk failed when the list was to be taken over: nobody knows what is on it. */
  isUntaken: () => boolean;
  /** Writes a scan that is new; until then it stays in sight whatever another window does. */
  add: (scan: Scan, onWritten: (outcome: Outcome) => void) => void;
  /** When `onWritten` of a new scan is done. */
  written: (key: string) => Promise<void> | undefined;
  /** Writes a scan as it is now. */
  put: (scan: Scan) => Promise<Outcome>;
  /** The list as this window writes it. */
  claim: Claim;
  /** What comes of any other change of the list on disk, and of which scans of it. */
  outcomeOf: (writing: Promise<void>, scanKeys?: readonly string[]) => Promise<Outcome>;
}

interface Hooks {
  /** The list has been read: it is this window's now. */
  onTaken: (isPersisted: (SavedList & { isNew: boolean }) | undefined) => void;
  /** Another window has gone on with it. */
  onLost: () => void;
  /** What is kept beside the scans, as it is now. */
  beside: () => Omit<SavedList, 'scans'>;
  /** The scans that the server has taken: they are about to leave the list. */
  taken: () => readonly string[];
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
  /** The scans of writes that have failed: on disk they may be what they were before. */
  const stale = new Set<string>();
  let failures = 0;
  /** The list has been taken over, and no other window has taken it since. */
  let isOurs = false;
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
    isUntaken: () => !isOurs && core.get().list === 'here',
    takeOver: () => (taking ??= take().finally(() => (taking = undefined))),
    add(scan, onWritten) {
      // What is new and can't be written leaves the list, and there is nothing of it on disk.
      const written = owner.outcomeOf(savedScans.put(claim, scan)).then((outcome) => {
        writing.delete(scan.key);
        onWritten(outcome);
      });
      writing.set(scan.key, written);
    },
    written: (key) => writing.get(key),
    put: (scan) => owner.outcomeOf(savedScans.put(claim, scan), [scan.key]),
    // What is on no disk is said to be on none: a scan that can't be kept is refused, and never lost unseen.
    async outcomeOf(writing, scanKeys = []) {
      try {
        await writing;
        if (!core.get().isPersisted && core.get().list === 'here') await rewrite();
        return 'done';
      } catch (error) {
        if (error instanceof ClaimedElsewhere && !owner.isUntaken()) {
          lose();
          return 'elsewhere';
        }
        failures += 1;
        for (const it of scanKeys) stale.add(it);
        core.set({ isPersisted: false });
        return 'failed';
      }
    },
  };
  return owner;

  /** The disk works again: what it refused meanwhile is written as it is now, and only then is all of the list kept. */
  async function rewrite(): Promise<void> {
    const before = failures;
    const keys = [...stale];
    stale.clear();
    const isKept = ({ key, state }: Scan) =>
      keys.includes(key) && state !== 'submitted' && !hooks.taken().includes(key);
    try {
      await savedScans.rewrite(claim, keys, { scans: core.get().scans.filter(isKept), ...hooks.beside() });
      if (failures === before) core.set({ isPersisted: true });
    } catch (error) {
      if (error instanceof ClaimedElsewhere) return lose();
      failures += 1;
      for (const it of keys) stale.add(it);
      core.set({ isPersisted: false });
    }
  }

  async function take(): Promise<void> {
    const known = core.get().scans.flatMap((it) => (writing.has(it.key) ? [] : [it.key]));
    let found: (SavedList & { isNew: boolean }) | undefined;
    const read = async () => {
      const [isPersisted, others] = await Promise.all([
        savedScans.claim(claim),
        // That others wait is told where it is known; the list does not hang on it.
        savedScans.readOthersWaiting(scope).catch(() => []),
      ]);
      // Another window had it, and this one did not hear of that while it was hidden.
      if (isPersisted.isNew && isOurs) lose();
      isOurs = true;
      // What another window did with these is on disk alone; what was scanned here meanwhile may not have been read yet.
      const own = isPersisted.isNew ? removed(core.get().scans, known) : core.get().scans;
      // Where a write of this window has failed, the list here is newer.
      core.setScans(
        restored(
          own,
          isPersisted.scans.filter((it) => !stale.has(it.key)),
        ),
      );
      core.set({ others });
      found = isPersisted;
    };
    // What has been begun is known only once it has been taken: nothing is written here.
    await read().catch(() => core.set({ isPersisted: false }));
    core.set({ list: 'here' });
    hooks.onTaken(found);
  }

  function lose(): void {
    const unwritten = core.get().scans.filter((it) => writing.has(it.key));
    stale.clear();
    isOurs = false;
    core.set({ scans: unwritten, accepted: [], verdict: null, sending: null, rejected: {}, list: 'elsewhere' });
    hooks.onLost();
  }
}
