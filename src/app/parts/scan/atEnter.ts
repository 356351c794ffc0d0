import type { KeyboardEvent } from 'react';

/** What the Enter of a scanner does in a field; Ctrl+Enter submits its page, and that of an input method ends a word. */
export const atEnter = (then: () => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  then();
};
