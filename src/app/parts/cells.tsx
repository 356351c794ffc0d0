import type { ReactNode } from 'react';
import Box from '@mui/material/Box';
import { splitUrls } from '#domain/images.ts';
import type { Column, Labels, Row } from '#app/engine/wire.ts';
import { kindOf, momentOf, textOf } from '#app/fields/format.ts';
import { Pictures } from '#app/parts/Pictures.tsx';
import { SnLink } from '#app/parts/SnLink.tsx';
import { codeSx, tabularSx } from '#app/theme.ts';
import { holdsSn } from '#domain/sn.ts';

/** One value of a row as its column says it; empty when there is none. */
export function cellOf(column: Column, row: Row, labels: Labels = {}): ReactNode {
  const value = row[column.name];
  if (value === null || value === undefined || value === '') return '';
  const label =
    labels[column.name]?.[String(value)] ?? column.options?.find((it) => it.value === String(value))?.optionName;
  if (label !== undefined) return label;
  if (column.format === 'images') return <CountedPictures urls={splitUrls(String(value))} />;
  if (typeof value === 'number' && (column.type === 'date' || column.type === 'dateTime')) {
    return <Moment at={value} withTime={column.type === 'dateTime'} />;
  }
  if (column.format === 'code' && holdsSn(column.name)) return <SnLink sn={String(value)} />;
  if (column.format === 'code')
    return (
      <Box component="span" sx={codeSx}>
        {String(value)}
      </Box>
    );
  const isAmount = ['money', 'percent'].includes(kindOf(column));
  if (!isAmount && typeof value !== 'number') return String(value);
  return (
    <Box component="span" sx={tabularSx}>
      {isAmount ? textOf(column, value, labels, row['currency']) : String(value)}
    </Box>
  );
}

/** How many pictures there are, and the pictures. Rule: screens#thumbnails. */
function CountedPictures({ urls }: { urls: readonly string[] }) {
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 2 }}>
      <Box component="span" sx={tabularSx}>
        {urls.length}
      </Box>
      <Pictures small urls={urls} />
    </Box>
  );
}

/** A day, or a moment on the workshop's clock: 2026-11-21 09:30. */
export function Moment({ at, withTime = true }: { at: number; withTime?: boolean }) {
  const text = momentOf(at).slice(0, withTime ? 16 : 10);
  return (
    <Box component="time" dateTime={new Date(at).toISOString()} sx={{ ...tabularSx, whiteSpace: 'nowrap' }}>
      {text}
    </Box>
  );
}
