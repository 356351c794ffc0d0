import { describe, expect, it } from 'vitest';
import type { Field } from '#domain/definition/grammar.ts';
import { readCell, seenFor, seenText } from '#server/imports/cells.ts';
import type { Cell } from '#server/imports/workbook.ts';
import { writtenNumbers } from '#tests/support/writtenNumbers.ts';

const label = { zh: '数', en: 'Number' };
const amount: Field = { type: 'BigDecimal', label };
const rate: Field = { type: 'BigDecimal', label, format: 'percent' };
const count: Field = { type: 'Integer', label };
const read = (cell: Cell, field: Field, format?: string) => {
  const it = readCell(cell, 'it', field, { timeZone: 'UTC', place: 'C3', format });
  if (!it || !('problem' in it)) return it;
  expect(it.problem).toMatchObject({ field: 'it', args: { cell: 'C3', field: label } });
  return it.problem.key;
};

it.each(writtenNumbers.map(([text, meant, mark = '']) => [text, meant, mark] as const))(
  'in a cell %j is %j',
  (text, meant, mark) => {
    const isPlain = mark === '';
    const said = (isTaken: boolean, no: string) =>
      meant === undefined ? 'numberCell' : isTaken ? { value: meant, ...(!isPlain && mark !== '%' && { mark }) } : no;
    expect(read(text, amount)).toEqual(said(mark !== '%', 'percentCell'));
    expect(read(text, count)).toEqual(said(isPlain, mark === '%' ? 'percentCell' : 'signCell'));
    if (meant !== '0.13') expect(read(text, rate)).toEqual(said(isPlain || mark === '%', 'signCell'));
  },
);

it.each<[Cell, string, unknown]>([
  [0.13, '0%', { value: '13' }],
  [0.0725, '0.00%', { value: '7.25' }],
  [0.07, '0%;[Red]-0%', { value: '7' }],
  [13, '0%', { value: '1300' }],
  [13, '0"%"', { value: '13' }],
  [13, '0\\%', { value: '13' }],
  [13, '', { value: '13' }],
  [0, '', { value: '0' }],
  [1, '', { value: '1' }],
  ['0.13%', '', { value: '0.13' }],
  ['13%', '0%', { value: '13' }],
])('of a rate, the cell %j shown by %j is %j', (cell, format, said) => {
  expect(read(cell, rate, format)).toEqual(said);
});

it.each<[Cell]>([[0.13], ['0.13'], [0.5]])('of a rate, a bare %j is taken as it is, and asked about', (cell) => {
  const note = { key: 'rateCell', field: 'it', args: { cell: 'C3', field: label, value: String(cell) } };
  expect(read(cell, rate)).toEqual({ value: String(cell), note });
});

it('a percentage where none is asked for is refused', () => {
  expect([read(0.5, amount, '0%'), read(0.5, count, '0.00%')]).toEqual(['percentCell', 'percentCell']);
});

