// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ShownColumn } from '#app/engine/list/columns.ts';
import { TotalsRow } from '#app/engine/list/TotalsRow.tsx';
import type { Column } from '#app/engine/wire.ts';
import type { Total } from '#domain/money.ts';

const columns: Column[] = [
  { name: 'no', label: 'Bill', type: 'String' },
  { name: 'count', label: 'Count', type: 'Integer', align: 'right' },
  { name: 'amount', label: 'Amount', type: 'BigDecimal', align: 'right' },
];
const cells = (totals: Record<string, Total>) => {
  const { unmount } = render(
    <table>
      <TotalsRow columns={columns} totals={totals} picks={false} hasMenu={false} />
    </table>,
  );
  const texts = screen.getAllByRole('cell').map((it) => it.textContent);
  unmount();
  return texts;
};

it('shows a sum for each currency with its own sign, and never one of both', () => {
  const amount = { CNY: '1200.000000', USD: '30.000000' };
  expect(cells({ count: '1200', amount })).toEqual(['1,200', '¥1,200.00 · $30.00']);
  expect(cells({ count: '0', amount: {} })).toEqual(['0', '']);
  expect(cells({ amount: { GBP: '9007199254740993.5' } })).toEqual(['', 'GBP 9,007,199,254,740,993.50']);
  expect(cells({ amount: '5' })).toEqual(['', '$5.00']);
});

it('has the sum of what stands in small under a column there as well, and is no line where nothing of it is shown', () => {
  const show = (amount: Record<string, string>, below: boolean) => {
    const shown: ShownColumn[] = [
      columns[0] as Column,
      { ...(columns[1] as Column), ...(below && { below: columns[2] }) },
    ];
    const { container, unmount } = render(
      <table>
        <TotalsRow columns={shown} totals={{ amount }} picks={false} hasMenu={false} />
      </table>,
    );
    const text = container.querySelector('tfoot')?.textContent;
    unmount();
    return text;
  };
  expect(show({ USD: '30.000000' }, true)).toContain('$30.00');
  expect(show({ USD: '30.000000' }, false)).toBeUndefined();
});
