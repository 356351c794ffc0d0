import { isSn } from '#domain/sn.ts';
import { newKey } from '#app/send.ts';
import { classifyError, isWithoutVerdict } from '#app/parts/scan/answers.ts';
import { changed, isAccepted, isWaiting, newScan, nextToCheck, removed, type Scan } from '#app/parts/scan/scanQueue.ts';
import type { StationCore, Verdict } from '#app/parts/scan/stationContract.ts';
import type { StationOwner } from '#app/parts/scan/stationOwner.ts';

interface StationQueue {
  /** Puts a scanned SN on the list, on disk, and before the server; what is chosen for it depends on that list. */
  add: (sn: string, chosen?: Chosen) => void;
  /** Asks about what waits. */
  drain: () => Promise<void>;
  /** Does it when the scans before it have been asked about, or can't be now. */
  afterChecks: (work: () => void) => void;
  /** Tells what needs no answer of the server, after the verdicts of the scans before it: the last word is the last scan's. */
  sayInTurn: (verdict: Verdict, isOver?: () => boolean) => void;
}

/** What was chosen on the page when it was scanned, beside the scans that are there. */
type Chosen = (scans: readonly Scan[]) => unknown;

/** What is done when these have been asked about. */
interface Afterwards {
  before: readonly string[];
  work: () => void;
}

/** A scan that the server was asked about. */
interface Asked {
  scan: Scan;
  answer: Promise<unknown>;
}

/** So many are asked about at once: a page that is busy drawing lets their answers wait, and is no slower for it. */
const AHEAD = 3;

