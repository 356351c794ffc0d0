import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Ending, expectedOf, noRhythm, type Rhythm, parseRhythm } from '#app/parts/scan/rhythm.ts';
import { createWedge, type Into, type Outcome } from '#app/parts/scan/wedge.ts';
import { tries } from '#tests/support/tries.ts';

const RUNS = tries(50);
const keyOf = { Enter: ['Enter'], Tab: ['Tab'], none: [] } as const;

/** A keyboard with a clock: types texts into a recogniser and writes down what it tells. */
function desk(into: Into, rhythm: Rhythm = noRhythm) {
  let kept = rhythm;
  const wedge = createWedge({ get: () => kept, set: (next) => void (kept = next) });
  const outcomes: Outcome[] = [];
  let at = 1000;
  return {
    outcomes,
    rhythm: () => kept,
    isBurst: () => wedge.isBurst(),
    /** Each key so many milliseconds after the one before. */
    keys(keys: Iterable<string>, gap: number | readonly number[], more: { isRepeat?: boolean; isLate?: boolean } = {}) {
      let i = 0;
      for (const key of keys) {
        at += typeof gap === 'number' ? gap : (gap[i] ?? 0);
        i += 1;
        outcomes.push(...wedge.press({ key, at, into, ...more }));
      }
    },
    waits(ms: number) {
      outcomes.push(...wedge.pass(at + ms));
      at += ms;
    },
    said: () => outcomes.map(({ kind, text }) => `${kind} ${text}`),
  };
}
const after = (scans: number, gap: number, ending: Ending): Rhythm => ({
  gaps: Array<number>(scans).fill(gap),
  endings: Array<Ending>(scans).fill(ending),
});

const into = fc.constantFrom<Into>('nothing', 'scan', 'text');
const sn = fc.stringMatching(/^[A-Z]{2}[0-9][A-Z0-9-]{3,20}$/);
/** A scanner's pace, and by how much each key is off it. */
const paces = fc.integer({ min: 5, max: 100 });
const jitters = fc.array(fc.double({ min: -0.15, max: 0.15, noNaN: true }), { minLength: 30, maxLength: 30 });
const gapsOf = (pace: number, jitter: readonly number[], count: number) =>
  Array.from({ length: count }, (_, i) => pace * (1 + (jitter[i % jitter.length] ?? 0)));

