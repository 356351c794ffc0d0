import { describe, expect, it } from 'vitest';
import { boundsOf } from '#domain/definition/fieldBounds.ts';
import { findFaults, findFault, isSame, type RuledField, resolveFields } from '#domain/definition/fieldRules.ts';
import type { FieldType } from '#domain/definition/grammar.ts';

const field = (type: FieldType, more: Partial<RuledField> = {}): RuledField => ({ type, ...more });
const form = (fields: Record<string, RuledField>) => new Map(Object.entries(fields));
const keysOf = (fields: Record<string, RuledField>, values: Record<string, unknown>) =>
  Object.fromEntries([...findFaults(form(fields), values)].map(([name, it]) => [name, it.key]));

describe('an amount', () => {
  const amount = field('BigDecimal');
  const percent = field('BigDecimal', { format: 'percent' });
  it.each<[Record<string, RuledField>, Record<string, unknown>, object]>([
    [{ amount }, { amount: '1.23' }, {}],
    [{ amount }, { amount: '1.230000' }, {}],
    [{ amount }, { amount: '1.234', currency: 'CNY' }, { amount: 'decimals' }],
    [{ amount }, { amount: '1.234' }, { amount: 'decimals' }],
    [{ amount }, { amount: '1.5', currency: 'JPY' }, { amount: 'decimals' }],
    [{ amount }, { amount: '1.234', currency: 'KWD' }, {}],
    [{ amount }, { amount: '1.234', currency: '点' }, { amount: 'decimals' }],
    [{ percent }, { percent: '6.125' }, {}],
    [{ of: field('BigDecimal', { format: 'number' }) }, { of: '6.125' }, {}],
    [{ of: field('BigDecimal', { unit: { zh: '千克', en: 'kg' } }) }, { of: '6.125' }, {}],
    [{ of: field('BigDecimal', { isMeasured: true }) }, { of: '6.125' }, {}],
  ])('%j with %j: %j, as the digits of its currency go', (fields, values, expected) => {
    expect(keysOf(fields, values)).toEqual(expected);
  });
});

describe('a value', () => {
  it.each<[RuledField, unknown, string | null]>([
    [field('Number'), '-1', 'min'],
    [field('Number'), -0.5, 'min'],
    [field('Number'), 'abc', 'number'],
    [field('Number'), Infinity, 'number'],
    [field('Number'), [1], 'number'],
    [field('Number', { min: 2, max: 4 }), '5', 'max'],
    [field('Integer'), '1.5', 'integer'],
    [field('Integer'), 2_147_483_648, 'max'],
    [field('Long'), '99999999999999999999', 'max'],
    [field('BigDecimal'), '0', null],
    [field('BigDecimal'), '1000000', null],
    [field('BigDecimal'), '1000000.01', 'max'],
    [field('BigDecimal'), '0.1234567', 'decimals'],
    [field('BigDecimal'), '1e3', 'number'],
    [field('Long', { max: 9e18 }), 9_007_199_254_740_992, 'max'],
    [field('Long', { max: 9e18 }), '9007199254740991', null],
    [field('Long', { min: -9e18 }), '-9007199254740992', 'min'],
    [field('Integer', { max: 9e15 }), 2_147_483_648, 'max'],
    [field('Integer', { min: -9e15 }), -2_147_483_649, 'min'],
    [field('Number', { max: 1e300 }), 9_007_199_254_740_992, 'max'],
    [field('BigDecimal', { max: 1e30 }), '1000000000000', 'max'],
    [field('BigDecimal', { max: 1e30 }), '999999999999', null],
    [field('BigDecimal', { min: -1e30 }), '-1000000000000', 'min'],
    [field('BigDecimal', { format: 'percent' }), '100', null],
    [field('BigDecimal', { format: 'percent' }), '100.01', 'max'],
    [field('String', { maxLength: 3 }), 'abcd', 'maxLength'],
    [field('String', { maxLength: 3 }), ' abc ', null],
    [field('LongString', { maxLength: 3 }), ' abc ', 'maxLength'],
    [field('String', { minLength: 3 }), 'ab', 'minLength'],
    [field('String'), 'a\0b', 'text'],
    [field('String'), { $ne: 1 }, 'text'],
    [field('date'), 1_800_000_000_000, null],
    [field('date'), '2026-11-21', 'moment'],
    [field('dateTime'), 1e18, 'moment'],
    [field('Month'), '2026-11', null],
    [field('Month'), '2026-13', 'month'],
    [field('String', { sn: true }), ' abc-1_2 ', null],
    [field('String', { sn: true }), 'ＡＢＣ１', null],
    [field('String', { sn: true }), 'AB C', 'sn'],
    [field('String', { sn: true }), 'X'.repeat(65), 'maxLength'],
  ])('%o with %j: %s', (of, value, key) => {
    expect(findFault(of, value)?.key ?? null).toBe(key);
  });

  it.each<[RuledField, number]>([
    [field('String'), 4000],
    [field('LongString'), 4000],
    [field('select'), 4000],
    [field('String', { sn: true }), 64],
  ])('of %o has at most %i characters unless its definition says otherwise [P-FRM-15]', (of, most) => {
    expect(boundsOf(of).maxLength).toBe(most);
    expect(boundsOf({ ...of, maxLength: 7 }).maxLength).toBe(7);
  });
});

