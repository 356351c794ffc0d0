import { isSn, normaliseNo } from '#domain/sn.ts';
import { storeOf, type Store } from '#app/store.ts';
import { newKey } from '#app/send.ts';
import {
  type Held,
  HeldElsewhere,
  type Place,
  type ScanStore,
  type Submission,
  type Waiting,
} from '#app/parts/scan/scanStore.ts';
import { readSn } from '#app/parts/scan/labels.ts';
import { createRecovery } from '#app/parts/scan/recovery.ts';
import { SECOND_ENTER } from '#app/parts/scan/rhythm.ts';
import { createSilence } from '#app/parts/scan/silence.ts';
import type { Sound } from '#app/parts/scan/sounds.ts';
import { scansOf, type ScanList } from '#app/parts/scan/scanList.ts';
import { isAccepted, isLiving, isWaiting, type Scan } from '#app/parts/scan/scanQueue.ts';
import { heardAs, isServerDown, isUnreached, isWithoutVerdict } from '#app/parts/scan/answers.ts';

/** The one line that tells what came of the last scan or submit. */
export interface Verdict {
  kind: Sound;
  sn: string;
  text: string;
  /** Accepted, and there is something to look out for. */
  isWarning?: boolean;
}

export interface Sending {
  scanKeys: readonly string[];
  /** Why it has not arrived yet; empty while it is on its way. */
  unsent: string;
}

/** What this window knows of the list on disk: it has not read it yet, works on it, or another window has gone on with it. */
export type ListState = 'unread' | 'here' | 'elsewhere';

export interface StationState {
  scans: readonly Scan[];
  /** Checked, counted and not submitted; the same list as long as nothing of it changes. */
  accepted: readonly Scan[];
  verdict: Verdict | null;
  sending: Sending | null;
  others: readonly Waiting[];
  /** What is elsewhere is not shown until somebody works here again; what is unread is not known to be empty. */
  list: ListState;
  /** Whether this browser keeps the scans through a reload. */
  kept: boolean;
  /** The last call reached no server, whatever the browser thinks of its network. */
  cut: boolean;
}

/** What a station does with its scans; told by its page. */
export interface StationPorts<Data, Input, Answer> {
  /** Asks the server about an SN, with what was chosen when it was scanned; `key` is the scan's own. */
  check: (sn: string, chosen: unknown, key: string) => Promise<Data & { warning?: string }>;
  /** What else to look out for, although the server found nothing. */
  warningOf?: (sn: string) => string | undefined;
  chosen?: () => unknown;
  /** How many units it works on at once; the others wait in the queue. */
  limit?: number;
  /** Why nothing can be scanned now, such as no bill loaded. */
  closed?: () => string | undefined;
  /** Takes a text that is no SN here, such as an issue code; true when it was one. */
  take?: (text: string) => boolean;
  submit: (input: Input, key: string) => Promise<Answer>;
  accepted?: (scan: Scan<Data>) => void;
  /** A scan that will not be accepted: repeated, refused, or taken back while it waited. */
  dropped?: (scan: Scan) => void;
  submitted?: (answer: Answer, input: Input, scanKeys: readonly string[]) => void;
  /** The words of an accepted submit. */
  told: (answer: Answer) => string;
  sound: (sound: Sound) => void;
  /** Says a verdict aloud, word for word; left out where nobody wants to hear it. */
  speak?: (text: string) => void;
  /** Hears of what its page did wrong, which no scan and no submit may suffer from. */
  failed: (error: unknown) => void;
  reasonOf: (error: unknown) => string;
  /** Asks cheaply whether the server is well again; left out where nobody may ask. */
  isServerWell?: () => Promise<boolean>;
  words: {
    accepted: string;
    duplicate: string;
    scanFirst: string;
    notSn: string;
    kept: string;
    noAnswer: string;
    undone: string;
    nothingToUndo: string;
    elsewhere: string;
    notKept: string;
  };
}

