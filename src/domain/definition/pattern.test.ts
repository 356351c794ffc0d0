import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matches, regexOf } from '#domain/definition/pattern.ts';
import { tries } from '#tests/support/tries.ts';

describe('a pattern', () => {
  it.each([
    ['AA-9999', 'DN-0012', true],
    ['AA-9999', 'DN-012', false],
    ['AA-9999', 'DN-00123', false],
    ['XX', 'a9', true],
    ['XX', 'a-', false],
    ['粤A.99', '粤B.01', true],
    ['粤A.99', '粤Bx01', false],
    ['SN*', 'SN-anything 1', true],
    ['SN*', 'XSN', false],
    ['a*b', 'a*b', true],
    ['\\9\\A', '9A', true],
    ['\\9', '8', false],
    ['(9)[9]{9}', '(1)[2]{3}', true],
    ['9\\', '1\\', true],
  ])('%s and %s: %s', (mask, text, expected) => expect(matches(mask, text)).toBe(expected));

  it('takes any mask, and takes itself where every sign of it stands for itself', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 30 }), (text) => {
        const mask = [...text].map((it) => `\\${it}`).join('');
        expect(() => new RegExp(regexOf(text))).not.toThrow();
        expect(matches(mask, text)).toBe(true);
        expect(matches(mask, `${text}x`)).toBe(false);
      }),
      tries(),
    );
  });
});
