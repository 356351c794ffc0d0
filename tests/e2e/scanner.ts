import type { CDPSession } from '@playwright/test';

export type Suffix = 'Enter' | 'Tab' | 'none';

export interface Rhythm {
  /** Milliseconds between two keys. */
  gap?: number;
  suffix?: Suffix;
  /** After so many letters nothing comes for so many milliseconds. */
  stall?: { after: number; ms: number };
  keyOf?: (letter: string) => string;
}

const codeOf = (letter: string) => (/[0-9]/.test(letter) ? `Digit${letter}` : `Key${letter.toUpperCase()}`);
const suffixes = {
  Enter: { key: 'Enter', code: 'Enter', text: '\r', windowsVirtualKeyCode: 13 },
  Tab: { key: 'Tab', code: 'Tab', text: '', windowsVirtualKeyCode: 9 },
};
/** When the last key of a session went down: time goes on from there, however fast a test fires. */
const lastOf = new WeakMap<CDPSession, number>();

/**
 * A scanner of 17 characters in 50 ms, or of any other rhythm. The keys are sent at once and say when they were
 * pressed: it waits for nobody, and its rhythm does not depend on how busy the machine is. A `\r` is an Enter as well.
 * Gives when its last key went down, in epoch ms, which may be a little later than now.
 */
export async function fire(session: CDPSession, text: string, rhythm: Rhythm = {}): Promise<number> {
  const { gap = 3, suffix = 'Enter', stall, keyOf = (letter) => letter } = rhythm;
  const keys = [...text].map((letter) => {
    if (letter === '\r') return suffixes.Enter;
    const key = keyOf(letter);
    // The number of a sign is that of another key: `%` would be the arrow to the left, which scrolls and writes nothing.
    const isPlain = /[0-9A-Za-z]/.test(letter);
    const where = isPlain && { code: codeOf(letter), windowsVirtualKeyCode: letter.toUpperCase().charCodeAt(0) };
    return { key, text: key, ...where };
  });
  if (suffix !== 'none') keys.push(suffixes[suffix]);
  let at = Math.max(Date.now(), (lastOf.get(session) ?? 0) + 200);
  const sent: Promise<unknown>[] = [];
  for (const [i, it] of keys.entries()) {
    if (i > 0) at += stall?.after === i ? stall.ms : gap;
    const timestamp = at / 1000;
    const { text: typed, ...up } = it;
    const type = typed === '' ? 'rawKeyDown' : 'keyDown';
    sent.push(
      session.send('Input.dispatchKeyEvent', { type, ...up, ...(typed && { text: typed }), timestamp }),
      session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...up, timestamp }),
    );
  }
  lastOf.set(session, at);
  await Promise.all(sent);
  return at;
}
