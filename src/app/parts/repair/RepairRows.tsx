import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import DeleteOutline from '@mui/icons-material/DeleteOutline';
import { useTranslate } from 'ra-core';
import { listed } from '#app/fields/format.ts';
import { Panel } from '#app/parts/Facts.tsx';
import { codeSx } from '#app/theme.ts';
import type { RepairRow } from './RepairRecordForm.tsx';

interface Props {
  rows: readonly RepairRow[];
  onChange: (rows: readonly RepairRow[]) => void;
}

/** The records of this repair, as they will be submitted; beside the form, so that both are in sight. */
export function RepairRows({ rows, onChange }: Props) {
  const translate = useTranslate();
  const name = translate('stations.repair.rows');
  return (
    <Panel isDense title={rows.length === 0 ? name : `${name} (${rows.length})`}>
      {rows.length === 0 && (
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{translate('stations.repair.noRows')}</Box>
      )}
      <Box component="ol" aria-label={name} sx={listSx}>
        {rows.map((row, i) => (
          <li key={`${i}-${row.partsType}-${row.slot}`}>
            <div>
              <b>
                {row.partsTypeName} · {row.repairMethodName}
              </b>
              {row.slot !== '' && <span className="code"> {row.slot}</span>}
              {row.spendItemCount !== null && ` × ${row.spendItemCount}`}
              <div className="more">
                <span className="code">{listed(row.codes.map((it) => it.code))}</span>
                {row.replaceSn !== '' && <span className="code"> → {row.replaceSn}</span>}
              </div>
            </div>
            <IconButton
              size="small"
              aria-label={translate('stations.repair.removeRow', { number: i + 1 })}
              onClick={() => onChange(rows.filter((_, at) => at !== i))}
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
  // Three are in sight on a small screen.
  maxHeight: 144,
  overflowY: 'auto',
  fontSize: 13,
  lineHeight: '20px',
  '& li': { display: 'flex', alignItems: 'center', gap: 2, py: '2px', borderTop: 1, borderColor: 'divider' },
  '& li > div': { flex: 1, minWidth: 0, overflowWrap: 'anywhere' },
  '& .more': { fontSize: 12, color: 'text.secondary' },
  '& .code': codeSx,
} as const;
