import { useTranslate } from 'ra-core';
import { styled } from '@mui/material/styles';
import { valueStyles } from '#app/engine/TableFrame.tsx';
import type { Column, LinesView, Row } from '#app/engine/wire.ts';
import { CodeCell } from '#app/fields/Cell.tsx';
import { cellOf } from '#app/parts/cells.tsx';
import { Panel } from '#app/parts/Facts.tsx';
import { LineTable } from '#app/parts/LineTable.tsx';
import { sumMoney } from '#domain/money.ts';

interface Props {
  view: LinesView;
  rows: readonly Row[];
  currency: string | null;
  /** What the bill was settled at, and what its settled corrections come to. */
  settled: string;
  corrected: string;
}

/** What corrects a settled bill, and what is left of it. Rule: money#correction-bills. */
export function Corrections({ view, rows, currency, settled, corrected }: Props) {
  const translate = useTranslate();
  const label = translate('bills.corrections.title');
  const shown = ['crbId', 'includingTaxAmount', 'billStatus', 'recPeriod'];
  const columns = shown.flatMap((name): Column[] => view.columns.filter((it) => it.name === name));
  const sum = (word: string, includingTaxAmount: string) => ({
    ...{ crbId: translate(`bills.corrections.${word}`), includingTaxAmount, currency },
  });
  const footer: Row[] = [
    { id: -1, ...sum('corrected', corrected) },
    { id: -2, ...sum('remains', sumMoney([settled, corrected], 6)) },
  ];
  return (
    <Values>
      <Panel title={label}>
        <LineTable
          label={label}
          columns={columns}
          rows={rows}
          footer={footer}
          cell={(column, row: Row) => {
            if (column.name !== 'crbId') return cellOf(column, row, view.labels);
            const text = String(row['crbId']);
            return row.id > 0 ? <CodeCell field="crbId" text={text} isInRow /> : text;
          }}
        />
      </Panel>
    </Values>
  );
}

/** The links of numbers look as in any list. */
const Values = styled('div')(({ theme }) => ({ minWidth: 0, ...valueStyles(theme) }));
