import type { Scan } from '#app/parts/scan/scanQueue.ts';
import type { Waiting } from '#app/parts/scan/savedScans.ts';
import type { ServerContact } from '#app/parts/scan/serverContact.ts';
import type { Sound } from '#app/parts/scan/sounds.ts';

/** What a page gives to be a station: how to write one is told in docs/add-a-station.md. */
export interface StationContract<Data, Input, Answer, Chosen = unknown> {
  /**
   * What one scan asks of the server; it stores nothing. `chosen` is what was chosen on the page when it was scanned,
   * `key` the scan's own. A `warning` in the answer is told with the verdict.
   */
  check: (sn: string, chosen: Chosen, key: string) => Promise<Data & { warning?: string }>;
  /** What the batch sends. It is repeated under the same key until there is a verdict. */
  submit: (input: Input, key: string) => Promise<Answer>;
  /** What the page does with an accepted scan. */
  onAccepted?: (scan: Scan<Data>) => void;
  /** What the page does when the batch was accepted. */
  onSubmitted?: (answer: Answer, input: Input, scanKeys: readonly string[]) => void;
  /** What is chosen on the page for the unit that is scanned now, beside the scans that are there; changes nothing. */
  chosen?: (scans: readonly Scan[]) => Chosen;
  /** Why nothing can be scanned now, such as no bill loaded; changes nothing. */
  blockedBy?: () => string | undefined;
  /** What the page does with a code of its card, typed or scanned; true when it has a use for it now. */
  onCode?: (code: string) => boolean;
  /** What the page does with another text that is no SN here now, such as a part of the unit; true when it was one. */
  onText?: (text: string) => boolean;
  /**
   * What is scanned behind a unit is for that one: it waits until the unit has been asked about, and is refused where that
   * can't be now.
   */
  isFollowed?: boolean;
  /** How many units it works on at once; the others wait in the queue. */
  limit?: number;
  /** The words of an accepted batch. */
  successText?: (answer: Answer) => string;
}

/** What every station is given besides, whatever its page. */
export interface StationEnvironment {
  /** What else to look out for, although the server found nothing. */
  warningOf?: (sn: string) => string | undefined;
  sound: (sound: Sound, userId: string) => void;
  /** Says a verdict aloud, word for word; left out where nobody wants to hear it. */
  speak?: (text: string) => void;
  /** Hears of what its page did wrong, which no scan and no submit may suffer from. */
  onError: (error: unknown) => void;
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
    serverFails: string;
    undone: string;
    unitAwaited: string;
    nothingToUndo: string;
    submitted: string;
    elsewhere: string;
    notPersisted: string;
  };
}

export type StationPorts<Data, Input, Answer, Chosen = unknown> = StationContract<Data, Input, Answer, Chosen> &
  StationEnvironment;

/** The one line that tells what came of the last scan or submit. */
export interface Verdict {
  kind: Sound;
  sn: string;
  text: string;
  /** Accepted, and there is something to look out for. */
  isWarning?: boolean;
}

interface Sending {
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
  /** Of those that the last submit was refused for, by their keys, why: they are still on the list. */
  rejected: Readonly<Record<string, string>>;
  others: readonly Waiting[];
  /** What is elsewhere is not shown until somebody works here again; what is unread is not known to be empty. */
  list: ListState;
  /** Whether this browser keeps the scans through a reload. */
  isPersisted: boolean;
  /** The last call reached no server, whatever the browser thinks of its network. */
  isUnreachable: boolean;
}

/** What the queue, the submit and the owner of one station share. */
export interface StationCore {
  get: () => StationState;
  set: (part: Partial<StationState>) => void;
  setScans: (scans: readonly Scan[]) => void;
  /** Gives the scan as it is now; nothing when it is not on the list, or was taken back meanwhile. */
  changeScan: (key: string, part: Partial<Scan>) => Scan | undefined;
  /** What its page does now. */
  ports: () => StationPorts<unknown, unknown, unknown>;
  /** @param isOver whether what it says is resolved, and it goes by itself */
  say: (verdict: Verdict, isOver?: () => boolean) => void;
  /** Does what the page brings; where that fails, the scans go on. */
  safely: (work: (() => void) | undefined) => void;
  isStopped: () => boolean;
  server: ServerContact;
  /** Why there is no verdict yet. */
  whyUnanswered: (error: unknown) => string;
}
