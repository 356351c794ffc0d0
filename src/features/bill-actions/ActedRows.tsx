import Box from '@mui/material/Box';
import { useTranslate } from 'ra-core';
import type { Row } from '#app/engine/wire.ts';
import { codeSx } from '#app/theme.ts';

const MOST = 12;

/** Which items an action is about: they may be selected on several lines, some of them out of sight. */
export function ActedRows({ rows }: { rows: readonly Row[] }) {
  const translate = useTranslate();
  const rest = rows.length - MOST;
  return (
    <Box sx={{ color: 'text.secondary' }}>
      {translate('stations.billAction.rows', { smart_count: rows.length })}
      <Box sx={{ ...codeSx, overflowWrap: 'anywhere' }}>
        {rows.slice(0, MOST).map(nameOfItem).join('  ')}
        {rest > 0 && `  +${rest}`}
      </Box>
    </Box>
  );
}

/** What has not come yet has no SN. */
const nameOfItem = (row: Row): string => String(row['receiveSn'] || row['mtbliId'] || row.id);

/** The items as the calls take them. */
export const itemsOf = (rows: readonly Row[]) =>
  rows.map((it) => ({ id: String(it.id), mtbliId: String(it['mtbliId'] ?? '') }));
