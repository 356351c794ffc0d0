import { commandOf } from '#app/parts/scan/commands.ts';
import {
  hasOverlay,
  findScanTarget,
  isInOverlay,
  isTextField,
  takesScans,
  type TextField,
  writeText,
} from '#app/parts/scan/editable.ts';
import { readSn } from '#app/parts/scan/labels.ts';
import {
  FAST,
  middleOf,
  noRhythm,
  REST,
  type Rhythm,
  parseRhythm,
  SECOND_ENTER,
  SLOWEST,
} from '#app/parts/scan/rhythm.ts';
import { createWedge, type Into, type Outcome } from '#app/parts/scan/wedge.ts';
import { findVisible } from '#app/parts/visibleElements.ts';
import { currentToken } from '#app/session.ts';
import { PASSWORD_MAX } from '#domain/password.ts';
import { isSn } from '#domain/sn.ts';

/** A timer that is so late was held up by a busy page, and the keys that came meanwhile were as well. */
const LATE = 60;
/** Per browser: the scanner lies beside it, whoever is signed in. */
const STORAGE_KEY = 'scanner';
/** A hand may be as quick with a few letters. */
const SHORTEST_SLOW = 8;
/** Longer than any label. */
const MOST_TYPED = 1000;

/**
 * Torn: only pieces of the label came. Unwanted: nothing takes a scan here, or not under what lies over the page. Left:
 * its page was gone before it had opened. Signed out: nobody is here whose scan it would be.
 */
export type ScanRefusal = 'torn' | 'unwanted' | 'left' | 'signedOut';

/** Who takes the scans of the page in front. */
export interface Receiver {
  /** The field that reads its own scans; those from elsewhere come to `take`. */
  field?: { readonly current: HTMLInputElement | null };
  /** Every field keeps what is scanned into it, and of the rest only commands are taken. */
  onlyCommands?: boolean;
  /** A page that is still loading: what is scanned waits for it. */
  isRoom?: boolean;
  /** Nobody is signed in: each field is for what a hand types, and no scan is taken at all. */
  isSignIn?: boolean;
  /** Stands behind every page: takes what was scanned into no field, where it `wants` it. */
  isLast?: boolean;
  wants?: (text: string, isCovered: boolean) => 'take' | 'refuse' | 'leave';
  take: (text: string) => void;
  /** Says aloud that a scan was not taken. */
  refuse: (why: ScanRefusal, text: string) => void;
}

/** What its page does now: it may change between two keys. */
interface LatestReceiver {
  readonly current: Receiver;
}

/** A letter that was typed: into which field, what that held before, and what of it is left beside the letter. */
interface Typed {
  at: number;
  field: TextField | undefined;
  before: string;
  beside: string;
}

/** What was scanned before its page was there, by whoever is signed in. */
interface Held {
  token: string;
  page: string;
  end: 'take' | ScanRefusal;
  text: string;
}

const receivers: LatestReceiver[] = [];
let held: Held[] = [];
const hold = (end: Held['end'], text: string): void =>
  void held.push({ token: currentToken.get(), page: location.pathname, end, text });
const room: LatestReceiver = {
  current: { isRoom: true, take: (text) => hold('take', text), refuse: (why, text) => hold(why, text) },
};
/** Keys that came before any of this, until they are heard. */
let early = globalThis.window?.earlyKeys;
let isReplaying = false;
const wedge = createWedge(createStoredRhythm());
let typed: Typed[] = [];
/** Until when an Enter is the second one of a scanner. */
let secondUntil = -Infinity;
let timer: ReturnType<typeof setTimeout> | undefined;
/** The Enter that stands for another end of a code. */
let ownEnter: Event | undefined;

/**
 * Hears every key before anything else does, whatever has the focus, and hands the scans among them to the receiver
 * that was added last. On a button or on nothing, the first letter moves the focus to the scan field; in another text
 * field, or under what lies over the page, the burst is known by its rhythm: its end presses nothing, its letters are
 * taken out again, and it counts as scanned. A field that is there for scans keeps its own, commands excepted. Under
 * an open input method the letters are told by their keys. Rule: scanning#scans.
 */
