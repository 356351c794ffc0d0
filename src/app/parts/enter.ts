import type { KeyboardEvent as ReactKeyboardEvent } from 'react';

type Pressed = KeyboardEvent | ReactKeyboardEvent;

/** Whether an input method has the key for itself. Safari ends the composition first, and says 229 of the key that did. */
export function isComposing(event: Pressed): boolean {
  const native = 'nativeEvent' in event ? event.nativeEvent : event;
  return native.isComposing || native.keyCode === 229;
}

/** An Enter that was meant: that of an input method ends a word. Rule: screens#enter. */
export const isEnter = (event: Pressed): boolean => event.key === 'Enter' && !isComposing(event);

/** The same without Ctrl, which submits the page. */
export const isPlainEnter = (event: Pressed): boolean => isEnter(event) && !event.ctrlKey && !event.metaKey;

/** What the Enter of a hand or a scanner does in a field. */
export const atEnter = (then: () => void) => (event: ReactKeyboardEvent) => {
  if (!isPlainEnter(event)) return;
  event.preventDefault();
  then();
};
