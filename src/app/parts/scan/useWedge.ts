import { type RefObject, useEffect, useRef } from 'react';
import { commandOf } from '#app/parts/scan/commands.ts';
import { homeOf, isInOverlay, isTextField, takesScans, writeText } from '#app/parts/scan/editable.ts';
import { createWedge } from '#app/parts/scan/wedge.ts';

/** Some scanners end each code with two Enters; the second belongs to the code as well. */
const SECOND_ENTER = 400;

/**
 * Brings what a wedge scanner types to the scan field, wherever the focus is. On a button or on nothing, the first
 * letter moves the focus to the field; in another text field, a dialog or an open choice the burst is known by its
 * rhythm: its Enter presses nothing, its letters are taken out again, and it counts as scanned. A field that is meant
 * to be scanned into keeps its own bursts, commands excepted, and so does every field of a page that is told commands
 * alone. Under an open input method the letters are told by their
 * keys. Design section 7.
 */
export function useWedge(
  field: RefObject<HTMLInputElement | null>,
  onBurst: (text: string) => void,
  { onlyCommands = false } = {},
): void {
  const latest = useRef(onBurst);
  useEffect(() => {
    latest.current = onBurst;
  });
  useEffect(() => {
    const wedge = createWedge();
    let before: { field: HTMLInputElement | HTMLTextAreaElement; text: string } | undefined;
    let burstAt = -Infinity;
    const swallow = (event: KeyboardEvent) => {
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    // A scan field reads its own; where commands alone are heard, every field is like the others.
    const isOwn = (target: EventTarget | null) => !onlyCommands && target !== null && target === field.current;
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (isOwn(event.target)) return;
      const key = keyOf(event);
      const home = isTextField(event.target) || isInOverlay(event.target) ? null : homeOf(field.current);
      if (home && startsText(key)) home.focus({ preventScroll: true });
      if (home && isOwn(home)) return;
      const target = home ?? event.target;
      if (key === 'Enter' && event.timeStamp - burstAt < SECOND_ENTER) return swallow(event);
      // With a letter the next code begins, however soon: what a scanner has stored comes all at once. And after a Tab
      // the Enter is a hand's, for what has the focus now.
      if (key !== 'Enter') burstAt = -Infinity;
      const burst = wedge.press({ key, at: event.timeStamp });
      const command = key === 'Enter' && !isComposed(event) ? commandIn(target) : undefined;
      if (command) {
        swallow(event);
        burstAt = event.timeStamp;
        writeText(command.field, command.before);
        return latest.current(command.text);
      }
      if (wedge.isStart()) before = isTextField(target) ? { field: target, text: target.value } : undefined;
      if (burst === undefined) return;
      // The next parcel is scanned over the number of the one before, wherever the caret stands.
      if (before && before.text !== '' && before.field === target && before.field.dataset['scan'] === 'number') {
        writeText(before.field, burst);
      }
      if ((onlyCommands || takesScans(target)) && commandOf(burst) === undefined) return;
      swallow(event);
      burstAt = event.timeStamp;
      const written = before;
      if (!isComposed(event)) {
        if (written) writeText(written.field, written.text);
        return latest.current(burst);
      }
      // What the input method holds goes into the field when it is left, and is taken out again with the rest.
      (target as HTMLElement).blur();
      setTimeout(() => {
        if (written) writeText(written.field, written.text);
        latest.current(burst);
      });
    };
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, [field, onlyCommands]);
}

/** A command at the end of a field: nobody writes one by hand, however slowly a busy machine let its letters come. */
function commandIn(target: EventTarget | null) {
  if (!isTextField(target)) return undefined;
  const text = /[%％][^%％]*$/.exec(target.value)?.[0] ?? '';
  const command = commandOf(text);
  if (command === undefined || command === 'unknown') return undefined;
  return { field: target, text, before: target.value.slice(0, -text.length) };
}

/** An input method hides the letter; the key that it lies on is told. */
const isComposed = (event: KeyboardEvent): boolean => event.isComposing || event.key === 'Process';

function keyOf(event: KeyboardEvent): string {
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

/** A space presses the button under the focus, and `?` shows the shortcuts; an input method hides its letters. */
const startsText = (key: string): boolean => (key.length === 1 && key !== ' ' && key !== '?') || key === 'Process';