export function receiveScans(receiver: LatestReceiver): () => void {
  if (receivers.length === 0) window.addEventListener('keydown', onKey, true);
  // The others of the page that is drawn now come first.
  setTimeout(giveOver);
  if (receiver.current.isLast) receivers.unshift(receiver);
  else receivers.push(receiver);
  return () => {
    receivers.splice(receivers.indexOf(receiver), 1);
    if (receiver.current.isRoom) setTimeout(giveOver);
    if (receivers.length > 0) return;
    window.removeEventListener('keydown', onKey, true);
    secondUntil = -Infinity;
    // Where another page comes in the place of this one, what is under way goes on.
    queueMicrotask(forgetUnheard);
  };
}

function forgetUnheard(): void {
  if (receivers.length > 0) return;
  clearTimeout(timer);
  wedge.forget();
  typed = [];
}

/** While a page is loading: what is scanned is kept for it, whatever it turns out to be. */
export const holdScans = (): (() => void) => receiveScans(room);

/** Hears what came before, and gives what was held to its page, once that is there; to nobody who has signed in since. */
function giveOver(): void {
  if (receivers.length === 0) return;
  const keys = early?.take(currentToken.get()) ?? [];
  early = undefined;
  isReplaying = true;
  for (const key of keys) onKey(key);
  isReplaying = false;
  const receiver = receivers.at(-1)?.current;
  if (!receiver || receiver.isRoom) return;
  const given = held;
  held = [];
  for (const { token, page, end, text } of given) {
    if (token !== currentToken.get()) {
      if (receiver.isSignIn) receiver.refuse('signedOut', text);
      continue;
    }
    // What was scanned for one page is nothing to another.
    if (page !== location.pathname) receiver.refuse('left', text);
    else if (end === 'take') deliver(receiver, text);
    else receiver.refuse(end, text);
  }
}

/** A scan from nowhere goes to what has to be filled in first, else to the page. */
function deliver(receiver: Receiver, text: string): void {
  if (receiver.isLast) return receiver.wants?.(text, false) === 'take' ? receiver.take(text) : undefined;
  const home = findScanTarget(receiver.field?.current);
  const isForPage = commandOf(text) !== undefined || home === null || isOwn(receiver, home);
  if (!isForPage) scanInto(home, text);
  else receiver.take(text);
}

function onKey(event: KeyboardEvent): void {
  const receiver = isReplaying ? room.current : receivers.at(-1)?.current;
  // Those before it are heard first.
  if (early && !isReplaying) return;
  if (!receiver || event === ownEnter || isForItself(event.target)) return;
  if (event.ctrlKey || event.altKey || event.metaKey) {
    // A hand submits: what it typed before is no piece of the next code. Other chords are a scanner's signs as well.
    if (event.key === 'Enter') wedge.forget();
    return;
  }
  const key = keyOf(event);
  // What was typed before is written nowhere.
  const home = isReplaying || isTextField(event.target) ? null : homeOf(receiver, isCovered(event.target));
  // Firefox would look for what follows in the page.
  if (findsInPage(event) && !(receiver.isLast && !isCovered(event.target) && !wedge.isUnderWay(event.timeStamp)))
    event.preventDefault();
  if (home && startsText(key)) home.focus({ preventScroll: true });
  const target = startsText(key) ? (home ?? event.target) : event.target;
  const field = isTextField(target) ? target : undefined;
  const at = event.timeStamp;
  if (key === 'Enter' && at < secondUntil && !isOwn(receiver, target)) return swallow(event);
  // With a letter the next code begins, however soon: what a scanner has stored comes all at once. And after a Tab
  // the Enter is a hand's, for what has the focus now.
  if (key !== 'Enter') secondUntil = -Infinity;

  const isLate = performance.now() - at > LATE;
  const outcomes = wedge.press({ key, at, into: intoOf(receiver, field), isRepeat: event.repeat, isLate });
  const paused = outcomes.filter((it) => it.ending === 'none');
  if (paused.length > 0) endByPause(receiver, paused);
  if (key.length === 1) typed = [...typed, { at, field, ...holdsOf(field) }].slice(-MOST_TYPED);
  else if (!isEnd(key) && wedge.patience() === undefined) typed = [];
  awaitPause();

  const ended = outcomes.find((it) => it.ending !== 'none');
  const command = isEnd(key) && !isComposed(event) && !isOwn(receiver, target) ? commandIn(field) : undefined;
  if (command && !receiver.isLast) {
    typed = [];
    swallow(event);
    secondUntil = at + SECOND_ENTER;
    writeText(command.field, command.before);
    return receiver.take(command.text);
  }
  // Else the page's own keys would be pressed by the letters of a code.
  if (!ended && !field && wedge.isBurst() && key.length === 1) return swallow(event);
  if (ended) endByKey(receiver, ended, event, target);
  // No code goes over an Enter: what a hand has typed before it is no part of the next one.
  else if (isEnd(key)) typed = [];
}

