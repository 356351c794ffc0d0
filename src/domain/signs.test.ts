import { expect, it } from 'vitest';
import { isUnseen } from '#domain/signs.ts';

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
