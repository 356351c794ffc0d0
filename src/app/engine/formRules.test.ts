import { describe, expect, it } from 'vitest';
import { faultOf, isRequired, sentOf } from '#app/engine/formRules.ts';
import type { FormField } from '#app/engine/wire.ts';

const field = (type: FormField['type'], more: Partial<FormField> = {}): FormField => ({
  name: 'It',
  queryName: 'it',
  type,
  ...more,
});
const faultIn = (of: FormField, value: unknown, more: object = {}) => faultOf(of, { it: value, ...more })?.key ?? null;

describe('a field', () => {
  it.each([
    [field('Number'), '-1', 'min'],
    [field('Number'), '0', null],
    [field('Integer'), '1.5', 'integer'],
    [field('BigDecimal'), '0', null],
    [field('BigDecimal'), '1000000', null],
    [field('BigDecimal'), '1000000.01', 'max'],
    [field('BigDecimal', { queryName: 'it', format: 'percent' }), '100', null],
    [field('BigDecimal', { queryName: 'it', format: 'percent' }), '100.01', 'max'],
    [field('Number', { min: 2, max: 4 }), '5', 'max'],
    [field('Number'), 'abc', 'number'],
    [field('String', { maxLength: 3 }), 'abcd', 'maxLength'],
    [field('String', { minLength: 3 }), 'ab', 'minLength'],
    [field('String', { required: true }), '  ', 'required'],
    [field('String', { required: true, readOnly: true }), '', null],
    [field('select', { required: true }), '0', null],
  ])('%o with %j: %s', (of, value, key) => {
    expect(faultIn(of, value)).toBe(key);
  });

  it('is required while other fields have the values that make it so', () => {
    const code = field('String', { requiredWhen: { lotType: '3', stage: ['a', 'b'] } });
    expect(isRequired(code, { lotType: '3', stage: 'b' })).toBe(true);
    expect(isRequired(code, { lotType: '3', stage: 'c' })).toBe(false);
    expect(isRequired(code, {})).toBe(false);
  });
});

describe('what is sent', () => {
  it('is numbers as numbers, money as its digits, empty as null, and no empty password', () => {
    const fields = (['Integer', 'BigDecimal', 'String', 'password', 'select'] as const).map((type) =>
      field(type, { queryName: type }),
    );
    const values = { Integer: '12', BigDecimal: ' 0.10 ', String: ' ', password: '', select: '0' };
    expect(sentOf(fields, values)).toEqual({ Integer: 12, BigDecimal: '0.10', String: null, select: '0' });
  });
});