export interface Station<Data, Input, Answer> {
  state: Store<StationState>;
  /** What its page does from now on. */
  connect: (ports: StationPorts<Data, Input, Answer>) => void;
  start: () => Promise<void>;
  /** Somebody is at this window: where another had gone on, this one does again. */
  resume: () => void;
  /** Gives whether it was no SN and changed what is chosen on the page: what is scanned next has to find that there. */
  scan: (text: string) => boolean;
  tell: (verdict: Verdict) => void;
  closeVerdict: () => void;
  remove: (keys: readonly string[]) => void;
  /** Takes the newest scan back: it stays in sight as taken back. */
  undo: () => void;
  /** Takes a text that is no SN, where this station has a use for it now. */
  take: (text: string) => boolean;
  /** Does it when the scans before it have been asked about, or can't be now. */
  afterChecks: (work: () => void) => void;
  submit: (input: Input, scanKeys: readonly string[]) => void;
  /** Takes an unsent submit back; its scans stay on the list. */
  takeBack: () => void;
  retry: () => void;
  /** Somebody sees this window again. */
  look: () => void;
  stop: () => void;
}

/** What is done when these have been asked about. */
interface Afterwards {
  before: readonly string[];
  work: () => void;
}

/** A scan that the server was asked about. */
interface Asked<Data> {
  scan: Scan;
  answer: Promise<Data & { warning?: string }>;
}

/** So many are asked about at once: a page that is busy drawing lets their answers wait, and is no slower for it. */
const AHEAD = 3;

