import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import { RowTable } from '#app/engine/RowTable.tsx';
import type { LinesView, Row } from '#app/engine/wire.ts';
import { useDensity } from '#app/shell/appearance.ts';
import { densities } from '#app/theme.ts';

interface LinesProps {
  /** As the answer names it: `rmaCheckBillLineList`. */
  name: string;
  view: LinesView;
  rows: unknown;
  maxHeight: number;
}

/** The lines of a bill. */
export function Lines({ name, view, rows, maxHeight }: LinesProps) {
  const translate = useTranslate();
  const { density } = useDensity();
  const lines = Array.isArray(rows) ? (rows as Row[]) : [];
  return (
    <RowTable
      module={name.replace(/List$/, '')}
      columns={view.columns}
      rows={lines}
      labels={view.labels}
      label={view.label}
      maxHeight={maxHeight}
      rowHeight={densities[density]}
      showsImages
      instead={
        lines.length === 0 ? (
          <Box role="status" sx={{ py: 6, textAlign: 'center', color: 'text.secondary' }}>
            {translate('shell.detail.noLines')}
          </Box>
        ) : undefined
      }
    />
  );
}
