import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { Link } from 'react-router-dom';
import { useTranslate } from 'ra-core';
import { RowTable, type Under } from '#app/engine/RowTable.tsx';
import type { Detail, LinesView, Row } from '#app/engine/wire.ts';
import { EmptyState } from '#app/parts/EmptyState.tsx';
import { useDrillAddress } from '#app/parts/listPage.ts';
import { useDensity } from '#app/shell/appearance.ts';
import { densities } from '#app/theme.ts';
import { is } from '#domain/drill.ts';

/** A list of a record's lines; where another list's rows stand under its own, that one as well. */
interface LineList {
  /** As the answer names it: `rmaCheckBillLineList`. */
  name: string;
  view: LinesView;
  rows: readonly Row[];
  under?: LineList & { by: string };
}

/** The lists of a record that stand by themselves: of one whose rows stand under another's, what found no place there. */
export function listsOf(data: Detail): LineList[] {
  const all = Object.entries(data.view.lines ?? {}).map(([name, view]) => ({ name, view, rows: rowsOf(data, name) }));
  return all.flatMap((it) => {
    const { under } = it.view;
    if (under) {
      const rows = it.rows.filter((row) => !rowsOf(data, under.name).some((above) => isUnder(under.by, above, row)));
      return rows.length > 0 ? [{ ...it, rows }] : [];
    }
    const inner = all.find((other) => other.view.under?.name === it.name);
    return [inner?.view.under ? { ...it, under: { ...inner, by: inner.view.under.by } } : it];
  });
}

const rowsOf = (data: Detail, name: string) => (Array.isArray(data[name]) ? (data[name] as Row[]) : []);
const isUnder = (by: string, above: Row, row: Row) => row[by] != null && row[by] === above[by];

/** The lines of a bill. */
export function Lines({ list, maxHeight }: { list: LineList; maxHeight: number }) {
  const translate = useTranslate();
  const { density } = useDensity();
  const { name, view, rows, under } = list;
  const module = name.replace(/List$/, '');
  const table = (
    <RowTable
      columns={view.columns}
      rows={rows}
      labels={view.labels}
      label={view.label}
      maxHeight={maxHeight}
      rowHeight={densities[density]}
      showsImages
      under={under && openingOf(under, maxHeight)}
      instead={rows.length === 0 ? <EmptyState isSmall text={translate('shell.detail.noLines')} /> : undefined}
    />
  );
  if (view.total === undefined) return table;
  return (
    <>
      <FirstLines module={module} view={view} rows={rows} />
      {table}
    </>
  );
}

/** Of a long bill the first lines came: says so, and leads to all of them. Rule: lists#long-bills. */
export function FirstLines({ module, view, rows }: { module: string; view: LinesView; rows: readonly Row[] }) {
  const translate = useTranslate();
  const addressOf = useDrillAddress();
  const { total, by = '' } = view;
  if (total === undefined) return null;
  const to = addressOf({ module, rules: [is(by, rows[0]?.[by])] });
  return (
    <Alert
      severity="info"
      sx={{ mb: 2 }}
      action={
        to && (
          <Button component={Link} to={to} size="small" color="inherit">
            {translate('shell.detail.allLines')}
          </Button>
        )
      }
    >
      {translate('shell.detail.firstLines', { shown: rows.length, total })}
    </Alert>
  );
}

/** The rows of the inner list by those that they stand under; the field that says so would repeat itself there. */
function openingOf(inner: LineList & { by: string }, maxHeight: number): Under {
  const byValue = new Map<unknown, Row[]>();
  for (const row of inner.rows) {
    const beside = byValue.get(row[inner.by]);
    if (beside) beside.push(row);
    else byValue.set(row[inner.by], [row]);
  }
  const view = { ...inner.view, columns: inner.view.columns.filter((it) => it.name !== inner.by) };
  return {
    label: view.label,
    has: (row) => row[inner.by] != null && byValue.has(row[inner.by]),
    draw: (row) => (
      <Lines list={{ name: inner.name, view, rows: byValue.get(row[inner.by]) ?? [] }} maxHeight={maxHeight} />
    ),
  };
}
