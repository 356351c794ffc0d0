import { dayOf } from '#domain/day.ts';
import { openPool, TURN_MS } from '#server/db/pool.ts';

/**
 * Gives bill numbers: prefix + yyyymmdd + 5 digits, counted by day; unique, gaps allowed, never reused.
 * Rule: writing#numbers.
 */
export interface Numbers {
  next(prefix: string): Promise<string>;
  many(prefix: string, count: number): Promise<string[]>;
  close(): Promise<void>;
}

/** Of one who takes numbers. */
export const NUMBER_CONNECTIONS = 2;
/** A number is one row: who holds it for longer than this is in trouble. */
const STATEMENT_MS = 5_000;

/**
 * Numbers are taken on connections of their own and kept at once: a bill that is then refused leaves a gap, and no
 * submit waits for another one's transaction.
 */
export function openNumbers(url: string, timeZone: string, patience = 1): Numbers {
  const limits = {
    connectionString: url,
    max: NUMBER_CONNECTIONS,
    statement_timeout: STATEMENT_MS * patience,
    query_timeout: 2 * STATEMENT_MS * patience,
    application_name: 'reflow numbers',
  };
  const pool = openPool(TURN_MS, limits, patience);

  async function many(prefix: string, count: number): Promise<string[]> {
    if (count === 0) return [];
    const { rows } = await pool.query<{ day: string; last: number }>({
      name: 'next-bill-number',
      text: `INSERT INTO bill_number (prefix, day, last) VALUES ($1, (now() AT TIME ZONE $3)::date, $2)
             ON CONFLICT (prefix, day) DO UPDATE SET last = bill_number.last + $2
             RETURNING to_char(day, 'YYYYMMDD') AS day, last`,
      values: [prefix, count, timeZone],
    });
    const { day, last } = rows[0] as { day: string; last: number };
    return Array.from({ length: count }, (_, i) => numberOf(prefix, day, last - count + 1 + i));
  }

  return {
    many,
    next: async (prefix) => (await many(prefix, 1))[0] as string,
    close: () => pool.end(),
  };
}

/** `MTB` + `20261121` + `00001`; the day without its dashes. */
export const numberOf = (prefix: string, day: string, n: number) => `${prefix}${day}${String(n).padStart(5, '0')}`;

/** The number that a moment's first bill would have; for data that is made for earlier days. */
export const numberOn = (prefix: string, ms: number, timeZone: string, n: number) =>
  numberOf(prefix, dayOf(ms, timeZone).replaceAll('-', ''), n);
