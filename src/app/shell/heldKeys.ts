import { isEnter } from '#app/parts/enter.ts';
import { isTextField } from '#app/parts/scan/editable.ts';

/** They move, and go on moving while they are held. */
const MOVES = /^(?:Arrow|Page|Home$|End$|Tab$)/;
const RETYPES = /^(?:Backspace|Delete|[vyz])$/i;

/** Whether more text is written or taken away by it. */
function isWriting(event: KeyboardEvent): boolean {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  const isLong = target instanceof HTMLTextAreaElement;
  if (!isTextField(target) || altKey) return false;
  if (ctrlKey || metaKey) return target.value !== '' && RETYPES.test(key);
  return isEnter(event) ? isLong : key !== 'Escape';
}

/** They are pressed by letting Space go. */
const isButton = (target: EventTarget | null): boolean =>
  target instanceof HTMLButtonElement || (target instanceof HTMLInputElement && !isTextField(target));

/**
 * A key that is held repeats, and what it decided the first time is followed by something else: the next bill, another
 * dialog. So only what moves or writes hears it again. Rule: screens#held-keys.
 */
export function stopHeldKeys(): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (!event.repeat || MOVES.test(event.key) || isWriting(event)) return;
    event.stopImmediatePropagation();
    if (event.key !== ' ' || !isButton(event.target)) event.preventDefault();
  };
  window.addEventListener('keydown', onKey, true);
  return () => window.removeEventListener('keydown', onKey, true);
}