it.each<[string, string]>([
  ['[$€-407] #,##0.00', '€'],
  ['[$€-2] #,##0.00;[Red]-[$€-2] #,##0.00', '€'],
  ['#,##0.00 [$€-407]', '€'],
  ['"¥"#,##0.00;"¥"\\-#,##0.00', '¥'],
  ['_ "¥"* #,##0.00_ ;_ "¥"* \\-#,##0.00_ ;_ "¥"* "-"??_ ;_ @_ ', '¥'],
  ['[$￥-804]#,##0.00', '¥'],
  ['\\¥#,##0', '¥'],
  ['[$¥-411]#,##0', '[$¥-411]'],
  ['"$"#,##0.00', '$'],
  ['$#,##0.00', '$'],
  ['[$$-409]#,##0.00', '$'],
  ['[$$-1009]#,##0.00', '[$$-1009]'],
  ['[$HK$-C04]#,##0.00', 'HK$'],
  ['[$EUR] #,##0.00', 'EUR'],
  ['#,##0.00"元"', '元'],
  ['#,##0.00', ''],
  ['#,##0_);[Red](#,##0)', ''],
  ['[$-804]General', ''],
  ['0.00"pcs"', ''],
  ['_$* 0', ''],
  ['[$kr-41D] 0.00', 'kr'],
  ['[$руб.-419]0', 'руб.'],
  ['0.00 [$zł-415]', 'zł'],
  ['[$Rp-421]0', 'Rp'],
  ['"Fr. "0.00', 'Fr.'],
  ['"Rs."0.00', 'Rs.'],
  ['0.00\\ \\z\\ł', 'zł'],
  ['0.00 "Euro"', 'Euro'],
  ['0.00 "usd"', 'USD'],
  ['0.00" (USD)"', 'USD'],
  ['\\U\\S\\D\\ 0.00', 'USD'],
  ['0"美元"', '美元'],
  ['0"欧元"', '欧元'],
  ['0"日元"', '日元'],
  ['0"港币"', '港币'],
  ['0.00"元/件"', '元'],
  ['0 "dollars"', 'dollars'],
  ['0 "US Dollars"', 'US Dollars'],
  ['0 "PCS"', ''],
  ['0 "KGS"', ''],
  ['0 "SET"', ''],
  ['0.0"kg"', ''],
  ['0"千克"', ''],
  ['0"单元"', ''],
  ['0"m2"', ''],
  ['_ * #,##0.00_ ;_ * \\-#,##0.00_ ;_ * "-"??_ ;_ @_ ', ''],
  ['0.00E+00', ''],
  ['General" pcs"', ''],
])('an amount that is shown by %j says %j', (format, mark) => {
  expect(read(5, amount, format)).toEqual({ value: '5', ...(mark && { mark }) });
  expect(read(5, count, format)).toEqual(mark === '' ? { value: '5' } : 'signCell');
});

it.each<[Cell, string]>([
  [5, '0.00"万"'],
  [5, '0.00"万元"'],
  [5, 'General"万"'],
  [5, '0"亿"'],
  [5, '0"千元"'],
  [12_345, '0.00,'],
  [12_345, '0,.00'],
  [12_345, '0!.0,"万"'],
  [5000, '#,##0,"K"'],
  [5, '0"K"'],
  [5, '0" KPCS"'],
  [1500, '0.00,"t"'],
  [5_000_000, '0.0,,\\M'],
  [5, '[>100]0%;0.00'],
  [0.13, '[>1]0.00;0%'],
  [5, '[=1]0" pc";0" pcs"'],
  [500, '0\\.00'],
  [5, '0"00"'],
  [5, '"1"0'],
  [5, '\\-0'],
  [0.13, '0%%'],
  [5, '0"‰"'],
  [12.6, '0'],
  [12.6, '#,##0_);[Red](#,##0)'],
  [12.345, '0.00'],
  [0.126, '0%'],
  [1234.5, '0.0E+00'],
  [1.5, '# ?/?'],
  [15, ';;;'],
  [-15, '0;;0'],
  [0, '0;-0;'],
  [52, 'mm'],
  [52, '"Total"'],
])('the cell %j, shown by %j as another number than it holds, is refused', (cell, format) => {
  expect([amount, rate, count].map((it) => read(cell, it, format))).toEqual(['shownCell', 'shownCell', 'shownCell']);
  expect(read(seenText(cell, format), amount)).toBe('numberCell');
});

it.each<[Cell, string, string]>([
  [12.6, '0.0', '12.6'],
  [12, '0', '12'],
  [12, '0000', '12'],
  [0.3, '0.00', '0.3'],
  [0.1 + 0.2, '0.00', '0.3'],
  [1.005, '0.000', '1.005'],
  [1_234_567.89, '#,##0.00', '1234567.89'],
  [12.6, 'General', '12.6'],
  [1500, '0.0E+00', '1500'],
  [0, '_ * #,##0_ ;_ * \\-#,##0_ ;_ * "-"??_ ;_ @_ ', '0'],
])('the amount %j of which %j shows all digits is taken', (cell, format, value) => {
  expect(read(cell, amount, format)).toEqual({ value });
});