/** A code is at its end because of this key. */
function endByKey(receiver: Receiver, ended: Outcome, event: KeyboardEvent, target: EventTarget | null): void {
  // In the scan field a slow beginning belongs to the code as well.
  const from = isOwn(receiver, target) ? ended.since : ended.from;
  const strokes = typed.filter((it) => it.at >= from);
  const verdict = verdictOf(receiver, ended, strokes, target);
  typed = [];
  if (verdict === 'leave') return;
  const isRead = verdict === 'read';
  // What reads its code leads on, and the next Enter may soon be a hand's: a scanner's own comes as fast as its letters.
  const pace = event.timeStamp - (strokes.at(-1)?.at ?? event.timeStamp);
  secondUntil = event.timeStamp + (isRead ? Math.min(SLOWEST, Math.max(FAST, 2 * pace)) : SECOND_ENTER);
  const place = isRead ? placeOf(strokes, target) : target;
  if (isRead && ended.ending === 'Enter' && place === target && !isComposed(event)) {
    // The field reads at this very Enter what stands in it.
    return writeOver(target as TextField, ended.text, strokes);
  }
  swallow(event);
  const end = () =>
    isRead ? readAt(place as TextField, ended.text, strokes) : finish(receiver, [ended], strokes, verdict);
  if (!isComposed(event)) return end();
  // What the input method holds goes into the field when it is left, and is taken out again with the rest.
  (target as HTMLElement).blur();
  setTimeout(() => {
    if (isRead) writeText(place as TextField, ended.text);
    end();
  });
}

/** Codes are at their end because nothing came behind them. */
function endByPause(receiver: Receiver, outcomes: readonly Outcome[]): void {
  const [first, second] = outcomes;
  if (!first) return;
  const strokes = typed.filter((it) => it.at >= first.from);
  const field = strokes.at(-1)?.field;
  let verdict = verdictOf(receiver, first, strokes, field ?? null);
  typed = [];
  // Several in one field can't be told from each other there any more.
  if (verdict === 'read' && second) verdict = isOwn(receiver, field) ? 'take' : 'torn';
  if (verdict === 'read') readAt(placeOf(strokes, field ?? null) as TextField, first.text, strokes);
  else if (verdict !== 'leave') finish(receiver, outcomes, strokes, verdict);
}

/** The field to which the first letter of a code moves the focus from where nothing is written. */
function homeOf(receiver: Receiver, covered: boolean): HTMLInputElement | null {
  if (receiver.isSignIn) return null;
  if (covered) return findVisible<HTMLInputElement>('input[data-palette]') ?? null;
  return receiver.isLast || receiver.isRoom ? null : findScanTarget(receiver.field?.current);
}

type Verdict = 'take' | ScanRefusal | 'read' | 'leave';

/**
 * What becomes of a code that ended at this target: its field reads it, or it has to be brought. A field that takes scans
 * holds one code: whatever stands there, whatever is selected and wherever the caret is, the next one takes its place.
 */
