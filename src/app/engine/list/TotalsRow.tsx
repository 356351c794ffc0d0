import { useTranslate } from 'ra-core';
import { alignOf, RowEnd } from '#app/engine/list/BodyRow.tsx';
import type { ShownColumn } from '#app/engine/list/columns.ts';
import type { Column } from '#app/engine/wire.ts';
import { kindOf, textOf } from '#app/fields/format.ts';
import type { Total } from '#domain/money.ts';

interface TotalsRowProps {
  columns: readonly ShownColumn[];
  totals: Readonly<Record<string, Total>>;
  picks: boolean;
  hasMenu: boolean;
}

/** The sums over everything that the filter finds, each under its column; without a column that has one, no line. */
export function TotalsRow({ columns, totals, picks, hasMenu }: TotalsRowProps) {
  const translate = useTranslate();
  const sumOf = (it: Column | undefined) => {
    const sum = it && totals[it.name];
    return sum === undefined ? '' : totalOf(it as Column, sum);
  };
  if (!columns.some((it) => sumOf(it) !== '' || sumOf(it.below) !== '')) return null;
  return (
    <tfoot>
      <tr>
        {picks && <td className="pick" />}
        {columns.map((it, i) =>
          i === 0 ? (
            <th key={it.name} scope="row" className="first">
              {translate('lists.totals')}
            </th>
          ) : (
            <td key={it.name} className={`${alignOf(it)} ${sumOf(it.below) !== '' ? 'two' : ''}`}>
              {sumOf(it)}
              {sumOf(it.below) !== '' && (
                <div className="below" title={it.below?.label}>
                  {sumOf(it.below)}
                </div>
              )}
            </td>
          ),
        )}
        <RowEnd hasMenu={hasMenu} />
      </tr>
    </tfoot>
  );
}

/**
 * Sums of money stay decimals as they came, one for each currency; a count is read as a number as long as that is
 * exact.
 */
function totalOf(column: Column, sum: Total): string {
  if (typeof sum !== 'string')
    return Object.entries(sum)
      .map(([currency, it]) => textOf(column, it, {}, currency))
      .join(' · ');
  const isExact = kindOf(column) === 'number' && Number.isSafeInteger(Number(sum));
  return textOf(column, isExact ? Number(sum) : sum);
}
