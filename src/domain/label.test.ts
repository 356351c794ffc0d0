import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '#tests/support/tries.ts';
import { normaliseCode } from './issueCode.ts';
import { LABEL_LENGTH, LabelKind, type LabelRule, validateLabelRule } from './labelRule.ts';
import { isSn, normaliseNo, normaliseSn, readLabel } from './sn.ts';

const readSn = (text: string, rules: readonly LabelRule[]) => readLabel(text, rules).sn;
const GS = '\u001d';
const SERIAL = 'HT2211A0000000017';
const by = (template: string, snLength: number | null = null): LabelRule => ({
  kind: LabelKind.Template,
  template,
  snLength,
});
const elements = (snLength: number | null): LabelRule => ({ kind: LabelKind.Elements, snLength });

describe('the SN of a label, by what every label may have', () => {
  it.each([
    [`]C0${SERIAL}`, ['identifier']],
    [`  ]Q1 ${SERIAL.toLowerCase()} `, ['identifier']],
    [`］Ｃ０${SERIAL}`, ['identifier']],
    [`(21)${SERIAL}`, ['printed']],
    [`(01)09521234543213(21)${SERIAL}(10)LOT7`, ['printed']],
    [`(01) 09521234543213 (10) 21 (21) ${SERIAL}`, ['printed']],
    [`]C1010952123454321321${SERIAL}`, ['identifier', 'elements']],
    [`]d201095212345432131712310021${SERIAL}${GS}10LOT7`, ['identifier', 'elements']],
    [`]Q310LOT7${GS}21${SERIAL}`, ['identifier', 'elements']],
    [`010952123454321310LOT21X${GS}21${SERIAL}${GS}91A`, ['elements']],
    [`010952123454321321${SERIAL}<GS>10LOT7`, ['elements']],
    [`https://id.gs1.org/01/09521234543213/21/${SERIAL}`, ['link']],
    [`HTTPS://EXAMPLE.COM/p/01/09521234543213/10/21/21/${SERIAL}?17=261231#x`, ['link']],
    [`http://x.example/01/09521234543213/21/HT2211A%30000000017`, ['link']],
  ])('of %j is found: %j', (text, how) => {
    expect(readLabel(text)).toEqual({ sn: SERIAL, by: how });
  });

  it.each([
    [']C1', ']C1'],
    ['(01)09521234543213', '(01)09521234543213'],
    [`(10)21(91)${SERIAL}`, `(10)21(91)${SERIAL}`],
    [`(21)${'A'.repeat(21)}`, `(21)${'A'.repeat(21)}`],
    ['(21)A B', '(21)A B'],
    [`10LOT21${SERIAL}${GS}91A`, `10LOT21${SERIAL}${GS}91A`],
    [`https://example.com/21/${SERIAL}`, `HTTPS://EXAMPLE.COM/21/${SERIAL}`],
    [`ftp://id.gs1.org/01/09521234543213/21/${SERIAL}`, `FTP://ID.GS1.ORG/01/09521234543213/21/${SERIAL}`],
    ['https://id.gs1.org/01/09521234543213/21/%ZZ', 'HTTPS://ID.GS1.ORG/01/09521234543213/21/%ZZ'],
    [`21${SERIAL}`, `21${SERIAL}`],
    [`010952123454321321${SERIAL}`, `010952123454321321${SERIAL}`],
  ])('is not in %j', (text, expected) => {
    expect(normaliseSn(text)).toBe(expected);
  });
});