/** The scans of one place: checked in order, kept until submitted, each submit repeated until it has a verdict. */
export function createStation<Data, Input, Answer>(
  place: Place,
  store: ScanStore,
  first: StationPorts<Data, Input, Answer>,
): Station<Data, Input, Answer> {
  const state = storeOf<StationState>({
    scans: [],
    accepted: [],
    verdict: null,
    sending: null,
    others: [],
    list: 'unread',
    kept: true,
    cut: false,
  });
  const set = (part: Partial<StationState>) => state.set({ ...state.get(), ...part });
  const list: ScanList = scansOf(
    () => state.get().scans,
    (scans) => set({ scans, accepted: unlessSame(state.get().accepted, scans.filter(isAccepted)) }),
  );
  let ports = first;
  const held: Held = { place, holder: newKey() };
  let submission: Submission | undefined;
  let unsentTold = '';
  let taking: Promise<void> | undefined;
  let unlisten = () => {};
  let stopped = false;
  let isJudging = false;
  const inFlight: Asked<Data>[] = [];
  const writing = new Map<string, Promise<void>>();
  let lastScanAt = -Infinity;
  const silence = createSilence(tellKept);
  const recovery = createRecovery(() => ports.isServerWell?.() ?? Promise.resolve(false), goOn);
  const afterwards: Afterwards[] = [];
  let comingBack = 0;

  const station: Station<Data, Input, Answer> = {
    state,
    connect: (now) => void (ports = now),
    async start() {
      stopped = false;
      unlisten();
      unlisten = store.onTaken(held, lose);
      await takeOver();
    },
    resume() {
      if (state.get().list === 'elsewhere') void takeOver();
    },
    scan(text) {
      const plain = normaliseNo(text);
      const secondEnter = plain === '' && performance.now() - lastScanAt < SECOND_ENTER;
      if (secondEnter) return false;
      lastScanAt = performance.now();
      const { words, closed, chosen } = ports;
      if (plain !== '' && station.take(plain)) return true;
      const sn = readSn(text);
      const reason = sn === '' ? words.scanFirst : closed?.();
      if (reason) say({ kind: 'wrong', sn, text: reason });
      else enter(sn, chosen?.());
      return false;
    },
    tell: (verdict) => say(verdict),
    closeVerdict: () => set({ verdict: null }),
    remove(keys) {
      const free = keys.filter((it) => !submission?.scanKeys.includes(it));
      const waiting = state.get().scans.filter((it) => free.includes(it.key) && isWaiting(it));
      list.remove(free);
      for (const it of waiting) dropped(it);
      void keeping(() => store.remove(held, free));
      void drain();
    },
    undo() {
      const { words } = ports;
      const last = list.last(submission?.scanKeys ?? []);
      const scan = last && list.undo(last.key);
      if (!scan) return say({ kind: 'wrong', sn: '', text: words.nothingToUndo });
      if (isWaiting(last)) dropped(scan);
      void keep(scan);
      say({ kind: 'ok', sn: scan.sn, text: words.undone });
      void drain();
    },
    take(text) {
      // Of one unit at a time: what comes while it is being submitted is not meant for it any more.
      const isGone = ports.limit === 1 && submission !== undefined;
      return !isGone && (ports.take?.(text) ?? false);
    },
    afterChecks(work) {
      const before = state.get().scans.filter(isWaiting);
      afterwards.push({ before: before.map((it) => it.key), work });
      void drain();
    },
    submit(input, scanKeys) {
      if (submission || state.get().list === 'elsewhere') return;
      // What is refused later stays in sight: nobody may have read why.
      const cleared = state.get().scans.flatMap((it) => (isLiving(it) ? [] : [it.key]));
      submission = { key: newKey(), scanKeys, input, cleared };
      set({ sending: { scanKeys, unsent: '' } });
      const begun = submission;
      void keeping(() => store.begin(held, begun)).then((outcome) =>
        outcome === 'elsewhere' ? submitAgain(input, scanKeys) : attempt(),
      );
    },
    takeBack() {
      submission = undefined;
      set({ sending: null });
      void keeping(() => store.abandon(held));
    },
    retry: recovery.retry,
    look: recovery.look,
    stop() {
      stopped = true;
      recovery.stop();
      silence.stop();
      unlisten();
    },
  };
  return station;

  /** Makes this window the one that writes here, with the list as it is on disk. */
  function takeOver(): Promise<void> {
    return (taking ??= take().finally(() => (taking = undefined)));
  }

  async function take(): Promise<void> {
    const known = state.get().scans.filter((it) => !writing.has(it.key));
    await keeping(async () => {
      const [kept, others] = await Promise.all([store.hold(held), store.waitingOfOthers(place)]);
      // What another window did with these is on disk alone; what was scanned here meanwhile may not have been read yet.
      if (kept.isNew) list.remove(known.map((it) => it.key));
      list.restore(kept.scans);
      submission = kept.isNew ? kept.submission : (submission ?? kept.submission);
      set({ others });
    });
    set({ list: 'here' });
    if (submission) void attempt();
    void drain();
  }

  function lose(): void {
    recovery.stop();
    submission = undefined;
    const unwritten = state.get().scans.filter((it) => writing.has(it.key));
    set({ scans: unwritten, accepted: [], verdict: null, sending: null, list: 'elsewhere' });
  }

  function enter(sn: string, chosen: unknown): void {
    if (state.get().list === 'elsewhere') return enterAgain(sn, chosen);
    const { words } = ports;
    const scan = list.add(newKey(), sn, chosen);
    if (!isSn(sn)) {
      list.fail(scan.key, 'wrong', words.notSn);
      dropped(scan);
      return say({ kind: 'wrong', sn, text: words.notSn });
    }
    if (scan.state === 'duplicate') {
      dropped(scan);
      return say({ kind: 'duplicate', sn, text: words.duplicate });
    }
    const written = keep(scan).then((outcome) => {
      writing.delete(scan.key);
      if (outcome === 'done') return silence.expect(scan.key);
      list.remove([scan.key]);
      if (outcome === 'elsewhere') enterAgain(sn, chosen);
      else say({ kind: 'refused', sn, text: words.notKept });
    });
    writing.set(scan.key, written);
    void drain();
  }

  /** A scan that the server still owes a verdict; one that waits for the unit on the bench is owed none yet. */
  function tellKept(key: string): void {
    const { scans, accepted } = state.get();
    const scan = scans.find((it) => it.key === key && isWaiting(it));
    if (scan && accepted.length < (ports.limit ?? Infinity)) say({ kind: 'kept', sn: scan.sn, text: ports.words.kept });
  }

  /** Whoever scans here works here: the list comes over first. */
  function enterAgain(sn: string, chosen: unknown): void {
    if (stopped) return;
    comingBack += 1;
    void takeOver().then(() => {
      comingBack -= 1;
      enter(sn, chosen);
      void drain();
    });
  }

  /** Whoever submits here works here as well, as long as the list that comes over is still the one that was meant. */
  async function submitAgain(input: Input, scanKeys: readonly string[]): Promise<void> {
    if (stopped) return;
    await takeOver();
    const { accepted } = state.get();
    if (submission) return;
    if (scanKeys.every((key) => accepted.some((it) => it.key === key))) station.submit(input, scanKeys);
    else say({ kind: 'refused', sn: '', text: ports.words.elsewhere });
  }

  /** Verdicts are given in the order of the scans, whichever answer comes first. */
  async function drain(): Promise<void> {
    if (state.get().list !== 'here') return;
    askAhead();
    if (isJudging) return;
    isJudging = true;
    let isReached = true;
    try {
      while (isReached && inFlight[0]) {
        isReached = await judge(inFlight[0]);
        doDue(({ before }) => !before.some(isToBeJudged));
      }
    } finally {
      isJudging = false;
    }
    doDue(() => true);
  }

  /** Does what waits for checks, in its order, up to the first that is not due yet. */
  function doDue(isDue: (it: Afterwards) => boolean): void {
    while (comingBack === 0 && afterwards[0] && isDue(afterwards[0])) safely(afterwards.shift()?.work);
  }

  /** Asked about now, or next. What waits for the unit on the bench is not. */
  function isToBeJudged(key: string): boolean {
    return inFlight.some((it) => it.scan.key === key) || list.next(ports.limit)?.key === key;
  }

  function askAhead(): void {
    // Of a server that was silent one thing at a time is asked, until it answers.
    while (!stopped && inFlight.length < (recovery.isWaiting() ? 1 : AHEAD)) {
      const scan = list.next(ports.limit);
      if (!scan || inFlight.some((it) => it.scan.key === scan.key)) return;
      list.checking(scan.key);
      const check = async () => ports.check(scan.sn, scan.chosen, scan.key);
      const answer = check();
      // Nobody may come to wait for it.
      answer.catch(() => {});
      inFlight.push({ scan, answer });
    }
  }

  /** Gives whether there was an answer; without one, those behind it wait as well. */
  async function judge({ scan: { key, sn }, answer }: Asked<Data>): Promise<boolean> {
    const answered = await answer.then(
      (data) => ({ data }),
      (error: unknown) => ({ error }),
    );
    if ('error' in answered) {
      if (!refuse(key, sn, answered.error)) return false;
    } else await accept(key, sn, answered.data);
    inFlight.shift();
    // In the same breath, so that the server thinks about the next while this verdict is drawn.
    askAhead();
    return true;
  }

  async function accept(key: string, sn: string, data: Data & { warning?: string }): Promise<void> {
    silence.answered(key);
    reached();
    const warning = [data.warning, ports.warningOf?.(sn)].filter(Boolean).join(' · ');
    // On disk before the beep; that it passed may follow, for a reload only asks again.
    await writing.get(key);
    const scan = list.pass(key, data, warning || undefined);
    if (!scan) return;
    void keep(scan);
    say({ kind: 'ok', sn, ...(warning ? { text: warning, isWarning: true } : { text: ports.words.accepted }) });
    safely(() => ports.accepted?.(scan as Scan<Data>));
  }

  /** Gives whether that was a verdict. */
  function refuse(key: string, sn: string, error: unknown): boolean {
    const { reasonOf } = ports;
    const kind = heardAs(error);
    reached(error);
    if (kind === 'kept') {
      const why = whyUnanswered(error);
      for (const it of inFlight.splice(0)) list.wait(it.scan.key, why);
      // Those behind it wait for the same, unless they wait for the unit on the bench.
      const behind = state.get().scans.filter((it) => it.state === 'queued' && it.reason !== why);
      if (ports.limit === undefined) for (const it of behind) list.wait(it.key, why);
      silence.begin();
      waitOn(error);
      return false;
    }
    silence.answered(key);
    const failed = list.fail(key, kind, reasonOf(error));
    if (failed) {
      // It stays in sight, through a reload as well, until somebody clears it or the others are submitted.
      void keep(failed);
      dropped(failed);
      say({ kind, sn, text: reasonOf(error) });
    }
    return true;
  }

  async function attempt(): Promise<void> {
    const trying = submission;
    if (!trying || stopped) return;
    set({ sending: { scanKeys: trying.scanKeys, unsent: '' } });
    const submitting = async () => ports.submit(trying.input as Input, trying.key);
    const answered = await submitting().then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    );
    if (submission !== trying) return;
    if ('error' in answered) return notSubmitted(trying, answered.error);
    const { answer } = answered;
    const { scanKeys, cleared = [] } = trying;
    await keeping(() => store.settle(held, [...scanKeys, ...cleared]));
    if (submission !== trying) return;
    submission = undefined;
    silence.answered();
    reached();
    list.submitted(scanKeys, cleared);
    set({ sending: null });
    say({ kind: 'ok', sn: '', text: ports.told(answer) });
    safely(() => ports.submitted?.(answer, trying.input as Input, scanKeys));
    void drain();
  }

  function notSubmitted({ key, scanKeys }: Submission, error: unknown): void {
    reached(error);
    if (!isWithoutVerdict(error)) {
      station.takeBack();
      // Whatever it is that can't be: nothing of the list was submitted.
      return say({ kind: 'refused', sn: '', text: ports.reasonOf(error) });
    }
    set({ sending: { scanKeys, unsent: whyUnanswered(error) } });
    silence.begin();
    if (unsentTold !== key) say({ kind: 'kept', sn: '', text: ports.words.kept });
    unsentTold = key;
    waitOn(error);
  }

  function waitOn(error: unknown): void {
    if (!stopped) recovery.wait(isServerDown(error));
  }

  /** Why there is no verdict yet. What a server that is down says is for whoever looks after it. */
  function whyUnanswered(error: unknown): string {
    return isServerDown(error) ? ports.words.noAnswer : ports.reasonOf(error);
  }

  /** The server answered, or it did not. */
  function reached(error?: unknown): void {
    const cut = isUnreached(error);
    if (!isWithoutVerdict(error)) recovery.answered();
    if (cut !== state.get().cut) set({ cut });
  }

  /** What waits, one after the other: first the submit, then the scans in their order. */
  async function goOn(): Promise<void> {
    if (submission && state.get().sending?.unsent) await attempt();
    await drain();
  }

  function say(verdict: Verdict): void {
    set({ verdict });
    safely(() => ports.sound(verdict.kind));
    // That a scan is fine, or waits, is told by its sound alone.
    const isSaid = ![ports.words.accepted, ports.words.kept].includes(verdict.text);
    if (isSaid) safely(() => ports.speak?.(verdict.text));
  }

  function dropped(scan: Scan): void {
    safely(() => ports.dropped?.(scan));
  }

  /** Does what the page brings; where that fails, the scans go on. */
  function safely(work: (() => void) | undefined): void {
    try {
      work?.();
    } catch (error) {
      ports.failed(error);
    }
  }

  async function keep(scan: Scan): Promise<Outcome> {
    const outcome = await keeping(() => store.put(held, scan));
    if (outcome === 'done' && !state.get().kept) set({ kept: true });
    return outcome;
  }

  /** What is on no disk is said to be on none: a scan that this browser can't keep is refused, and never lost unseen. */
  async function keeping(write: () => Promise<void>): Promise<Outcome> {
    try {
      await write();
      return 'done';
    } catch (error) {
      if (error instanceof HeldElsewhere) {
        lose();
        return 'elsewhere';
      }
      set({ kept: false });
      return 'failed';
    }
  }
}

/** What came of writing to this browser's disk; another window may go on with the list by now. */
type Outcome = 'done' | 'elsewhere' | 'failed';

/** The list as it was, when the new one holds the same: what is drawn of it then stays. */
const unlessSame = (before: readonly Scan[], now: readonly Scan[]): readonly Scan[] =>
  before.length === now.length && before.every((it, i) => it === now[i]) ? before : now;
