import { lazy, Suspense, useEffect, useMemo, useRef } from 'react';
import { useTranslate } from 'ra-core';
import { Link } from 'react-router-dom';
import Box from '@mui/material/Box';
import MuiLink from '@mui/material/Link';
import type { Column, Row } from '#app/engine/wire.ts';
import { EMPTY, isEmptyValue, listed } from '#app/fields/format.ts';
import { cellOf } from '#app/parts/cells.tsx';
import { EmptyState } from '#app/parts/EmptyState.tsx';
import { LineTable } from '#app/parts/LineTable.tsx';
import { useDrillAddress } from '#app/parts/listPage.ts';
import { BillLink, SnLink } from '#app/parts/SnLink.tsx';
import { tabularSx } from '#app/theme.ts';
import type { DataOf } from '#domain/call.ts';
import type { Kind } from '#domain/reports.ts';
import type { Drill } from '#domain/wire.ts';
import type { previewCalls } from './contract.ts';

type Preview = DataOf<(typeof previewCalls)[Kind]>;
type PreviewColumn = Preview['columns'][number];

const Chart = lazy(() => import('#app/parts/Chart.tsx'));

/** The first rows of a report, and what it draws of them. Rule: reports#preview. */
export function ReportPreview({ preview }: { preview: Preview }) {
  const translate = useTranslate();
  const section = useRef<HTMLElement>(null);
  // It may be below the inputs' edge on a small screen.
  useEffect(() => void section.current?.scrollIntoView({ block: 'nearest' }), [preview]);
  const { rows, chart, hasMore } = preview;

  return (
    <Box component="section" ref={section} aria-label={translate('reports.preview.title')} sx={{ minWidth: 0 }}>
      {rows.length === 0 ? (
        <EmptyState isSmall text={translate('reports.preview.none')} />
      ) : (
        <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: chart ? sideBySide : 'minmax(0, 1fr)' }}>
          <Box sx={{ minWidth: 0 }}>
            <PreviewTable preview={preview} />
            <Box role="status" sx={{ mt: 2, fontSize: 13, color: 'text.secondary' }}>
              {translate(hasMore ? 'reports.preview.first' : 'reports.preview.all', { smart_count: rows.length })}
            </Box>
          </Box>
          {chart && <Bars preview={preview} chart={chart} />}
        </Box>
      )}
    </Box>
  );
}

const sideBySide = { xs: 'minmax(0, 1fr)', md: 'minmax(0, 2fr) minmax(0, 1fr)' };

function PreviewTable({ preview: { columns, rows, footer } }: { preview: Preview }) {
  const translate = useTranslate();
  const linkOf = useDrillLink();
  const byKey = useMemo(() => new Map(columns.map((it) => [it.key, it])), [columns]);
  const toRow = (cells: readonly unknown[], id: number): Row => ({
    ...Object.fromEntries(columns.map((it, i) => [it.key, cells[i]])),
    id,
  });
  const cell = (column: Column, row: Row) => {
    const value = row[column.name];
    const { kind, module } = byKey.get(column.name) ?? {};
    if (isEmptyValue(value)) return '';
    if (kind === 'sn') return <SnLink sn={String(value)} />;
    if (kind === 'bill') return <BillLink menuNo={`${module}List`} id={String(value)} />;
    return linkOf(String(value), rows[row.id]?.drills[column.name]) ?? cellOf(column, row);
  };
  return (
    <LineTable
      label={translate('reports.preview.title')}
      columns={columns.map(toColumn)}
      rows={rows.map((it, i) => toRow(it.cells, i))}
      // Below the rows, and of none of them.
      footer={footer.map((it, i) => toRow(it, rows.length + i))}
      cell={cell}
    />
  );
}

const types: Partial<Record<string, Column['type']>> = {
  moment: 'dateTime',
  day: 'date',
  integer: 'Number',
  decimal: 'Number',
  percent: 'Number',
};

/** As a table of the product takes it; labels of options are written already. */
function toColumn({ key, label, kind }: PreviewColumn): Column {
  const type = types[kind] ?? 'String';
  return { name: key, label, type, ...(type === 'Number' && { align: 'right' }) };
}

/** A figure leads to its units, for those whose menu has their list. Rule: reports#drill. */
function useDrillLink() {
  const translate = useTranslate();
  const addressOf = useDrillAddress();
  return (text: string, drill: Drill | undefined) => {
    const to = addressOf(drill);
    if (to === undefined) return undefined;
    const what = translate('reports.preview.behind');
    return (
      <MuiLink component={Link} to={to} title={what} aria-label={`${text}: ${what}`} sx={tabularSx}>
        {text}
      </MuiLink>
    );
  };
}

interface BarsProps {
  preview: Preview;
  chart: NonNullable<Preview['chart']>;
}

/** One bar a row, lying, so that its name has room. */
function Bars({ preview, chart }: BarsProps) {
  const translate = useTranslate();
  const { of, by, option } = useMemo(() => barsOf(preview, chart), [preview, chart]);
  const label = translate('reports.preview.chart', { of, by: listed(by) });
  const height = 48 + 24 * preview.rows.length;
  return (
    <Box sx={{ minWidth: 0 }}>
      <Box component="h3" sx={{ m: 0, mb: 2, fontSize: 13, fontWeight: 600 }}>
        {label}
      </Box>
      <Suspense fallback={<Box sx={{ height }} />}>
        <Chart label={label} option={option} height={height} />
      </Suspense>
    </Box>
  );
}

function barsOf({ columns, rows }: Preview, chart: BarsProps['chart']) {
  const placeOf = (key: string) => columns.findIndex((it) => it.key === key);
  const labelAt = (place: number) => columns[place]?.label ?? '';
  const of = placeOf(chart.of);
  const by = tellingApart(chart.by.map(placeOf), rows);
  const option = {
    grid: { left: 8, right: 16, top: 8, bottom: 4 },
    tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' }, confine: true },
    yAxis: {
      type: 'category',
      inverse: true,
      data: rows.map(({ cells }) => by.map((it) => cells[it] ?? EMPTY).join(' ')),
      axisLabel: { width: 150, overflow: 'truncate' },
    },
    xAxis: { type: 'value' },
    series: [{ type: 'bar', name: labelAt(of), barMaxWidth: 16, data: rows.map(({ cells }) => cells[of]) }],
  };
  return { of: labelAt(of), by: by.map(labelAt), option };
}

/** What all rows have in common tells none of them apart. */
function tellingApart(by: readonly number[], rows: Preview['rows']): readonly number[] {
  const telling = by.filter((it) => rows.some(({ cells }) => cells[it] !== rows[0]?.cells[it]));
  return telling.length > 0 ? telling : by.slice(-1);
}
