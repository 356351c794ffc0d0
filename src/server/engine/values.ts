import { dayOf } from '#domain/day.ts';
import type { Field } from '#domain/definition/grammar.ts';
import type { Problem } from '#domain/refusal.ts';

export type Parsed = { value: unknown } | { problem: Problem };

const MAX_TEXT = 4000;
const BIG_DECIMAL_MAX = 1_000_000;
const DECIMAL = /^-?\d{1,12}(\.\d{1,6})?$/;
/** From year 1 to year 9999: beyond, a number is no moment. */
const FARTHEST = 253_402_300_799_999;

/**
 * A value of the wire as the database takes it, or what is wrong with it. Bounds: Number and Integer from 0,
 * BigDecimal from 0 to 1,000,000, a percent to 100. Specification 1, section 5.
 */
export function parseValue(field: Field, name: string, raw: unknown, timeZone: string): Parsed {
  const no = (key: 'format' | 'tooLong', args: Problem['args'] = {}): Parsed => ({
    problem: { key, field: name, args: { field: field.label, ...args } },
  });
  switch (field.type) {
    case 'Number':
    case 'Integer':
    case 'Long': {
      const value = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw;
      if (typeof value !== 'number' || !Number.isFinite(value)) return no('format');
      if (field.type !== 'Number' && !Number.isSafeInteger(value)) return no('format');
      if (field.type === 'Integer' && value > 2_147_483_647) return no('format');
      if (value < (field.min ?? 0) || value > (field.max ?? Number.MAX_SAFE_INTEGER)) return no('format');
      return { value };
    }
    case 'BigDecimal': {
      const text = String(raw).trim();
      const max = field.max ?? (field.format === 'percent' ? 100 : BIG_DECIMAL_MAX);
      if (!DECIMAL.test(text) || Number(text) < (field.min ?? 0) || Number(text) > max) return no('format');
      return { value: text };
    }
    case 'date':
    case 'dateTime': {
      const ms = typeof raw === 'string' && /^-?\d{1,15}$/.test(raw.trim()) ? Number(raw) : raw;
      if (typeof ms !== 'number' || !Number.isInteger(ms) || Math.abs(ms) > FARTHEST) return no('format');
      return { value: field.type === 'date' ? dayOf(ms, timeZone) : new Date(ms) };
    }
    case 'Month':
      return typeof raw === 'string' && /^\d{4}-(0[1-9]|1[0-2])$/.test(raw) ? { value: raw } : no('format');
    default: {
      if (typeof raw !== 'string' && typeof raw !== 'number') return no('format');
      const trimmed = field.type === 'LongString' || field.type === 'password' ? String(raw) : String(raw).trim();
      const value = field.upperCase ? trimmed.normalize('NFKC').toUpperCase() : trimmed;
      const max = field.maxLength ?? MAX_TEXT;
      if (value.includes('\0')) return no('format');
      if (value.length > max) return no('tooLong', { max });
      if (field.minLength !== undefined && value.length < field.minLength) return no('format');
      return { value };
    }
  }
}

export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
