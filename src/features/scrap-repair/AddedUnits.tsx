import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import DeleteOutline from '@mui/icons-material/DeleteOutline';
import { useTranslate } from 'ra-core';
import { Panel } from '#app/parts/Facts.tsx';
import { codeSx } from '#app/theme.ts';
import type { AddedUnit } from './useUnitEntry.ts';

interface Props {
  units: readonly AddedUnit[];
  onRemove: (sn: string) => void;
}

/** The units that will be submitted together. */
export function AddedUnits({ units, onRemove }: Props) {
  const translate = useTranslate();
  const title = translate('bills.scrapRepair.units', { smart_count: units.length });
  return (
    <Panel title={title}>
      {units.length === 0 && <Box sx={{ color: 'text.secondary' }}>{translate('bills.scrapRepair.noneAdded')}</Box>}
      <Box component="ol" aria-label={title} sx={listSx}>
        {units.map(({ productSn, assistSns, codes, rows }) => (
          <li key={productSn}>
            <div>
              <b className="code">{productSn}</b>
              <div className="more">
                {translate('bills.scrapRepair.unitSummary', {
                  codes: codes.map((it) => it.code).join(', '),
                  rows: rows.length,
                })}
              </div>
              {assistSns.map((sn) => (
                <div key={sn} className="more code">
                  + {sn}
                </div>
              ))}
            </div>
            <IconButton
              size="small"
              aria-label={translate('bills.scrapRepair.removeUnit', { sn: productSn })}
              onClick={() => onRemove(productSn)}
            >
              <DeleteOutline fontSize="small" />
            </IconButton>
          </li>
        ))}
      </Box>
    </Panel>
  );
}

const listSx = {
  m: 0,
  p: 0,
  listStyle: 'none',
  fontSize: 13,
  lineHeight: '20px',
  '& li': { display: 'flex', alignItems: 'flex-start', gap: 2, py: 2, borderTop: 1, borderColor: 'divider' },
  '& li:first-of-type': { borderTop: 0, pt: 0 },
  '& li > div': { flex: 1, minWidth: 0, overflowWrap: 'anywhere' },
  '& .more': { fontSize: 12, color: 'text.secondary' },
  '& .code': codeSx,
} as const;