describe('a scanner', () => {
  it('is heard at every pace, whatever has the focus, with an Enter or a Tab behind its codes', () => {
    const endings = fc.constantFrom<'Enter' | 'Tab'>('Enter', 'Tab');
    const property = fc.property(sn, paces, jitters, into, endings, (text, pace, jitter, into, ending) => {
      // In a field for text a slow scanner is known by its scans before.
      const it = desk(into, after(into === 'text' ? 3 : 0, pace, ending));
      it.keys([...text, ending], gapsOf(pace, jitter, text.length + 1));
      expect(it.said()).toEqual([`scan ${text}`]);
    });
    fc.assert(property, RUNS);
  });

  it('gives two codes 150 ms apart as two', () => {
    const endings = fc.constantFrom<Ending>('Enter', 'Tab', 'none');
    const property = fc.property(sn, sn, paces, jitters, into, endings, (one, two, pace, jitter, into, ending) => {
      // Without a key behind its codes, a pause has to be longer than those within them.
      fc.pre(ending !== 'none' || pace <= 35);
      const it = desk(into, after(3, pace, ending));
      for (const text of [one, two]) {
        const gaps = gapsOf(pace, jitter, text.length + 1);
        it.keys([...text, ...keyOf[ending]], [150, ...gaps]);
      }
      it.waits(2000);
      expect(it.said()).toEqual([`scan ${one}`, `scan ${two}`]);
    });
    fc.assert(property, RUNS);
  });

  it('is never taken for its tail: what a pause has torn is told as torn', () => {
    const stalls = fc.integer({ min: 300, max: 1400 });
    const property = fc.property(
      sn,
      paces,
      jitters,
      into,
      stalls,
      fc.nat(),
      (text, pace, jitter, into, stall, where) => {
        const it = desk(into, after(3, pace, 'Enter'));
        const gaps = gapsOf(pace, jitter, text.length + 1);
        gaps[1 + (where % text.length)] = stall;
        it.keys([...text, 'Enter'], gaps);
        expect(it.said()).toEqual([`torn ${text}`]);
      },
    );
    fc.assert(property, RUNS);
  });

  it('is never looked up by its tail where single keys come late as well, and stalls cut it several times', () => {
    const quick = fc.integer({ min: 5, max: 30 });
    const stalls = fc.array(fc.integer({ min: 130, max: 1400 }), { minLength: 1, maxLength: 3 });
    const lates = fc.integer({ min: 40, max: 119 });
    fc.assert(
      fc.property(sn, quick, stalls, lates, fc.nat(), fc.nat(), into, (text, pace, stalls, late, at, first, where) => {
        // Of two letters alone nobody can tell whether they are a hand's.
        fc.pre(text.length >= 4 + 4 * stalls.length);
        const gaps = Array<number>(text.length + 1).fill(pace);
        gaps[1 + (at % (text.length - 1))] = late;
        for (const [i, stall] of stalls.entries()) gaps[3 + (first % 2) + 4 * i] = stall;
        const it = desk(where, after(3, pace, 'Enter'));
        it.keys([...text, 'Enter'], gaps);
        expect(it.said()).toEqual([`torn ${text}`]);
      }),
      RUNS,
    );
  });

  it('is never looked up by its tail, wherever a stall has cut it and however long that lasted', () => {
    const stalls = fc.integer({ min: 1500, max: 4900 });
    const quick = fc.integer({ min: 5, max: 30 });
    fc.assert(
      fc.property(sn, quick, stalls, fc.double({ min: 0, max: 0.999, noNaN: true }), (text, pace, stall, share) => {
        const it = desk('nothing', after(5, pace, 'Enter'));
        const head = text.slice(0, 1 + Math.floor(share * (text.length - 4)));
        const tail = text.slice(head.length);
        fc.pre(!tail.startsWith(head));
        it.keys(head, pace, { isLate: head.length === 1 });
        it.waits(stall);
        it.keys([...tail, 'Enter'], pace);
        expect(it.said().filter((told) => told.startsWith('scan'))).toEqual([]);
        expect(it.said().some((told) => told.startsWith('torn'))).toBe(true);
        // And read again, it is what it is.
        it.waits(300);
        it.keys([...text, 'Enter'], pace);
        expect(it.said().at(-1)).toBe(`scan ${text}`);
      }),
      RUNS,
    );
  });

  it('is never looked up by its tail either where nobody has heard the scanner before', () => {
    const stalls = fc.integer({ min: 1600, max: 4900 });
    fc.assert(
      fc.property(sn, fc.integer({ min: 5, max: 30 }), stalls, fc.nat(), (text, pace, stall, where) => {
        fc.pre(text.length >= 10);
        const head = text.slice(0, 6 + (where % (text.length - 9)));
        const tail = text.slice(head.length);
        fc.pre(!tail.startsWith(head));
        const it = desk('nothing');
        it.keys(head, pace);
        it.waits(stall);
        it.keys([...tail, 'Enter'], pace);
        expect(it.said().slice(1)).toEqual([`torn ${text}`]);
        it.waits(300);
        it.keys([...text, 'Enter'], pace);
        expect(it.said().at(-1)).toBe(`scan ${text}`);
      }),
      RUNS,
    );
  });

  it('is not what a hand types, with whatever pauses: that is never called torn', () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,6}$/), { minLength: 1, maxLength: 5 });
    const hands = fc.array(fc.integer({ min: 120, max: 420 }), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(into, words, hands, fc.integer({ min: 500, max: 4900 }), (where, typed, gaps, pause) => {
        const it = desk(where);
        for (const word of typed) {
          it.keys(word, gaps);
          it.waits(pause);
        }
        it.keys(['Enter'], gaps);
        expect(it.said()).toEqual([]);
      }),
      RUNS,
    );
  });

  it('is told as torn once the rest has not come for long, and what comes then is no code either', () => {
    const property = fc.property(
      sn,
      paces,
      fc.nat(),
      fc.integer({ min: 1600, max: 4000 }),
      (text, pace, where, stall) => {
        const at = 4 + (where % (text.length - 4 || 1));
        const [head, tail] = [text.slice(0, at), text.slice(at)];
        const it = desk('nothing', after(3, pace, 'Enter'));
        it.keys(head, pace);
        it.waits(stall);
        expect(it.said()).toEqual([`torn ${head}`]);
        it.keys([...tail, 'Enter'], pace);
        expect(it.said().filter((one) => one.startsWith('scan'))).toEqual([]);
        it.waits(300);
        it.keys([...text, 'Enter'], pace);
        expect(it.said().at(-1)).toBe(`scan ${text}`);
      },
    );
    fc.assert(property, RUNS);
  });

  it('that was cut off is taken when the same code is scanned again at once', () => {
    const it = desk('nothing', after(3, 10, 'Enter'));
    it.keys('SN00', 10);
    it.waits(1600);
    it.keys([...'SN0001', 'Enter'], 10);
    expect(it.said()).toEqual(['torn SN00', 'scan SN0001']);
  });

  it('under an input method, in full-width letters or with Shift, is a scanner', () => {
    const it = desk('text');
    it.keys(['Shift', 'S', 'Shift', 'N', '1', '2', '3', 'Enter'], 8);
    it.keys([...'ＳＮ００１', 'Enter'], 8);
    expect(it.said()).toEqual(['scan SN123', 'scan ＳＮ００１']);
  });

  it('keeps a burst whole when one of its keys comes late', () => {
    const it = desk('text');
    it.keys([...'SN000001', 'Enter'], [10, 90, 10, 10, 10, 10, 10, 10, 10]);
    expect(it.said()).toEqual(['scan SN000001']);
  });

  it('needs four characters, and gives a second Enter nothing', () => {
    const it = desk('text');
    it.keys([...'SN1', 'Enter'], 10);
    it.keys([...'SN12', 'Enter', 'Enter'], 10);
    expect(it.said()).toEqual(['scan SN12']);
  });

  it('is told from a hand at its second letter', () => {
    const paced = (gap: number, rhythm = noRhythm) => {
      const it = desk('nothing', rhythm);
      return [...'RX1'].map((key) => {
        it.keys([key], gap);
        return it.isBurst();
      });
    };
    expect(paced(10)).toEqual([false, true, true]);
    expect(paced(90)).toEqual([false, false, false]);
    expect(paced(90, after(1, 90, 'Enter'))).toEqual([false, true, true]);
  });
});

