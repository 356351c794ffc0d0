import { useTranslate } from 'ra-core';
import { alignOf } from '#app/engine/list/BodyRow.tsx';
import type { Column } from '#app/engine/wire.ts';
import { kindOf, textOf } from '#app/fields/format.ts';

interface TotalsRowProps {
  columns: readonly Column[];
  totals: Readonly<Record<string, string>>;
  picks: boolean;
  hasMenu: boolean;
}

/** The sums over everything that the filter finds, each under its column. */
export function TotalsRow({ columns, totals, picks, hasMenu }: TotalsRowProps) {
  const translate = useTranslate();
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
            <td key={it.name} className={alignOf(it)}>
              {totals[it.name] !== undefined && totalOf(it, totals[it.name] as string)}
            </td>
          ),
        )}
        {hasMenu && <td className="more" />}
      </tr>
    </tfoot>
  );
}

/** Sums of money stay decimals as they came; a count is read as a number as long as that is exact. */
function totalOf(column: Column, sum: string): string {
  const isExact = kindOf(column) === 'number' && Number.isSafeInteger(Number(sum));
  return textOf(column, isExact ? Number(sum) : sum);
}
