import { useState } from 'react';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableRow from '@mui/material/TableRow';
import { useTranslate } from 'ra-core';
import { listed } from '#app/fields/format.ts';
import { Panel } from '#app/parts/Facts.tsx';
import type { RepairRow } from '#app/parts/repair/RepairRecordForm.tsx';
import { SideScroll } from '#app/parts/SideScroll.tsx';
import { codeSx } from '#app/theme.ts';

interface Props {
  rows: readonly RepairRow[];
  onChange: (rows: readonly RepairRow[]) => void;
}

/** The records of the device, as they will be submitted; those that are chosen can be deleted. */
export function VisitRows({ rows, onChange }: Props) {
  const translate = useTranslate();
  const [selected, setSelected] = useState<readonly RepairRow[]>([]);
  const [problem, setProblem] = useState('');
  const title = translate('stations.repair.rows');
  const toggle = (row: RepairRow) => {
    setProblem('');
    setSelected(selected.includes(row) ? selected.filter((it) => it !== row) : [...selected, row]);
  };
  const remove = () => {
    const kept = rows.filter((it) => !selected.includes(it));
    if (kept.length === rows.length) return setProblem(translate('stations.selectMsg'));
    onChange(kept);
    setSelected([]);
  };
  return (
    <Panel
      isDense
      title={title}
      action={
        <Button size="small" onClick={remove}>
          {translate('bills.onSite.deleteRows')}
        </Button>
      }
    >
      <Box role="alert" sx={{ color: 'error.main', fontSize: 12 }}>
        {problem}
      </Box>
      {rows.length === 0 && (
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{translate('stations.repair.noRows')}</Box>
      )}
      {rows.length > 0 && (
        <SideScroll>
          <Table size="small" aria-label={title}>
            <TableBody>
              {rows.map((row, i) => (
                <TableRow key={i} hover selected={selected.includes(row)}>
                  <TableCell sx={{ width: 44, p: 0 }}>
                    <Checkbox
                      size="small"
                      checked={selected.includes(row)}
                      onChange={() => toggle(row)}
                      slotProps={{ input: { 'aria-label': translate('bills.onSite.row', { number: i + 1 }) } }}
                    />
                  </TableCell>
                  <TableCell sx={codeSx}>{row.sn}</TableCell>
                  <TableCell sx={{ whiteSpace: 'nowrap' }}>
                    {row.partsTypeName} · {row.repairMethodName}
                  </TableCell>
                  <TableCell sx={codeSx}>{row.slot}</TableCell>
                  <TableCell align="right">{row.spendItemCount !== null && `× ${row.spendItemCount}`}</TableCell>
                  <TableCell sx={codeSx}>{listed(row.codes.map((it) => it.code))}</TableCell>
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </SideScroll>
      )}
    </Panel>
  );
}
