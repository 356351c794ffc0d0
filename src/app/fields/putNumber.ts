import type { ClipboardEvent, DragEvent, SyntheticEvent } from 'react';

/** How a line break is seen where there is one line. */
const LINE_BREAK = '⏎';

type Putting = SyntheticEvent<HTMLInputElement>;

/** A browser would make a blank of a line break, and one number of two cells. */
function put(event: Putting, data: DataTransfer): void {
  const text = data.getData('text').trim();
  if (!/[\r\n]/.test(text)) return;
  event.preventDefault();
  const field = event.currentTarget;
  const seen = text.replace(/\r\n|[\r\n]/g, LINE_BREAK);
  field.setRangeText(seen, field.selectionStart ?? 0, field.selectionEnd ?? field.value.length, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** What is put into a field of numbers otherwise than by keys: pasted, or dropped. Rule: screens#numbers. */
export const putNumber = {
  onPaste: (event: ClipboardEvent<HTMLInputElement>) => put(event, event.clipboardData),
  onDrop: (event: DragEvent<HTMLInputElement>) => put(event, event.dataTransfer),
};