describe('a text', () => {
  const text: Field = { type: 'String', label, maxLength: 50 };
  const choice: Field = { type: 'select', label, options: 'x' };
  it.each<[Cell, string, string]>([
    [123, '0000000', '0000123'],
    [123, '"SF"0000000', 'SF0000123'],
    [123, '\\S\\F0000', 'SF0123'],
    [123_456, '000-000', '123-456'],
    [1234, '#,##0', '1,234'],
    [5, '0.00', '5.00'],
    [5, '0.0"kg"', '5.0kg'],
    [2.5, 'General" pcs"', '2.5 pcs'],
    [0.13, '0%', '13%'],
    [-7, '0000', '-0007'],
    [123_456_789_012_345, '0', '123456789012345'],
    [123, '', '123'],
    [123, 'General', '123'],
    [123, '@', '123'],
    ['123', '0000000', '123'],
  ])('of the cell %j, shown by %j, is what the sheet shows: %j', (cell, format, seen) => {
    expect(read(cell, text, format)).toEqual({ value: seen });
    expect(read(cell, choice, format)).toEqual({ value: seen });
    expect(seenFor(text, cell, format)).toBe(seen);
  });

  it.each<[Cell, string]>([
    [12.6, '0'],
    [123_456_789_012, '0.00E+00'],
    [15, ';;;'],
    [52, 'mm'],
    [12_345, '0,'],
    [5_551_234, '[<=9999999]000-0000;0'],
  ])('of the cell %j, shown by %j as another number, is refused', (cell, format) => {
    expect([read(cell, text, format), read(cell, choice, format)]).toEqual(['shownCell', 'shownCell']);
  });
});

it.each([
  ['运费+保价', '2'],
  [' 运费 ＋ 保价', '2'],
  ['ＦＲＥＩＧＨＴ', '1'],
  ['freightandinsurance', '2'],
  ['Air freight', '3'],
  ['airfreight', '4'],
  ['AIRFREIGHT ', '4'],
])('the choice %j is one in whatever case, spaces and width, but first one that is written so', (cell, value) => {
  const options = [
    { value: '1', label: { zh: '运费', en: 'Freight' } },
    { value: '2', label: { zh: '运费+保价', en: 'Freight and insurance' } },
    { value: '3', label: { zh: '空运', en: 'Air freight' } },
    { value: '4', label: { zh: '航空', en: 'Airfreight' } },
  ];
  const field: Field = { type: 'select', label, options: 'x' };
  expect(readCell(cell, 'x', field, { options, timeZone: 'Asia/Shanghai' })).toEqual({ value });
});

it.each([
  ['Waiting', ['1', '2']],
  ['waiting', ['1', '2']],
  ['等待', '1'],
  ['等候', '2'],
  ['late', '3'],
  ['Late', '4'],
  ['LATE', ['3', '4']],
  ['2', '2'],
  ['gone', '6'],
])('the choice %j is never one of several that are called so', (cell, said) => {
  const options = [
    { value: '1', label: { zh: '等待', en: 'Waiting' } },
    { value: '2', label: { zh: '等候', en: 'Waiting' } },
    { value: '3', label: { zh: '迟', en: 'late' } },
    { value: '4', label: { zh: '晚', en: 'Late' } },
    { value: '5', label: { zh: '旧', en: 'Gone' }, retired: true as const },
    { value: '6', label: { zh: '去', en: 'Gone' } },
  ];
  const field: Field = { type: 'select', label, options: 'x' };
  const args = { field: label, value: cell, values: said };
  const problem = { problem: { key: 'severalOptions', field: 'x', args } };
  expect(readCell(cell, 'x', field, { options, timeZone: 'Asia/Shanghai' })).toEqual(
    typeof said === 'string' ? { value: said } : problem,
  );
});

