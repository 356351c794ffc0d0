import { describe, expect, it } from 'vitest';
import { changesOf, validateField, toRequestValues, toInitialValues } from '#app/engine/formRules.ts';
import type { FormField } from '#app/engine/wire.ts';

const field = (queryName: string, type: FormField['type'], more: Partial<FormField> = {}): FormField => ({
  name: 'It',
  queryName,
  type,
  ...more,
});

it('a fault is found as the server finds it, with the row behind the form', () => {
  const reason = field('reason', 'String', { requiredWhen: { status: '2' } });
  expect(validateField(reason, [reason], { reason: '' }, { status: '2' })?.key).toBe('required');
  expect(validateField(reason, [reason], { reason: '' }, { status: '1' })).toBeNull();
});

it('judges nothing that stands as it stood while a record is switched off or on', () => {
  const status = { name: 'Status', queryName: 'status', type: 'select', isSwitch: true } as const;
  const code = { name: 'Code', queryName: 'code', type: 'String', required: true, minLength: 5 } as const;
  const faultOf = (values: object, row?: object) =>
    validateField(code, [status, code], { status: '0', ...values }, row as Record<string, unknown>)?.key;
  for (const stood of [null, 'abc']) {
    expect(faultOf({ code: stood ?? '' }, { status: '1', code: stood })).toBeUndefined();
    expect(faultOf({ code: 'ab' }, { status: '1', code: stood })).toBe('minLength');
    expect(faultOf({ code: stood ?? '' }, { status: '0', code: stood })).toBeDefined();
  }
  expect(faultOf({ code: '' })).toBe('required');
});

describe('what is sent', () => {
  it('is numbers as numbers, money as its digits, empty as null, and no empty password', () => {
    const fields = (['Integer', 'BigDecimal', 'String', 'password', 'select'] as const).map((it) => field(it, it));
    const values = { Integer: '12', BigDecimal: ' 0.10 ', String: ' ', password: '', select: '0' };
    expect(toRequestValues(fields, values)).toEqual({ Integer: 12, BigDecimal: '0.10', String: null, select: '0' });
  });

  it('is nothing that the form does not show or does not let change', () => {
    const fields = [
      field('kind', 'select'),
      field('code', 'String', { visibleWhen: { kind: '3' } }),
      field('price', 'BigDecimal', { readOnlyWhen: { kind: '1' } }),
      field('site', 'String', { readOnly: true }),
    ];
    expect(toRequestValues(fields, { kind: '1', code: 'E', price: '5', site: 'SZ' })).toEqual({ kind: '1' });
    expect(toRequestValues(fields, { kind: '3', code: 'E', price: '5', site: 'SZ' })).toEqual({
      kind: '3',
      code: 'E',
      price: '5',
    });
  });
});

describe('what is kept of a form', () => {
  const fields = [field('name', 'String'), field('price', 'BigDecimal'), field('secret', 'password')];

  it('is what differs from its beginning, without passwords', () => {
    const start = toInitialValues(fields, { name: 'Old', price: '5.000000', secret: 'hash' });
    expect(start).toEqual({ name: 'Old', price: '5', secret: '' });
    expect(changesOf(fields, start, { name: 'New', price: '5', secret: 'x' })).toEqual({ name: 'New' });
  });
});