describe('a scanner without a key behind its codes', () => {
  it('has its first codes taken after a long pause, and then after a short one', () => {
    const it = desk('scan');
    for (const text of ['SN0001', 'SN0002', 'SN0003']) {
      it.keys(text, 10);
      it.waits(1000);
      expect(it.said().at(-1)).not.toBe(`scan ${text}`);
      it.waits(1600);
      expect(it.said().at(-1)).toBe(`scan ${text}`);
    }
    it.keys('SN0004', 10);
    it.waits(130);
    expect(it.said().at(-1)).toBe('scan SN0004');
  });

  it.each([30, 45, 60, 100])('is learnt in the scan field at %i ms a key', (gap) => {
    const it = desk('scan');
    const texts = ['SN000001', 'SN000002', 'SN000003', 'SN000004'];
    for (const text of texts) {
      it.keys(text, gap);
      it.waits(1600);
    }
    expect(it.said()).toEqual(texts.map((text) => `scan ${text}`));
    expect(expectedOf(it.rhythm()).ending).toBe('none');
  });

  it('has codes that follow each other sooner taken as so many', () => {
    const it = desk('scan');
    for (const text of ['SN0001', 'SN0002', 'SN0003']) {
      it.keys(text, 10);
      it.waits(700);
    }
    it.waits(1600);
    expect(it.said()).toEqual(['scan SN0001', 'scan SN0002', 'scan SN0003']);
  });

  it('takes the place of one with an Enter after three codes, and gives it back after two', () => {
    const it = desk('nothing', after(5, 10, 'Enter'));
    for (const text of ['SN0001', 'SN0001', 'SN0001', 'SN0004']) {
      it.keys(text, 10);
      it.waits(6000);
    }
    expect(it.said()).toEqual(['torn SN0001', 'torn SN0001', 'torn SN0001', 'scan SN0004']);
    for (const text of ['SN0005', 'SN0006']) it.keys([...text, 'Enter'], 10);
    expect(expectedOf(it.rhythm()).ending).toBe('Enter');
  });

  it('leaves what is typed into a field for text there, until it is known', () => {
    const it = desk('text');
    it.keys('SN0001', 10);
    it.waits(5000);
    expect(it.said()).toEqual([]);
    const known = desk('text', after(3, 10, 'none'));
    known.keys('SN0001', 10);
    known.waits(130);
    expect(known.said()).toEqual(['scan SN0001']);
  });
});