describe('the SN of a label, by a rule of the site', () => {
  it.each<[string, LabelRule]>([
    [`https://qr.example.com/d/${SERIAL}`, by('https://qr.example.com/d/{sn}')],
    [`HTTPS://QR.example.com/D/${SERIAL}`, by('https://qr.example.com/d/{sn}')],
    [`https://qr.example.com/q?a=1&sn=${SERIAL}&x=2`, by('https://qr.example.com/*sn={sn}&*')],
    [`https://qr.example.com/q?sn=${SERIAL}`, by('https://qr.example.com/q?sn={sn}*')],
    [`https://qr.example.com/a/b-c/${SERIAL}`, by('https://*/{sn}')],
    [`SN:${SERIAL};PN:77;`, by('SN:{sn};*')],
    [`PN77/${SERIAL}/REV2`, by('*/{sn}/REV2')],
    [`${SERIAL}#OK`, by('{sn}#OK')],
    [`S${SERIAL}`, by('S{sn}', 17)],
    [`${SERIAL}-CN`, by('{sn}-CN', 17)],
    [`${SERIAL}-CN`, by('{sn}*-CN', 17)],
    [`]C0S${SERIAL}`, by('S{sn}', 17)],
    [`21${SERIAL}`, by('21{sn}', 17)],
    [`21${SERIAL}`, elements(17)],
    [`010952123454321321${SERIAL}`, elements(17)],
  ])('of %j is found by %j', (text, rule) => {
    const { sn, by: how } = readLabel(text, [rule]);
    expect(sn).toBe(SERIAL);
    expect(how.at(-1)).toBe(rule);
    expect(validateLabelRule(rule)).toEqual([]);
  });

  it.each<[string, LabelRule]>([
    [`https://qr.example.org/d/${SERIAL}`, by('https://qr.example.com/d/{sn}')],
    [`https://qr.example.com/d/${SERIAL}/more`, by('https://qr.example.com/d/{sn}')],
    [`21${SERIAL}`, by('21{sn}', 16)],
    [`21${SERIAL}`, by('21{sn}')],
    [`21${SERIAL}`, elements(12)],
    [`21${SERIAL}`, elements(null)],
    ['21AB', by('21{sn}', 17)],
    [`SN:${SERIAL}`, by('no place for it')],
    ['S.N:', by('S.N:{sn}')],
    [`SXN:${SERIAL}`, by('S.N:{sn}')],
  ])('is not in %j for %j', (text, rule) => {
    expect(readSn(text, [rule])).toBe(text.toUpperCase());
  });

  it('is found by the first rule that fits, and by one after another', () => {
    const [outer, inner] = [by('https://qr.example.com/{sn}'), by('S{sn}', 17)];
    expect(readLabel(`https://qr.example.com/S${SERIAL}`, [inner, outer])).toEqual({ sn: SERIAL, by: [outer, inner] });
    expect(readLabel(`X-${SERIAL}`, [by('X-{sn}', 17), by('X{sn}', 18)]).sn).toBe(SERIAL);
  });

  it.each<[LabelRule, string]>([
    [by(''), 'labelSn'],
    [by('https://qr.example.com/'), 'labelSn'],
    [by('{sn}/{sn}'), 'labelSn'],
    [by('a*b*c{sn}'), 'labelStars'],
    [by('a{sn}*b*c'), 'labelStars'],
    [by('a*{sn}'), 'labelStars'],
    [by('{sn}'), 'labelText'],
    [by('{sn}*'), 'labelText'],
    [by('%{sn}'), 'labelCommand'],
    [by('21{sn}'), 'labelLength'],
    [by('SN-*-{sn}'), 'labelLength'],
    [elements(null), 'labelLength'],
  ])('is refused to be looked for by %j: %s', (rule, key) => {
    expect(validateLabelRule(rule).map((it) => it.key)).toEqual([key]);
  });
});

const letters = (of: string) => fc.constantFrom(...of.split(''));
const arbitraryText = (of: string, minLength: number, maxLength: number) =>
  fc.string({ unit: letters(of), minLength, maxLength });
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-';
const sn = arbitraryText(LETTERS, 1, 64);
const serial = arbitraryText(LETTERS, 1, 20);
const fixed = arbitraryText('ABS210-_/:?=&.;# ', 0, 8);
const rule: fc.Arbitrary<LabelRule> = fc
  .tuple(
    fc.constantFrom(LabelKind.Template, LabelKind.Elements),
    fc.tuple(fixed, fc.boolean(), fixed, fixed, fc.boolean(), fixed),
    fc.option(fc.integer({ min: 8, max: 24 })),
  )
  .map(([kind, [a, star, b, c, starBehind, d], snLength]) => ({
    kind,
    template: `${a}${star ? '*' : ''}${b}{sn}${c}${starBehind ? '*' : ''}${d}`,
    snLength,
  }));