function verdictOf(receiver: Receiver, ended: Outcome, strokes: readonly Typed[], target: EventTarget | null): Verdict {
  const { kind, text, ending, isRest } = ended;
  if (receiver.isSignIn) return isByScanner(text, strokes) ? 'signedOut' : 'leave';
  const isCommand = commandOf(text) !== undefined;
  const place = placeOf(strokes, target);
  const isWholeElsewhere = place !== target && kind === 'scan' && !isRest;
  // The page has moved the focus meanwhile: it is read where it began.
  if (isWholeElsewhere && !isCommand && !isOwn(receiver, place)) return 'read';
  const isTogether = strokes.every((it) => it.field === target);
  const isWhole = isTogether && !isRest && (kind === 'scan' || ending !== 'none');
  const isAlone = (strokes[0]?.beside ?? '') === '';
  const takesPlace = isAlone || mayReplace(ended, strokes);
  if (isOwn(receiver, target)) {
    if (isWhole && takesPlace) return 'read';
    return kind === 'scan' && (isAlone || !isTogether) ? 'take' : 'torn';
  }
  if (isTextField(target) && takesScans(target) && !isCommand) {
    // What began before there was a field is known whole as well.
    const isBrought = kind === 'scan' && !isRest && strokes[0]?.field === undefined;
    if (!isWhole && !isBrought) return 'torn';
    return takesPlace || target.dataset['scan'] === 'number' ? 'read' : 'leave';
  }
  if (receiver.isLast) {
    // What is scanned while the search of a list has the focus is looked up all the same.
    if (isTextField(target) && !target.closest('[role=search]')) return 'leave';
    const wanted = receiver.wants?.(text, isCovered(target)) ?? 'leave';
    return wanted === 'take' ? (kind === 'torn' ? 'torn' : 'take') : wanted === 'refuse' ? 'unwanted' : 'leave';
  }
  if (isTextField(target) && !isCommand && receiver.onlyCommands) return 'leave';
  if (kind === 'torn') return 'torn';
  return receiver.onlyCommands && !isCommand ? 'unwanted' : 'take';
}

/**
 * Where names and passwords are typed, a quick hand must not be taken for a scanner: what is slower than any scanner but
 * the slowest is one by what labels say, and a hand's where it has a small letter.
 */
function isByScanner(text: string, strokes: readonly Typed[]): boolean {
  if (commandOf(text) !== undefined) return true;
  const pace = middleOf(strokes.slice(1).map(({ at }, i) => at - (strokes[i]?.at ?? at))) ?? Infinity;
  const isQuick = pace <= FAST;
  if (isQuick && text.length > PASSWORD_MAX) return true;
  const code = readSn(text);
  if (!isSn(code) || !/\d/.test(code)) return false;
  const isUpper = text === text.toUpperCase();
  return isQuick ? isUpper || text === text.toLowerCase() : isUpper && text.length >= SHORTEST_SLOW;
}

/** The field that a code belongs to: of those that take scans, the one where it began. */
function placeOf(strokes: readonly Typed[], target: EventTarget | null): EventTarget | null {
  const began = strokes[0]?.field;
  return began && takesScans(began) ? began : target;
}

/**
 * Whether a code takes the place of what stands in its field. A hand that mends that is slower, and what was typed there
 * just before may be the head of a code that was cut off.
 */
function mayReplace({ kind, since, isQuick = false }: Outcome, strokes: readonly Typed[]): boolean {
  const field = strokes[0]?.field;
  const isAfterHead = typed.some((it) => it.field === field && it.at < since && it.at > since - REST);
  return kind === 'scan' && isQuick && !isAfterHead;
}

/** The code alone stands in its field, wherever its letters went. */
function writeOver(field: TextField, text: string, strokes: readonly Typed[]): void {
  for (const other of new Set(strokes.map((it) => it.field))) {
    const first = strokes.find((it) => it.field === other);
    if (other && first && other !== field) writeText(other, first.before);
  }
  const [first] = strokes;
  const isMixed = first !== undefined && (first.beside !== '' || strokes.some((it) => it.field !== field));
  if (isMixed) writeText(field, text);
}

/** The same, and the field reads it as at an Enter. */
function readAt(field: TextField, text: string, strokes: readonly Typed[]): void {
  writeOver(field, text, strokes);
  if (document.activeElement !== field) field.focus({ preventScroll: true });
  pressEnter(field);
}

/** Takes the letters out of where they do not belong, then tells. */
function finish(
  receiver: Receiver,
  ended: readonly Outcome[],
  strokes: readonly Typed[],
  verdict: 'take' | ScanRefusal,
): void {
  for (const field of new Set(strokes.map((it) => it.field))) {
    const first = strokes.find((it) => it.field === field);
    if (field && first) writeText(field, isOwn(receiver, field) ? '' : first.before);
  }
  for (const { text } of ended) {
    if (verdict === 'take') receiver.take(text);
    else receiver.refuse(verdict, text);
  }
}

/** A pause ends a code when the keys that came before it have been heard. */
function awaitPause(isAgain = false): void {
  clearTimeout(timer);
  const patience = wedge.patience();
  if (patience === undefined) return;
  const wait = isAgain ? LATE : patience;
  const due = performance.now() + wait;
  timer = setTimeout(() => {
    if (!isAgain && performance.now() - due > LATE) return awaitPause(true);
    const receiver = receivers.at(-1)?.current;
    if (receiver) endByPause(receiver, wedge.pass(Infinity));
  }, wait);
}