it.each(['Fan ', '\u200bFan', 'Fan\u00a0one'])(
  'a choice called %j is not told from another by what nobody sees',
  (called) => {
    const plain = called.replace('\u200b', '').replace('\u00a0', ' ').trim();
    const options = [plain, called].map((it, i) => ({ value: String(i), label: { zh: it, en: it } }));
    const args = { field: label, value: plain, values: ['0', '1'] };
    for (const cell of [plain, called])
      expect(readCell(cell, 'x', { type: 'select', label, options: 'o' }, { options, timeZone: 'UTC' })).toEqual({
        problem: { key: 'severalOptions', field: 'x', args },
      });
  },
);

it.each<[Cell, string, unknown]>([
  [-0.13, '0;-0%', 'percentCell'],
  [0.13, '0.00;-0%', { value: '0.13' }],
  [-5, '0.00;\\-"€"0.00', { value: '-5', mark: '€' }],
  [-5, '#,##0_);[Red](#,##0)', { value: '-5' }],
  [0, '0;-0;"-"', { value: '0' }],
])('an amount of %j is read by the part of %j that shows it', (cell, format, said) => {
  expect(read(cell, amount, format)).toEqual(said);
});

describe('a number with what its format says, as a text', () => {
  it.each<[Cell, string]>([
    [0.13, '0%'],
    [-5, '[$€-407] 0.00'],
    [1234.5, '"¥"#,##0.00'],
    [7, '0'],
  ])('%j shown by %j says the same', (cell, format) => {
    const field = format === '0%' ? rate : amount;
    expect(read(seenText(cell, format), field)).toEqual(read(cell, field, format));
  });
});

describe('a day', () => {
  const day: Field = { type: 'date', label };
  const moment: Field = { type: 'dateTime', label };
  const month: Field = { type: 'Month', label };
  const told = (cell: Cell, format?: string) => [day, moment, month].map((it) => read(cell, it, format));
  const at = (clock: string) => new Date(`${clock}Z`);

  it.each<[string, Cell, string]>([
    ['the number 2027', 2027, ''],
    ['the number 12.31', 12.31, '0.00'],
    ['the number 202612', 202_612, ''],
    ['the number 46356', 46_356, '0'],
    ['the time 8:30', at('1899-12-31T08:30'), 'h:mm'],
    ['the time 8:30 of a count from 1904', at('1904-01-01T08:30'), '[$-409]h:mm AM/PM;@'],
    ['the 36 hours', at('1900-01-01T12:00'), '[h]:mm'],
    ['the time 8:30 in Chinese', at('1904-01-01T08:30'), 'h"day"mm"年"'],
    ['the time 8:30, formatted as a day', at('1899-12-31T08:30'), 'yyyy-mm-dd h:mm'],
  ])('is not made of %s', (_, cell, format) => {
    expect(told(cell, format)).toEqual(['dayCell', 'dayCell', 'dayCell']);
  });

  it.each<[string]>([
    ['2026-11-30 08:30:75'],
    ['2026-11-30 08:75'],
    ['2026-11-30 24:00'],
    ['2026-02-30'],
    ['0026-11-30'],
  ])('is not made of the text %j, which says none', (text) => {
    const none = { key: 'format', field: 'it', args: { field: label } };
    expect([day, moment].map((it) => readCell(text, 'it', it, { timeZone: 'UTC' }))).toEqual([
      { problem: none },
      { problem: none },
    ]);
  });

  it.each<[Cell, string]>([
    [at('2026-11-30T08:30:15'), 'yyyy-mm-dd hh:mm'],
    [at('2026-11-30T08:30:15'), '[$-804]yyyy"年"m"月"d"日";@'],
    [at('2026-11-30T08:30:15'), 'mmm-yy'],
    [at('2026-11-30T08:30:15'), ''],
    ['2026-11-30 08:30:15', ''],
    ['2026/11/30T8:30:15', ''],
  ])('is made of %j, shown by %j', (cell, format) => {
    expect([read(cell, day, format), read(cell, moment, format)]).toEqual([
      { value: Date.parse('2026-11-30') },
      { value: Date.parse('2026-11-30T08:30:15Z') },
    ]);
    if (typeof cell !== 'string') expect(read(cell, month, format)).toEqual({ value: '2026-11' });
  });
});
