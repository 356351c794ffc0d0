import { describe, expect, it } from 'vitest';
import { cleanText, isUnseen, separatorIn } from '#domain/signs.ts';
import { normaliseSn } from '#domain/sn.ts';

it.each([
  '',
  ' ',
  '\u00a0\u3000\n',
  '\u200b',
  '\u200b\u200c\u200d',
  '\u2060\ufeff',
  '\u00ad',
  '\u202e',
  '\u2028',
  '\u3164',
  '\u2800',
  '\u0007',
])('of %j nobody sees anything', (text) => expect(isUnseen(text)).toBe(true));

it.each(['x', '\u200bx', '。', '-', '👩‍🔧', '❤️', '\0', '\ud800'])(
  'of %j there is something, or something that is refused',
  (text) => expect(isUnseen(text)).toBe(false),
);

describe('what nobody sees', () => {
  it.each([
    ['SF\u200b12', 'SF12'],
    ['\u200eSF12\u200f', 'SF12'],
    ['\u0002SF12\u0003', 'SF12'],
    ['\ufeffSF\u00ad12\u2060', 'SF12'],
    ['\u202dSF12\u202c', 'SF12'],
    ['A\u200dB\u200cC', 'ABC'],
    ['\u001dSF12\u001d \u001e', 'SF12 '],
    ['Li\u00a0Hua\u2003', 'Li Hua '],
    ['one\u2028two\rthree', 'one\ntwo\nthree'],
    ['A\r\nB\rC\n\r\nD', 'A\nB\nC\n\nD'],
  ])('is taken out of %j', (text, clean) => expect(cleanText(text)).toBe(clean));

  it.each([
    ...[
      'SF12',
      ' a\tb\nc ',
      '李\u3000华',
      '\ud83d\udc69\u200d\ud83d\udd27',
      '❤\ufe0f',
      '1\ufe0f\u20e3',
      'می\u200cخواهم',
    ],
    ...['葛\u{e0100}', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}', 'a\0b', 'a\ud800'],
  ])('is nothing of %j', (text) => expect(cleanText(text)).toBe(text));

  it('stays where a separator stands between two signs, and is told by its name', () => {
    expect(cleanText('01\u001d21')).toBe('01\u001d21');
    expect(separatorIn('01\u001d21')).toBe('GS (U+001D)');
    expect(separatorIn('0121')).toBeUndefined();
  });

  it('of an SN is read as its label has it', () => {
    expect(normaliseSn('\u0002sn\u200b12\u0003')).toBe('SN12');
    expect(normaliseSn('SN12\u001d')).toBe('SN12');
    expect(normaliseSn('010952123454321321SN12\u001d')).toBe('SN12');
    expect(normaliseSn(']C1010952123454321321SN12\u001d10L\u001d')).toBe('SN12');
  });

  it('costs a long text no more than its length', () => {
    const long = `${' '.repeat(200_000)}x\u001dx${'\u001d '.repeat(100_000)}`;
    expect(cleanText(long).length).toBe(300_003);
  });
});