/** The scans of a station on their way to the server: asked about, and judged in the order in which they were scanned. */
export function createQueue(core: StationCore, owner: StationOwner): StationQueue {
  const asked: Asked[] = [];
  const afterwards: Afterwards[] = [];
  let isJudging = false;
  /** Nothing was found against these while they waited for the unit on the bench. */
  const foreseen = new Set<string>();
  let isForeseeing = false;
  let comingBack = 0;

  return {
    add,
    drain,
    afterChecks,
    sayInTurn,
  };

  function afterChecks(work: () => void): void {
    const before = core.get().scans.filter(isWaiting);
    afterwards.push({ before: before.map((it) => it.key), work });
    void drain();
  }

  function sayInTurn(verdict: Verdict, isOver?: () => boolean): void {
    // Of a server that is silent nobody knows when it answers.
    if (asked.length === 0 || core.server.isSilent()) core.say(verdict, isOver);
    else afterChecks(() => core.say(verdict, isOver));
  }

  function isGone(key: string): () => boolean {
    return () => !core.get().scans.some((it) => it.key === key && it.state !== 'undone');
  }

  function add(sn: string, chosen?: Chosen): void {
    const { scans, list } = core.get();
    if (list === 'elsewhere' || owner.isUntaken()) return addHere(sn, chosen);
    const { words } = core.ports();
    const scan = newScan(scans, { key: newKey(), sn, chosen: chosen?.(scans) });
    core.setScans([...scans, scan]);
    if (!isSn(sn)) {
      core.changeScan(scan.key, { state: 'wrong', reason: words.notSn });
      return sayInTurn({ kind: 'wrong', sn, text: words.notSn }, isGone(scan.key));
    }
    if (scan.state === 'duplicate') {
      return sayInTurn({ kind: 'duplicate', sn, text: words.duplicate }, isGone(scan.key));
    }
    owner.add(scan, (outcome) => {
      if (outcome === 'done') return core.server.expect(scan.key);
      core.setScans(removed(core.get().scans, [scan.key]));
      if (outcome === 'elsewhere') addHere(sn, chosen);
      else core.say({ kind: 'refused', sn, text: words.notPersisted });
    });
    void drain();
  }

  /** Whoever scans here works here: the list comes over first. */
  function addHere(sn: string, chosen?: Chosen): void {
    if (core.isStopped()) return;
    comingBack += 1;
    void owner.takeOver().then(() => {
      comingBack -= 1;
      if (owner.isUntaken()) core.say({ kind: 'refused', sn, text: core.ports().words.notPersisted });
      else add(sn, chosen);
      void drain();
    });
  }

  /** Verdicts are given in the order of the scans, whichever answer comes first. */
  async function drain(): Promise<void> {
    if (core.get().list !== 'here') return;
    askAhead();
    if (isJudging) return;
    isJudging = true;
    let isReached = true;
    try {
      while (isReached && asked[0]) {
        isReached = await judge(asked[0]);
        if (afterwards.length > 0) doDue(({ before }) => !before.some(isToBeJudged));
      }
    } finally {
      isJudging = false;
    }
    void foresee();
    if (afterwards.length > 0) doDue(({ before }) => !isBenchLeft() || !before.some(isToBeJudged));
  }

  /** Does what waits for checks, in its order, up to the first that is not due yet. */
  function doDue(isDue: (it: Afterwards) => boolean): void {
    while (comingBack === 0 && afterwards[0] && isDue(afterwards[0])) core.safely(afterwards.shift()?.work);
  }

  /** Asked about now, or next. What waits for the unit on the bench is not, until that is being submitted. */
  function isToBeJudged(key: string): boolean {
    const { scans } = core.get();
    if (isBenchLeft() && scans.some((it) => it.key === key && isWaiting(it))) return true;
    return asked.some((it) => it.scan.key === key) || nextToCheck(scans, core.ports().limit)?.key === key;
  }

  /** The unit on the bench, which others are scanned behind, is being submitted, and how that ends is soon known. */
  function isBenchLeft(): boolean {
    return core.ports().isFollowed === true && core.get().sending?.unsent === '';
  }

  function askAhead(): void {
    // Of a server that was silent one thing at a time is asked, until it answers.
    while (!core.isStopped() && asked.length < (core.server.isSilent() ? 1 : AHEAD)) {
      const { check, limit } = core.ports();
      const scan = nextToCheck(core.get().scans, limit);
      if (!scan || asked.some((it) => it.scan.key === scan.key)) return;
      core.changeScan(scan.key, { state: 'checking', reason: undefined });
      const answer = (async () => check(scan.sn, scan.chosen, scan.key))();
      // Nobody may come to wait for it.
      answer.catch(() => {});
      asked.push({ scan, answer });
    }
  }

  /**
   * What waits for the unit on the bench is asked about once before its turn, in its order: what can't be worked on here is
   * told while it is still in the hand. What may come is asked about again when it comes.
   */
  async function foresee(): Promise<void> {
    const { check, limit, isFollowed } = core.ports();
    if (isForeseeing || limit === undefined || isFollowed || core.isStopped() || core.server.isSilent()) return;
    const { scans, list } = core.get();
    const scan = scans.find((it) => it.state === 'queued' && !foreseen.has(it.key));
    if (!scan || list !== 'here' || !scans.some(isAccepted)) return;
    isForeseeing = true;
    const error = await (async () => check(scan.sn, scan.chosen, scan.key))().then(
      () => undefined,
      (it: unknown) => it,
    );
    isForeseeing = false;
    // Its turn may have come meanwhile: then that question tells.
    const isStillWaiting = core.get().scans.some((it) => it.key === scan.key && it.state === 'queued');
    if (error !== undefined && isWithoutVerdict(error)) return;
    foreseen.add(scan.key);
    if (error !== undefined && isStillWaiting) refuse(scan, error);
    void foresee();
  }

  /** Gives whether there was an answer; without one, those behind it wait as well. */
  async function judge({ scan, answer }: Asked): Promise<boolean> {
    const answered = await answer.then(
      (data) => ({ data: data as { warning?: string } }),
      (error: unknown) => ({ error }),
    );
    if ('data' in answered) await accept(scan, answered.data);
    else if (!refuse(scan, answered.error)) return false;
    asked.shift();
    // In the same breath, so that the server thinks about the next while this verdict is drawn.
    askAhead();
    return true;
  }

  async function accept({ key, sn }: Scan, data: { warning?: string }): Promise<void> {
    core.server.answered(key);
    const { warningOf, words, onAccepted } = core.ports();
    const warning = [data.warning, warningOf?.(sn)].filter(Boolean).join(' · ');
    // On disk before the beep; that it passed may follow, for a reload only asks again.
    await owner.written(key);
    const scan = core.changeScan(key, { state: 'ok', data, warning: warning || undefined });
    if (!scan) return;
    void owner.put(scan);
    core.say({ kind: 'ok', sn, ...(warning ? { text: warning, isWarning: true } : { text: words.accepted }) });
    core.safely(() => onAccepted?.(scan));
  }

  /** Gives whether that was a verdict. */
  function refuse({ key, sn }: Scan, error: unknown): boolean {
    const kind = classifyError(error);
    if (kind === 'kept') {
      waitAll(core.whyUnanswered(error));
      core.server.unanswered(error);
      return false;
    }
    core.server.answered(key);
    const reason = core.ports().reasonOf(error);
    const scan = core.changeScan(key, { state: kind, reason });
    if (!scan) return true;
    // It stays in sight, through a reload as well, until somebody clears it or the others are submitted.
    void owner.put(scan);
    core.say({ kind, sn, text: reason }, isGone(key));
    return true;
  }

  /** What was asked about waits again, and those behind it for the same, unless they wait for the unit on the bench. */
  function waitAll(reason: string): void {
    const keys = new Set(asked.splice(0).map((it) => it.scan.key));
    let { scans } = core.get();
    if (core.ports().limit === undefined)
      for (const it of scans) if (it.state === 'queued' && it.reason !== reason) keys.add(it.key);
    for (const key of keys) scans = changed(scans, key, { state: 'queued', reason });
    core.setScans(scans);
  }
}
