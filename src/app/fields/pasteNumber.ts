import type { ClipboardEvent } from 'react';

/** How a line break is seen where there is one line. */
const LINE_BREAK = '⏎';

/** Pastes into a field of numbers. A browser would make a blank of a line break, and one number of two cells. Rule: screens#numbers. */
export function pasteNumber(event: ClipboardEvent<HTMLInputElement>): void {
  const text = event.clipboardData.getData('text').trim();
  if (!/[\r\n]/.test(text)) return;
  event.preventDefault();
  const field = event.currentTarget;
  const seen = text.replace(/\r\n|[\r\n]/g, LINE_BREAK);
  field.setRangeText(seen, field.selectionStart ?? 0, field.selectionEnd ?? field.value.length, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
