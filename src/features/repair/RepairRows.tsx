import IconButton from '@mui/material/IconButton';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import DeleteOutline from '@mui/icons-material/DeleteOutline';
import { useTranslate } from 'ra-core';
import { codeSx } from '#app/theme.ts';
import type { RepairRow } from './RepairRecordForm.tsx';

interface Props {
  rows: readonly RepairRow[];
  onChange: (rows: readonly RepairRow[]) => void;
}

const columns = ['partsType', 'repairMethod', 'codes', 'slot', 'spendItemCount', 'replaceSn'] as const;

/** The rows of this repair, as they will be submitted. */
export function RepairRows({ rows, onChange }: Props) {
  const translate = useTranslate();
  if (rows.length === 0) return null;
  return (
    <TableContainer
      sx={{ maxHeight: 500, border: 1, borderColor: 'divider', borderRadius: 1, bgcolor: 'background.paper' }}
    >
      <Table size="small" stickyHeader aria-label={translate('stations.repair.rows')}>
        <TableHead>
          <TableRow>
            {columns.map((it) => (
              <TableCell key={it}>{translate(`stations.repair.${it}`)}</TableCell>
            ))}
            <TableCell sx={{ width: 44, p: 0 }} />
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map((row, i) => (
            <TableRow key={`${i}-${row.partsType}-${row.slot}`} sx={{ height: 36 }}>
              <TableCell>{row.partsTypeName}</TableCell>
              <TableCell>{row.repairMethodName}</TableCell>
              <TableCell sx={codeSx}>{row.codes.map((it) => it.code).join(', ')}</TableCell>
              <TableCell sx={codeSx}>{row.slot}</TableCell>
              <TableCell align="right">{row.spendItemCount}</TableCell>
              <TableCell sx={codeSx}>{row.replaceSn}</TableCell>
              <TableCell sx={{ p: 0 }}>
                <IconButton
                  size="small"
                  aria-label={translate('stations.repair.removeRow', { number: i + 1 })}
                  onClick={() => onChange(rows.filter((_, at) => at !== i))}
                >
                  <DeleteOutline fontSize="small" />
                </IconButton>
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}
