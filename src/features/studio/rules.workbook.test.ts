import { describe, expect, it } from 'vitest';
import { validateShape } from '#domain/definition/problems.ts';
import { copyOf } from './rules.module.ts';
import { guessFields, retyped, withFields, type Guess } from './rules.workbook.ts';

const times = <Value>(count: number, value: (i: number) => Value): Value[] =>
  Array.from({ length: count }, (_, i) => value(i));
const guessOne = (values: unknown[]) =>
  guessFields(
    ['X'],
    values.map((it) => [it as string]),
  )[0];

describe('the type of a column', () => {
  it.each([
    ['whole numbers', ['1', 2, '3,000'], { kind: 'Integer' }],
    ['texts with a decimal comma', ['92,42', '12,50'], { kind: 'String', maxLength: 20 }],
    ['texts with commas elsewhere', ['1,23,456'], { kind: 'String', maxLength: 20 }],
    ['numbers below none', ['-1,234', -5], { kind: 'Integer' }],
    ['large whole numbers', [3_000_000_000, '5'], { kind: 'Long' }],
    ['numbers with parts', ['1', '2.50'], { kind: 'BigDecimal' }],
    ['codes with a nought before them', ['007', '008'], { kind: 'String', maxLength: 20 }],
    ['days', ['2026-11-01', '2026/1/5', new Date('2026-02-03T00:00:00Z')], { kind: 'date' }],
    ['moments', ['2026-11-01 08:30', new Date('2026-02-03T04:00:00Z')], { kind: 'dateTime' }],
    ['months', ['2026-11', '2026-12'], { kind: 'Month' }],
    ['a few values again and again', times(9, (i) => ['red', 'green', 'blue'][i % 3]), { kind: 'select' }],
    ['words', ['Zhang', 'Li Wei', 'Wang'], { kind: 'String', maxLength: 20 }],
    ['long texts', ['x'.repeat(60), 'y'], { kind: 'String', maxLength: 100 }],
    ['very long texts', ['x'.repeat(600), 'y'], { kind: 'LongString' }],
    ['nothing at all', [], { kind: 'String', maxLength: 20, required: false }],
  ])('is told from its values: %s', (_, values, expected) => expect(guessOne(values)).toMatchObject(expected));

  it('is required where no row lacks it', () => {
    expect(guessOne(['a', 'b'])?.required).toBe(true);
    expect(guessOne(['a', '  '])?.required).toBe(false);
  });

  it('has a choice with its values in the order in which they came', () => {
    expect(guessOne(times(9, (i) => ['red', 'green', 'blue'][i % 3]))?.values).toEqual(['red', 'green', 'blue']);
  });

  it('counts what its head says in brackets, where it is a number', () => {
    const found = guessFields(['Weight (kg)', '里程（公里）', 'Name (short)'], [[1.5, 20, 'x']]);
    expect(found.map((it) => [it.name, it.label, it.unit])).toEqual([
      ['weight', 'Weight', 'kg'],
      ['field', '里程', '公里'],
      ['name', undefined, undefined],
    ]);
  });

  it('is a plain number where there are decimals, until somebody says that they are amounts', () => {
    const guess = guessOne([1.5, 2.25]);
    if (!guess) throw new Error('nothing was guessed');
    const base = copyOf(null, { module: 'toolLoan', label: { zh: '借用', en: 'Loans' }, table: 'tool_loan' }, false);
    const made = (it: Guess) => withFields(base, [it]).definition.fields[it.name];
    expect(made(guess)).toMatchObject({ type: 'BigDecimal', format: 'number' });
    const amount = made(retyped(guess, 'amount', [1.5, 2.25]));
    expect(amount).toMatchObject({ type: 'BigDecimal' });
    expect(amount).not.toHaveProperty('format');
  });

  it('may be said otherwise', () => {
    const guess = guessOne(['a', 'b']);
    if (!guess) throw new Error('nothing was guessed');
    expect(retyped(guess, 'select', ['a', 'b', 'a'])).toMatchObject({ kind: 'select', values: ['a', 'b'] });
    expect(retyped(guess, 'LongString', ['a'])).not.toHaveProperty('maxLength');
  });
});

describe('a module of a workbook', () => {
  const heads = ['Tool no', '借用人', '数量', null, 'Create time', 'State'];
  const rows = times(9, (i) => [`T-${i}`, '张三', i + 1, 'x', '2026-11-01', ['in', 'out'][i % 2] as string]);
  const guesses = guessFields(heads, rows);

  it('has a field for each column with a head, by names that are free', () => {
    expect(guesses.map((it) => [it.head, it.name, it.kind])).toEqual([
      ['Tool no', 'toolNo', 'String'],
      ['借用人', 'field', 'String'],
      ['数量', 'field2', 'Integer'],
      ['Create time', 'createTime2', 'date'],
      ['State', 'state', 'select'],
    ]);
  });

  it.each([true, false])('is a definition as the grammar has it (rows of sites: %s)', (hasSite) => {
    const label = { zh: '借用', en: 'Loans' };
    const base = copyOf(null, { module: 'toolLoan', label, table: 'tool_loan' }, hasSite);
    const { definition, options } = withFields(base, guesses);
    expect(validateShape(definition, 'toolLoan')).toEqual([]);
    expect(Object.keys(definition.fields)).toEqual([
      ...(hasSite ? ['siteId'] : []),
      ...['toolNo', 'field', 'field2', 'createTime2', 'state'],
    ]);
    expect(definition.fields['state']?.options).toBe('toolLoanState');
    expect(options['toolLoanState']?.map((it) => it.value)).toEqual(['in', 'out']);
    expect(definition.buttons?.some((it) => it.script === 'upload')).toBe(true);
    expect(definition.form?.flat()).toEqual(definition.list?.columns);
  });
});