describe('a hand', () => {
  it('is never a scanner, however it stops in between', () => {
    const gaps = fc.array(fc.integer({ min: 120, max: 300 }), { minLength: 30, maxLength: 30 });
    const stops = fc.option(fc.integer({ min: 300, max: 3000 }));
    const ends = fc.constantFrom<Ending>('Enter', 'Tab', 'none');
    const property = fc.property(sn, gaps, into, stops, ends, paces, (text, gaps, into, stop, ending, pace) => {
      const it = desk(into, after(3, pace, ending));
      const typed = [...gaps];
      if (stop !== null) typed[3] = stop;
      it.keys([...text, ...keyOf[ending]], typed);
      it.waits(3000);
      expect(it.said()).toEqual([]);
    });
    fc.assert(property, RUNS);
  });

  it('leaves the code whole that is scanned into what it has just written', () => {
    const it = desk('text');
    it.keys('loose fan', 180);
    it.keys([...'SN0001', 'Enter'], [500, 10, 10, 10, 10, 10, 10]);
    expect(it.said()).toEqual(['scan SN0001']);
  });

  it.each(['Backspace', 'ArrowLeft', 'Escape', 'Dead', 'F8'])('breaks a code off with %s', (key) => {
    const it = desk('nothing');
    it.keys(['S', 'N', '1', '2', key, 'Enter'], 8);
    expect(it.said()).toEqual([]);
  });

  it.each(['nothing', 'scan'] as const)(
    'is read whole right after what was cut off was cleared away by Esc (%s)',
    (into) => {
      const it = desk(into);
      it.keys('SN00', 8);
      it.waits(1600);
      expect(it.said()).toEqual(['torn SN00']);
      it.keys(['Escape'], 500);
      it.keys([...'TX0009', 'Enter'], 8);
      expect(it.said()).toEqual(['torn SN00', 'scan TX0009']);
    },
  );

  it('that holds a key down is no scanner', () => {
    const it = desk('nothing');
    it.keys('1', 200);
    it.keys('1111111', 30, { isRepeat: true });
    it.keys(['Enter'], 30);
    expect(it.said()).toEqual([]);
  });

  it('goes on with a Tab from what it wrote quickly, unless this scanner ends so', () => {
    const it = desk('text');
    it.keys([...'U12345', 'Tab'], 5);
    expect(it.said()).toEqual([]);
    const known = desk('text', after(2, 5, 'Tab'));
    known.keys([...'U12345', 'Tab'], 5);
    expect(known.said()).toEqual(['scan U12345']);
  });
});

it('a quick hand that stops in the scan field has not ended its code', () => {
  const it = desk('scan');
  it.keys('SN000001', [90, 60, 150, 70, 110, 60, 160, 80]);
  it.waits(3000);
  expect(it.said()).toEqual([]);
});

describe('the rhythm of a scanner', () => {
  it('is that of its last five scans, and one odd one does not move it', () => {
    const it = desk('nothing');
    for (const gap of [60, 60, 5, 60, 60]) it.keys([...'SN000001', 'Enter'], gap);
    expect(it.rhythm()).toEqual({ gaps: [60, 60, 5, 60, 60], endings: Array(5).fill('Enter') });
    expect(expectedOf(it.rhythm()).limit).toBe(100);
    for (const gap of [90, 90, 90]) it.keys([...'SN000001', 'Enter'], gap);
    expect(it.rhythm().gaps).toEqual([60, 60, 90, 90, 90]);
    expect(expectedOf(it.rhythm()).limit).toBe(115);
  });

  it('is not learnt from a hand in the scan field', () => {
    const it = desk('scan');
    it.keys([...'SN000001', 'Enter'], [90, 40, 160, 50, 150, 90, 30, 170, 80]);
    expect(it.rhythm()).toEqual(noRhythm);
  });

  it.each([null, '', '{}', '[]', '{"gaps":3}', 'null'])('is none where a browser kept %j', (stored) => {
    expect(parseRhythm(stored)).toEqual(noRhythm);
  });

  it('is read as it was kept, without what can be no rhythm', () => {
    const stored = JSON.stringify({ gaps: [10, -1, 'x', 9e9, 20], endings: ['Enter', 'x', 'none'] });
    expect(parseRhythm(stored)).toEqual({ gaps: [10, 20], endings: ['Enter', 'none'] });
  });
});
