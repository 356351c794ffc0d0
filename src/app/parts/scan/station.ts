import { normaliseNo } from '#domain/sn.ts';
import { isServerDown, isUnanswered } from '#app/parts/scan/answers.ts';
import { readSn } from '#app/parts/scan/labels.ts';
import { type FrameStore, oncePerFrame } from '#app/parts/scan/oncePerFrame.ts';
import { SECOND_ENTER } from '#app/parts/scan/rhythm.ts';
import { isAccepted, isWaiting, lastToUndo, removed, type Scan } from '#app/parts/scan/scanQueue.ts';
import type { StationScope } from '#app/parts/scan/scanDatabase.ts';
import type { SavedScans } from '#app/parts/scan/savedScans.ts';
import { createServerContact } from '#app/parts/scan/serverContact.ts';
import type { StationCore, StationPorts, StationState, Verdict } from '#app/parts/scan/stationContract.ts';
import { createOwner } from '#app/parts/scan/stationOwner.ts';
import { createQueue } from '#app/parts/scan/stationQueue.ts';
import { createSubmit } from '#app/parts/scan/stationSubmit.ts';

export interface Station<Data, Input, Answer, Chosen = unknown> {
  state: FrameStore<StationState>;
  /** What its page does from now on. */
  connect: (ports: StationPorts<Data, Input, Answer, Chosen>) => void;
  start: () => Promise<void>;
  /** Somebody is at this window: where another had gone on, this one does again. */
  resume: () => void;
  /** Gives whether it was no SN and changed what is chosen on the page: what is scanned next has to find that there. */
  scan: (text: string) => boolean;
  showVerdict: (verdict: Verdict) => void;
  closeVerdict: () => void;
  /** Something was entered on the page: what it said to be missing there is judged anew with the next submit. */
  entered: () => void;
  remove: (keys: readonly string[]) => void;
  /** Takes the newest scan back: it stays in sight as taken back. */
  undo: () => void;
  /** Takes a code, where this station has a use for it now. */
  enterCode: (code: string) => boolean;
  /** Does it when the scans before it have been asked about, or can't be now, and the screen shows how they stand. */
  afterChecks: (work: () => void) => void;
  submit: (input: Input, scanKeys: readonly string[]) => void;
  /** Takes an unsent submit back; its scans stay on the list. */
  takeBack: () => void;
  retry: () => void;
  /** Somebody sees this window again. */
  look: () => void;
  stop: () => void;
}

/** What was scanned behind a unit, as it was read and in plain letters. */
interface Follower {
  text: string;
  plain: string;
}

const fresh: StationState = {
  scans: [],
  accepted: [],
  verdict: null,
  sending: null,
  rejected: {},
  others: [],
  list: 'unread',
  isPersisted: true,
  isUnreachable: false,
};

