import { styled } from '@mui/material/styles';
import type { Column, Labels, Row } from '#app/engine/wire.ts';
import { valueStyles } from '#app/engine/TableFrame.tsx';
import { CodeCell } from '#app/fields/Cell.tsx';
import { isEmptyValue, kindOf, textOf } from '#app/fields/format.ts';
import { toneOf } from '#app/fields/tones.ts';

interface FactsProps {
  module: string;
  columns: readonly Column[];
  row: Row;
  labels?: Labels;
}

/** Label over value, four to six in a row. */
export function Facts({ module, columns, row, labels }: FactsProps) {
  return (
    <Grid>
      {columns.map((it) => (
        <div key={it.name} className={it.type === 'LongString' ? 'wide' : undefined}>
          <dt>{it.label}</dt>
          <dd>
            <Value column={it} value={row[it.name]} module={module} labels={labels} />
          </dd>
        </div>
      ))}
    </Grid>
  );
}

function Value({
  column,
  value,
  module,
  labels,
}: Omit<FactsProps, 'columns' | 'row'> & { column: Column; value: unknown }) {
  if (isEmptyValue(value)) return '—';
  const text = textOf(column, value, labels);
  if (kindOf(column) === 'code') return <CodeCell field={column.name} text={text} module={module} />;
  const tone = toneOf(module, column.name, value);
  return tone ? <span className={`chip ${tone}`}>{text}</span> : text;
}

const Grid = styled('dl')(({ theme }) => ({
  margin: 0,
  padding: 16,
  display: 'grid',
  gap: '16px 24px',
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(190px, 44%), 1fr))',
  border: `1px solid ${theme.palette.divider}`,
  borderRadius: 6,
  backgroundColor: theme.palette.background.paper,
  '& .wide': { gridColumn: '1 / -1' },
  '& .wide dd': { whiteSpace: 'pre-wrap' },
  '& dt': { fontSize: 12, lineHeight: '16px', color: theme.palette.text.secondary, marginBottom: 4 },
  '& dd': {
    margin: 0,
    minHeight: 20,
    lineHeight: '20px',
    overflowWrap: 'anywhere',
    fontVariantNumeric: 'tabular-nums',
  },
  ...valueStyles(theme),
}));
