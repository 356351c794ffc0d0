import { createEvent, fireEvent } from '@testing-library/react';

const BETWEEN_BURSTS_MS = 50;
let last = 0;

/**
 * Keys on an element, so many milliseconds apart, as a scanner or a hand presses them: their events say so, however busy
 * the machine is. Gives whether the last one still does what it does by itself.
 */
function pressKeys(target: Element, keys: readonly string[], gap = 10, more: KeyboardEventInit = {}): boolean {
  last = Math.max(last + BETWEEN_BURSTS_MS, new Event('now').timeStamp);
  let isLeft = true;
  for (const key of keys) {
    const event = createEvent.keyDown(target, { key, ...more });
    Object.defineProperty(event, 'timeStamp', { value: (last += gap) });
    isLeft = fireEvent(target, event);
  }
  return isLeft;
}

const BY_HAND_MS = 200;

/** Alt and a key, as a hand presses them: well after whatever was typed before. */
export const pressAlt = (key: string): boolean =>
  pressKeys(document.activeElement ?? document.body, [key], BY_HAND_MS, {
    altKey: true,
    code: `Key${key.toUpperCase()}`,
  });

/** What a scanner types: the text and Enter. */
export const scanOn = (target: Element, text: string, gap?: number): boolean =>
  pressKeys(target, [...text, 'Enter'], gap);