describe('a form', () => {
  const order = {
    lotType: field('select'),
    engineeringCode: field('String', { requiredWhen: { lotType: '3' }, visibleWhen: { lotType: '3' } }),
    engineer: field('String', { required: true, visibleWhen: { engineeringCode: ['E1', 'E2'] } }),
    price: field('BigDecimal', { readOnlyWhen: { status: ['1', '2'] } }),
    from: field('date'),
    to: field('date', { minField: 'from' }),
    whole: field('Integer'),
    part: field('Integer', { maxField: 'whole' }),
  };

  it('asks for what other values make required, and only while they do', () => {
    expect(keysOf(order, { lotType: '3' })).toEqual({ engineeringCode: 'required' });
    expect(keysOf(order, { lotType: 3, engineeringCode: 'E9' })).toEqual({});
    expect(keysOf(order, { lotType: '0' })).toEqual({});
    expect(keysOf(order, {})).toEqual({});
  });

  it('has no field whose condition does not hold, nor what depends on that one', () => {
    const stands = resolveFields(form(order), { lotType: '0', engineeringCode: 'E1', engineer: 'Li' });
    expect([...stands.hidden]).toEqual(['engineeringCode', 'engineer']);
    expect(stands.values).toMatchObject({ engineeringCode: null, engineer: null });
    expect([...resolveFields(form(order), { lotType: '3', engineeringCode: 'E2' }).hidden]).toEqual([]);
    expect(keysOf(order, { lotType: '3', engineeringCode: 'E2' })).toEqual({ engineer: 'required' });
    expect(keysOf(order, { lotType: '0', engineeringCode: 'x'.repeat(5000) })).toEqual({});
  });

  it('comes to an end where two fields hide each other', () => {
    const circle = { a: field('String', { visibleWhen: { b: '' } }), b: field('String', { visibleWhen: { a: '' } }) };
    expect([...resolveFields(form(circle), { a: '1', b: '1' }).hidden]).toEqual(['a']);
    expect([...resolveFields(form(circle), {}).hidden]).toEqual([]);
  });

  it('lets nobody change what is read only as it stands, and finds nothing wrong with it', () => {
    expect([...resolveFields(form(order), { status: '2' }).fixed]).toEqual(['price']);
    expect([...resolveFields(form(order), { status: '0' }).fixed]).toEqual([]);
    expect(keysOf(order, { status: '2', price: '-1' })).toEqual({});
    expect(keysOf(order, { status: '0', price: '-1' })).toEqual({ price: 'min' });
  });

  it('holds a value against the field that bounds it', () => {
    expect(keysOf(order, { from: 2000, to: 1000 })).toEqual({ to: 'notBelow' });
    expect(keysOf(order, { from: 2000, to: 2000 })).toEqual({});
    expect(keysOf(order, { to: 1000 })).toEqual({});
    expect(keysOf(order, { whole: 9, part: '10' })).toEqual({ part: 'notAbove' });
    expect(keysOf(order, { whole: '10', part: '9' })).toEqual({});
  });
});

it('two values mean the same however they are written', () => {
  expect(isSame(field('BigDecimal'), '1200.50', '1200.500000')).toBe(true);
  expect(isSame(field('String'), '', null)).toBe(true);
  expect(isSame(field('String'), '1.0', '1')).toBe(false);
  expect(isSame(field('Integer'), 0, null)).toBe(false);
});

describe('a text with a pattern', () => {
  const plate = { type: 'String', pattern: { mask: 'AA-9999', example: 'DN-0012' }, upperCase: true } as const;
  it('is refused with the example, and as it would be kept', () => {
    expect(findFault(plate, 'DN-12')).toEqual({ key: 'pattern', args: { example: 'DN-0012' } });
    expect(findFault(plate, ' dn-0012 ')).toBeNull();
  });
});
