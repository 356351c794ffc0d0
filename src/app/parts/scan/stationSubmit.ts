import { CallError, newKey } from '#app/send.ts';
import { isWithoutVerdict } from '#app/parts/scan/answers.ts';
import { isLiving, type Scan, submitted } from '#app/parts/scan/scanQueue.ts';
import type { Submission } from '#app/parts/scan/scanDatabase.ts';
import type { SavedList, SavedScans } from '#app/parts/scan/savedScans.ts';
import type { StationCore } from '#app/parts/scan/stationContract.ts';
import type { StationOwner } from '#app/parts/scan/stationOwner.ts';

interface StationSubmit {
  submit: (input: unknown, scanKeys: readonly string[]) => void;
  /** Takes an unsent submit back; its scans stay on the list. */
  takeBack: () => void;
  /** The scans that it holds. */
  scanKeys: () => readonly string[];
  isUnderWay: () => boolean;
  /** What has been begun and has no verdict yet. */
  pending: () => Submission | undefined;
  /** The scans of a submit that was accepted and is not settled on disk yet, and what is cleared away with them. */
  taken: () => readonly string[];
  /** It was sent, and has not arrived. */
  isUnsent: () => boolean;
  /** Sends what has been begun. */
  submitPending: () => Promise<void>;
  /** Goes on with what was found on disk. */
  resume: (isPersisted: (SavedList & { isNew: boolean }) | undefined) => void;
  /** Another window goes on with it. */
  forget: () => void;
}

/** The batch of a station: one at a time, begun on disk, and repeated under its key until there is a verdict. */
export function createSubmit(
  core: StationCore,
  owner: StationOwner,
  savedScans: SavedScans,
  onSettled: () => void,
): StationSubmit {
  let submission: Submission | undefined;
  let taken: readonly string[] = [];
  let announcedKey = '';

  const self: StationSubmit = {
    submit(input, scanKeys) {
      const { list, scans } = core.get();
      if (submission || list === 'elsewhere') return;
      // What is refused later stays in sight: nobody may have read why.
      const cleared = scans.flatMap((it) => (isLiving(it) ? [] : [it.key]));
      const begun = { key: newKey(), scanKeys, input, cleared };
      submission = begun;
      core.set({ sending: { scanKeys, unsent: '' }, rejected: {} });
      void owner
        .outcomeOf(savedScans.begin(owner.claim, begun))
        .then((outcome) => (outcome === 'elsewhere' ? submitHere(input, scanKeys) : submitPending()));
    },
    takeBack() {
      submission = undefined;
      const { verdict } = core.get();
      // It goes on by itself no more.
      const isOver = verdict?.kind === 'kept' && verdict.sn === '';
      core.set({ sending: null, ...(isOver && { verdict: null }) });
      void owner.outcomeOf(savedScans.abandon(owner.claim));
    },
    scanKeys: () => submission?.scanKeys ?? [],
    isUnderWay: () => submission !== undefined,
    pending: () => (taken.length > 0 ? undefined : submission),
    taken: () => taken,
    isUnsent: () => submission !== undefined && Boolean(core.get().sending?.unsent),
    submitPending,
    resume(isPersisted) {
      // What this window has taken back or settled may stand on a disk that has failed.
      if (isPersisted?.isNew) submission = isPersisted.submission;
      if (submission) void submitPending();
    },
    forget: () => void (submission = undefined),
  };
  return self;

  /** Whoever submits here works here as well, as long as the list that comes over is still the one that was meant. */
  async function submitHere(input: unknown, scanKeys: readonly string[]): Promise<void> {
    if (core.isStopped()) return;
    await owner.takeOver();
    const { accepted } = core.get();
    if (submission) return;
    if (scanKeys.every((key) => accepted.some((it) => it.key === key))) self.submit(input, scanKeys);
    else core.say({ kind: 'refused', sn: '', text: core.ports().words.elsewhere });
  }

  async function submitPending(): Promise<void> {
    const trying = submission;
    if (!trying || core.isStopped()) return;
    const { scanKeys, input, key, cleared = [] } = trying;
    core.set({ sending: { scanKeys, unsent: '' } });
    const submitting = async () => core.ports().submit(input, key);
    const answered = await submitting().then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    );
    if (submission !== trying) return;
    if ('error' in answered) return refuse(trying, answered.error);
    taken = [...scanKeys, ...cleared];
    await owner.outcomeOf(savedScans.settle(owner.claim, taken), taken);
    taken = [];
    if (submission !== trying) return;
    submission = undefined;
    core.server.answered();
    core.setScans(submitted(core.get().scans, scanKeys, cleared));
    core.set({ sending: null });
    const { successText, words, onSubmitted } = core.ports();
    core.say({ kind: 'ok', sn: '', text: successText?.(answered.answer) ?? words.submitted });
    core.safely(() => onSubmitted?.(answered.answer, input, scanKeys));
    onSettled();
  }

  function refuse({ key, scanKeys }: Submission, error: unknown): void {
    if (!isWithoutVerdict(error)) {
      core.server.answered();
      self.takeBack();
      // Whatever it is that can't be: nothing of the list was submitted.
      const rejected = rejectedBy(error, core.get().accepted, scanKeys);
      const keys = Object.keys(rejected);
      core.set({ rejected });
      const isOver = () => keys.length > 0 && !core.get().accepted.some((it) => keys.includes(it.key));
      core.say({ kind: 'refused', sn: '', text: core.ports().reasonOf(error) }, isOver);
      return onSettled();
    }
    core.set({ sending: { scanKeys, unsent: core.whyUnanswered(error) } });
    core.server.unanswered(error);
    if (announcedKey !== key) core.say({ kind: 'kept', sn: '', text: core.ports().words.kept });
    announcedKey = key;
    onSettled();
  }
}

/** Those of the list that a refusal names, with its sentence of each. Rule: scanning#refused-submits. */
function rejectedBy(error: unknown, accepted: readonly Scan[], keys: readonly string[]): Record<string, string> {
  const sentences = error instanceof CallError ? error.problems.map((it) => it.msg) : [];
  return Object.fromEntries(
    accepted.flatMap(({ key, sn }) => {
      const own = keys.includes(key) ? sentences.find((it) => names(it, sn)) : undefined;
      return own === undefined ? [] : [[key, own] as const];
    }),
  );
}

/** The SN stands in the sentence as a whole, not as a part of a longer one. */
function names(sentence: string, sn: string): boolean {
  for (let at = sentence.indexOf(sn); at >= 0; at = sentence.indexOf(sn, at + 1)) {
    const isPart = (it = '') => /[A-Z0-9_-]/.test(it);
    if (!isPart(sentence[at - 1]) && !isPart(sentence[at + sn.length])) return true;
  }
  return false;
}