function pressEnter(target: HTMLElement): void {
  ownEnter = new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', bubbles: true, cancelable: true });
  target.dispatchEvent(ownEnter);
  ownEnter = undefined;
}

/** A code that belongs into a field, whatever stands there. */
export function scanInto(field: TextField, text: string): void {
  const read = () => {
    writeText(field, text);
    readAt(field, text, []);
  };
  writeText(field, text);
  // While effects run, React takes back at once what is written into its fields.
  if (field.value === text) read();
  else queueMicrotask(read);
}

function swallow(event: Event): void {
  event.preventDefault();
  event.stopImmediatePropagation();
}

/** A scan field reads its own; where commands alone are heard, every field is like the others. */
const isOwn = ({ field, onlyCommands }: Receiver, target: EventTarget | null | undefined): boolean =>
  !onlyCommands && field?.current != null && target === field.current;

/** A field that is filled by a scanner alone tells its scans from a hand by itself, while it waits for one. */
const isForItself = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.dataset['scan'] === 'only' && target.dataset['armed'] !== undefined;

const isCovered = (target: EventTarget | null): boolean => isInOverlay(target) || hasOverlay();

function intoOf(receiver: Receiver, field: TextField | undefined): Into {
  if (!field) return 'nothing';
  return isOwn(receiver, field) || takesScans(field) ? 'scan' : 'text';
}

/** A command at the end of a field: nobody writes one by hand, however slowly a busy machine let its letters come. */
function commandIn(field: TextField | undefined) {
  if (!field) return undefined;
  const text = /[%％][^%％]*$/.exec(field.value)?.[0] ?? '';
  const command = commandOf(text);
  if (command === undefined || command === 'unknown') return undefined;
  return { field, text, before: field.value.slice(0, -text.length) };
}

/** What a field holds now, and what of it is not selected: the next letter takes the place of the rest. */
function holdsOf(field: TextField | undefined): Pick<Typed, 'before' | 'beside'> {
  const { value = '', selectionStart, selectionEnd } = field ?? {};
  const beside = value.slice(0, selectionStart ?? value.length) + value.slice(selectionEnd ?? value.length);
  return { before: value, beside };
}

const isEnd = (key: string): boolean => key === 'Enter' || key === 'Tab';

/** An input method hides the letter; the key that it lies on is told. */
const isComposed = (event: KeyboardEvent): boolean => event.isComposing || event.key === 'Process';

/** The key that was pressed, also under an input method. */
export function keyOf(event: KeyboardEvent): string {
  // Backwards is where a hand goes.
  if (event.key === 'Tab' && event.shiftKey) return 'Backtab';
  if (!isComposed(event)) return event.key;
  const { code, shiftKey } = event;
  if (code === 'Enter' || code === 'NumpadEnter') return 'Enter';
  if (code.startsWith('Shift')) return 'Shift';
  const letter = /^(?:Key|Digit|Numpad)([A-Z0-9])$/.exec(code)?.[1];
  if (letter && shiftKey && code === 'Digit5') return '%';
  if (letter) return letter;
  if (code === 'Minus') return shiftKey ? '_' : '-';
  return event.key;
}

/** With these Firefox opens its own search; on a list `/` is a shortcut of ours, if it comes alone. */
const findsInPage = ({ key, target }: KeyboardEvent): boolean => ['/', "'"].includes(key) && !isTextField(target);

/** A space presses the button under the focus, and `?` shows the shortcuts; an input method hides its letters. */
const startsText = (key: string): boolean => (key.length === 1 && key !== ' ' && key !== '?') || key === 'Process';

/** As it stands in the store of the browser: other windows learn as well. */
function createStoredRhythm() {
  let stored: string | null = null;
  let rhythm: Rhythm = noRhythm;
  return {
    get: () => {
      const now = localStorage.getItem(STORAGE_KEY);
      if (now !== stored) rhythm = parseRhythm(now);
      stored = now;
      return rhythm;
    },
    set: (next: Rhythm) => {
      try {
        localStorage.setItem(STORAGE_KEY, JSON.stringify(next));
      } catch {
        // A browser that keeps nothing learns nothing: what is expected of an unknown scanner holds.
      }
    },
  };
}