/** The scans of one place: checked in order, kept until submitted, each submit repeated until it has a verdict. */
export function createStation<Data, Input, Answer, Chosen = unknown>(
  scope: StationScope,
  savedScans: SavedScans,
  first: StationPorts<Data, Input, Answer, Chosen>,
): Station<Data, Input, Answer, Chosen> {
  const state = oncePerFrame(fresh);
  let ports = first;
  let isStopped = false;
  let lastScanAt = -Infinity;
  /** What was said last, whether it is resolved, and whether the page itself said so. */
  let said: { verdict: Verdict; isOver?: (() => boolean) | undefined; isOfPage?: boolean } | undefined;
  /** What was scanned behind a unit that has not come yet, and waits for it. */
  let behind: readonly Follower[] = [];
  const server = createServerContact({
    showVerdict: announceWaiting,
    onReached: (isReached) => isReached === state.get().isUnreachable && set({ isUnreachable: !isReached }),
    isServerWell: () => ports.isServerWell?.() ?? Promise.resolve(false),
    isStopped: () => isStopped,
    goOn,
  });
  const core: StationCore = {
    get: state.get,
    set,
    setScans,
    changeScan(key, part) {
      const { scans } = state.get();
      const at = scans.findIndex((it) => it.key === key);
      const before = scans[at];
      if (!before || before.state === 'undone') return undefined;
      const scan = { ...before, ...part };
      setScans(scans.with(at, scan));
      return scan;
    },
    // The parts hand on what the page gives, and know nothing of it.
    ports: () => ports as unknown as StationPorts<unknown, unknown, unknown>,
    say,
    safely,
    isStopped: () => isStopped,
    server,
    // What a server that is down says is for whoever looks after it.
    whyUnanswered: (error) => {
      const { noAnswer, serverFails } = ports.words;
      return isUnanswered(error) ? noAnswer : isServerDown(error) ? serverFails : ports.reasonOf(error);
    },
  };
  const owner = createOwner(core, scope, savedScans, {
    onTaken: (kept) => {
      batch.resume(kept);
      void queue.drain();
      if (kept?.isNew) tellLost(kept.behind ?? []);
    },
    onLost: () => {
      server.rest();
      batch.forget();
      // The window that goes on with the list tells of them.
      behind = [];
    },
    taken: () => batch.taken(),
    beside: () => ({ submission: batch.pending(), behind: behind.map((it) => it.text) }),
  });
  const queue = createQueue(core, owner);
  const batch = createSubmit(core, owner, savedScans, () => void queue.drain());

  const station: Station<Data, Input, Answer, Chosen> = {
    state,
    connect(now) {
      ports = now;
      closeOver();
    },
    start() {
      isStopped = false;
      return owner.start();
    },
    resume() {
      if (state.get().list === 'elsewhere') void owner.takeOver();
    },
    scan(text) {
      const plain = normaliseNo(text);
      const isSecondEnter = plain === '' && performance.now() - lastScanAt < SECOND_ENTER;
      if (isSecondEnter) return false;
      lastScanAt = performance.now();
      if (plain === '' || (behind.length === 0 && !isUnitComing())) return take(text, plain);
      const follower = { text, plain };
      behind = [...behind, follower];
      keepBehind();
      follow(follower);
      return false;
    },
    showVerdict(verdict) {
      say(verdict);
      said = { verdict, isOfPage: true };
    },
    closeVerdict: () => set({ verdict: null }),
    entered() {
      if (said?.isOfPage && said.verdict.kind === 'wrong') close(said.verdict);
    },
    remove(keys) {
      const free = keys.filter((it) => !batch.scanKeys().includes(it));
      setScans(removed(state.get().scans, free));
      void owner.outcomeOf(savedScans.remove(owner.claim, free), free);
      void queue.drain();
    },
    undo() {
      const last = lastToUndo(state.get().scans, batch.scanKeys());
      const scan = last && core.changeScan(last.key, { state: 'undone', undoneAt: Date.now(), reason: undefined });
      if (!scan) return say({ kind: 'wrong', sn: '', text: ports.words.nothingToUndo });
      void owner.put(scan);
      say({ kind: 'ok', sn: scan.sn, text: ports.words.undone });
      void queue.drain();
    },
    enterCode: (code) => !isUnitGone() && (ports.onCode?.(code) ?? false),
    // What waits for the checks finds the page as they have left it.
    afterChecks: (work) => queue.afterChecks(() => state.whenDrawn(work)),
    submit: batch.submit,
    takeBack: batch.takeBack,
    retry: server.retry,
    look: server.look,
    stop() {
      isStopped = true;
      server.stop();
      owner.stop();
    },
  };
  return station;

  function close(verdict: Verdict): void {
    if (state.get().verdict === verdict) set({ verdict: null });
  }

  function closeOver(): void {
    if (said?.isOver?.()) close(said.verdict);
  }

  function set(part: Partial<StationState>): void {
    state.set({ ...state.get(), ...part });
  }

  function setScans(scans: readonly Scan[]): void {
    const accepted = scans.filter(isAccepted);
    const before = state.get().accepted;
    // The list as it was, when the new one holds the same: what is drawn of it then stays.
    const isSame = before.length === accepted.length && before.every((it, i) => it === accepted[i]);
    const { rejected } = state.get();
    const left = Object.entries(rejected).filter(([key]) => accepted.some((it) => it.key === key));
    const isLess = left.length < Object.keys(rejected).length;
    state.set({
      ...state.get(),
      scans,
      accepted: isSame ? before : accepted,
      ...(isLess && { rejected: Object.fromEntries(left) }),
    });
    closeOver();
  }

  function take(text: string, plain: string): boolean {
    const { words, onText, blockedBy, chosen } = ports;
    if (plain !== '' && onText && !isUnitGone() && onText(plain)) return true;
    const sn = readSn(text);
    const reason = sn === '' ? undefined : blockedBy?.();
    if (sn === '') queue.sayInTurn({ kind: 'wrong', sn, text: words.scanFirst });
    else if (reason) queue.sayInTurn({ kind: 'wrong', sn, text: reason }, () => ports.blockedBy?.() !== reason);
    else queue.add(sn, chosen);
    return false;
  }

  /** It waits for the unit that it was scanned behind, and is for no other one. */
  function follow(follower: Follower): void {
    const { text, plain } = follower;
    const unit = state.get().scans.find(isWaiting)?.key;
    station.afterChecks(() => {
      if (!behind.includes(follower)) return;
      const isAwaited = state.get().scans.some((it) => it.key === unit && isWaiting(it));
      if (!isAwaited && isUnitComing()) return follow(follower);
      behind = behind.filter((it) => it !== follower);
      if (isAwaited) say({ kind: 'refused', sn: plain, text: ports.words.unitAwaited });
      else take(text, plain);
      keepBehind();
    });
  }

  /** A page that is loaded anew knows by it what it has to ask for again. */
  function keepBehind(): void {
    if (state.get().list !== 'here') return;
    void owner.outcomeOf(
      savedScans.putBehind(
        owner.claim,
        behind.map((it) => it.text),
      ),
    );
  }

  /** What waited for its unit when the page went is in no position yet, and nobody knows for how long that was. */
  function tellLost(texts: readonly string[]): void {
    if (texts.length === 0 && behind.length === 0) return;
    if (texts.length === 0) return keepBehind();
    queue.afterChecks(() => {
      say({ kind: 'refused', sn: texts.join(', '), text: ports.words.unitAwaited });
      keepBehind();
    });
  }

  function isUnitComing(): boolean {
    const { scans, accepted } = state.get();
    if (!ports.isFollowed || (accepted.length > 0 && !batch.isUnderWay())) return false;
    return scans.some(isWaiting);
  }

  /** Of one unit at a time: what comes while it is being submitted is not meant for it any more. */
  function isUnitGone(): boolean {
    return ports.limit === 1 && batch.isUnderWay();
  }

  /** A scan that the server still owes a verdict; one that waits for the unit on the bench is owed none yet. */
  function announceWaiting(key: string): void {
    const scan = state.get().scans.find((it) => it.key === key);
    if (scan && isWaiting(scan) && state.get().accepted.length < (ports.limit ?? Infinity))
      say({ kind: 'kept', sn: scan.sn, text: ports.words.kept });
  }

  /** What waits, one after the other: first the submit, then the scans in their order. */
  async function goOn(): Promise<void> {
    if (batch.isUnsent()) await batch.submitPending();
    await queue.drain();
  }

  function say(verdict: Verdict, isOver?: () => boolean): void {
    said = { verdict, isOver };
    set({ verdict });
    safely(() => ports.sound(verdict.kind, scope.userId));
    // That a scan is fine, or waits, is told by its sound alone.
    const isSaid = ![ports.words.accepted, ports.words.kept].includes(verdict.text);
    if (isSaid) safely(() => ports.speak?.(verdict.text));
  }

  function safely(work: (() => void) | undefined): void {
    try {
      work?.();
    } catch (error) {
      ports.onError(error);
    }
  }
}
