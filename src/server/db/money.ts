import { sql, type RawBuilder } from 'kysely';
import { digitsOf } from '#domain/money.ts';

const USUAL = digitsOf(null);
const others = Intl.supportedValuesOf('currency').filter((it) => digitsOf(it) !== USUAL);

/** An amount in the digits of its currency, half up. Rule: wire#money. */
export const payable = (amount: RawBuilder<unknown>, currency: RawBuilder<unknown>): RawBuilder<string> => sql`
  round(${amount}, CASE ${currency} ${sql.join(
    others.map((it) => sql`WHEN ${sql.lit(it)} THEN ${sql.lit(digitsOf(it))}`),
    sql` `,
  )} ELSE ${sql.lit(USUAL)} END)`;
