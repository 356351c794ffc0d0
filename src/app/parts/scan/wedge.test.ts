import { describe, expect, it } from 'vitest';
import { createWedge } from '#app/parts/scan/wedge.ts';

/** Types a text with so many milliseconds between its keys, and tells what was recognised. */
function type(text: string, gap: number, enterGap = gap): string | undefined {
  const wedge = createWedge();
  let at = 1000;
  for (const key of text) {
    wedge.press({ key, at });
    at += gap;
  }
  return wedge.press({ key: 'Enter', at: at - gap + enterGap });
}

describe('the wedge recogniser', () => {
  it.each([1, 10, 35])('knows a burst with %i ms between its keys', (gap) => {
    expect(type('SN0001', gap)).toBe('SN0001');
  });

  it.each([36, 80, 200])('leaves a hand alone that types every %i ms', (gap) => {
    expect(type('SN0001', gap)).toBeUndefined();
  });

  it('keeps a burst whole when one of its keys comes late', () => {
    const wedge = createWedge();
    let at = 0;
    for (const [i, key] of [...'SN000001'].entries()) wedge.press({ key, at: (at += i === 1 ? 90 : 10) });
    expect(wedge.press({ key: 'Enter', at: at + 10 })).toBe('SN000001');
  });

  it('needs four characters: a quick Enter after a short word is a hand', () => {
    expect(type('SN1', 10)).toBeUndefined();
    expect(type('SN12', 10)).toBe('SN12');
  });

  it('does not take an Enter that comes later than the burst', () => {
    expect(type('SN0001', 10, 300)).toBeUndefined();
  });

  it('starts anew after a pause, so that letters typed before do not stick to the code', () => {
    const wedge = createWedge();
    wedge.press({ key: 'x', at: 0 });
    let at = 500;
    for (const key of 'SN0001') wedge.press({ key, at: (at += 10) });
    expect(wedge.press({ key: 'Enter', at: at + 10 })).toBe('SN0001');
  });

  it('hears the Shift of capital letters without stumbling, and gives a second Enter nothing', () => {
    const wedge = createWedge();
    let at = 0;
    for (const key of ['Shift', 'S', 'Shift', 'N', '1', '2', '3']) wedge.press({ key, at: (at += 8) });
    expect(wedge.press({ key: 'Enter', at: (at += 8) })).toBe('SN123');
    expect(wedge.press({ key: 'Enter', at: at + 8 })).toBeUndefined();
  });

  it('forgets what another key breaks off', () => {
    const wedge = createWedge();
    let at = 0;
    for (const key of ['S', 'N', '1', '2', 'Backspace']) wedge.press({ key, at: (at += 8) });
    expect(wedge.press({ key: 'Enter', at: at + 8 })).toBeUndefined();
  });
});

describe('a burst that is under way', () => {
  it.each([
    [10, [false, true, true]],
    [90, [false, false, false]],
  ])('is told from a hand at its second letter, %i ms apart', (gap, expected) => {
    const wedge = createWedge();
    const told = [...'RX1'].map((key, i) => {
      wedge.press({ key, at: i * gap });
      return wedge.isBurst();
    });
    expect(told).toEqual(expected);
  });
});
