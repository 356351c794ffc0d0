import { groupedDecimal, isEmptyValue } from '#app/fields/format.ts';
import { currencySignOf } from '#domain/money.ts';

/** An amount with the sign of its own currency; nothing for no amount. */
export const moneyText = (amount: unknown, currency: string | null | undefined): string =>
  isEmptyValue(amount) ? '' : `${currencySignOf(currency)}${groupedDecimal(String(amount))}`;
