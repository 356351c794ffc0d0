import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { useTranslate } from 'ra-core';
import { Panel } from '#app/parts/Facts.tsx';
import type { ListState } from '#app/parts/scan/stationContract.ts';
import { codeSx, tabularSx } from '#app/theme.ts';

interface Unit {
  code: string;
  name: string;
}

interface Props {
  title: string;
  rows: readonly Unit[];
  /** What the list says of itself: of one that is unread nobody knows what is on it. */
  list: ListState;
}

/** How many of each model are on the list. */
export function PerModel({ title, rows, list }: Props) {
  const translate = useTranslate();
  const models = new Map<string, { name: string; count: number }>();
  for (const { code, name } of rows) models.set(code, { name, count: (models.get(code)?.count ?? 0) + 1 });
  return (
    <Panel title={title}>
      {models.size === 0 && (
        <Box sx={{ color: 'text.secondary' }}>
          {list === 'unread' ? <Skeleton width="60%" /> : translate('stations.nothingScanned')}
        </Box>
      )}
      {[...models].map(([code, { name, count }]) => (
        <Box key={code} sx={{ display: 'flex', gap: 2, py: 1.5, borderTop: 1, borderColor: 'divider' }}>
          <Box sx={{ flex: 1, minWidth: 0 }}>
            <Box sx={codeSx}>{code}</Box>
            <Box sx={{ fontSize: 12, color: 'text.secondary' }}>{name}</Box>
          </Box>
          <Box sx={{ ...tabularSx, fontSize: 20, fontWeight: 600 }}>{count}</Box>
        </Box>
      ))}
    </Panel>
  );
}