const rules = fc.array(rule, { maxLength: 5 }).map((them) => them.filter((it) => validateLabelRule(it).length === 0));
const scanned = fc.oneof(
  fc.string({ unit: 'binary-ascii', maxLength: 80 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  arbitraryText(`ABS210-_/:?=&.;#()]<>{}%C${GS}`, 0, 60),
  sn,
);

describe('what is read from a label, whatever it says', () => {
  it('has nothing more to be read from it', () => {
    fc.assert(
      fc.property(scanned, rules, (text, of) => {
        const once = readSn(text, of);
        expect(readSn(once, of)).toBe(once);
      }),
      tries(300),
    );
  });

  it('is the text itself, or a part of it that is an SN', () => {
    fc.assert(
      fc.property(scanned, rules, (text, of) => {
        const found = readSn(text, of);
        expect(found === normaliseNo(text) || isSn(found)).toBe(true);
      }),
      tries(300),
    );
  });

  it('is a plain SN as it was, and with rules as well unless one says how long the SN in it is', () => {
    const withoutLengths = rules.map((them) => them.filter((it) => !it.snLength));
    fc.assert(
      fc.property(sn, withoutLengths, (plain, of) => {
        expect(readLabel(plain.toLowerCase(), of)).toEqual({ sn: plain, by: [] });
      }),
      tries(300),
    );
  });

  it.each<[string, (serial: string) => string]>([
    ['a symbology identifier', (it) => `]C0${it}`],
    ['printed elements', (it) => `(01)09521234543213(21)${it}(11)261123`],
    ['announced elements', (it) => `]C1010952123454321321${it}`],
    ['elements of a matrix', (it) => `]d2010952123454321321${it}${GS}10LOT`],
    ['separated elements', (it) => `10LOT${GS}21${it}`],
    ['a link of GS1', (it) => `https://id.gs1.org/01/09521234543213/21/${it}`],
  ])('comes back from %s', (_, label) => {
    fc.assert(
      fc.property(serial, (it) => {
        expect(normaliseSn(label(it))).toBe(it);
      }),
      tries(),
    );
  });

  it('comes back from any template that the site may have', () => {
    const cases = fc
      .tuple(rule, arbitraryText(LETTERS, 24, 24), arbitraryText('abc/=', 0, 6), arbitraryText('abc/=', 0, 6))
      .filter(([it]) => it.kind === LabelKind.Template && validateLabelRule(it).length === 0)
      .map(([it, long, before, behind]) => {
        const plain = long.slice(0, it.snLength ?? 24);
        const [head = '', tail = ''] = (it.template ?? '').trim().split('{sn}');
        // Without a length a star behind an SN may stand for anything but more of it.
        const rest = tail.replace('*', behind);
        const isOpen = tail.startsWith('*') && !it.snLength && /^[\w-]/.test(rest);
        return { rule: it, plain, text: head.replace('*', before) + plain + (isOpen ? `/${rest}` : rest) };
      });
    fc.assert(
      fc.property(cases, ({ rule: it, plain, text }) => {
        // A text that is plain is read by its length alone, which fits once; others may hold two places, of which each is an SN.
        const found = readSn(text, [it]);
        fc.pre(!text.startsWith('%') && !text.startsWith(']') && text.trim() === text);
        expect(isSn(found)).toBe(true);
        if (!(it.template ?? '').includes('*')) expect(found).toBe(plain);
      }),
      tries(),
    );
  });

  it('leaves commands as they are', () => {
    fc.assert(
      fc.property(fc.constantFrom('', ']C0', ']Q1'), scanned, rules, (identifier, text, of) => {
        expect(readSn(`${identifier}%${text}`, of)).toBe(normaliseNo(`%${text}`));
      }),
      tries(),
    );
  });

  it('leaves codes, parcels and bills as they are, but for a symbology identifier', () => {
    const numbers = ['FX57', 'CLNW15', 'SF1234567890123', '(00)106141411234567897', 'MTB2026112100001'];
    expect(numbers.map((it) => normaliseNo(`]C0${it}`))).toEqual(numbers);
    expect(normaliseCode(']C0fx57')).toBe('FX57');
    expect(normaliseNo('(21)ABC')).toBe('(21)ABC');
  });

  it.each([']C0', '(21)', `21A${GS}`, '/01/09521234543213', 'https://*/{sn}', '9', ' ', '('])(
    'is read from 10,000 letters as fast as from a tenth of them: %j',
    (unit) => {
      const hard = [by('A*A{sn}A*A'), by('*9{sn}9*9', 17), by('https://*/{sn}/*/x'), elements(17)];
      // Of the processor, as what else the machine does is no time of ours.
      const spent = () => process.cpuUsage().user / 1000;
      const timeOf = (length: number) => {
        const text = unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
        const runs = Array.from({ length: 5 }, () => {
          const begun = spent();
          for (let i = 0; i < 20; i++) readSn(text, hard);
          return spent() - begun;
        });
        return Math.min(...runs);
      };
      timeOf(1000);
      // A quadratic reading would take a hundred times as long.
      expect(timeOf(10_000)).toBeLessThan(40 * Math.max(timeOf(1000), 1));
      expect(timeOf(LABEL_LENGTH)).toBeLessThan(500);
    },
  );
});
