import { expect, it } from 'vitest';
import { itemNameIn } from './itemName.ts';

it.each<['zh' | 'en', string | null, string | null, string | null]>([
  ['en', 'RX-21 算力板', 'Hash board RX-21', 'Hash board RX-21'],
  ['zh', 'RX-21 算力板', 'Hash board RX-21', 'RX-21 算力板'],
  ['en', 'RX-21 188T', 'RX-21', 'RX-21 188T'],
  ['en', 'RX-21 算力板', '算力板', 'RX-21 算力板'],
  ['en', 'RX-21 算力板', null, 'RX-21 算力板'],
  ['en', null, 'RX-21', null],
])('in %s, %s of %s is called %s', (lang, name, productName, expected) => {
  expect(itemNameIn(lang, name, productName)).toBe(expected);
});
