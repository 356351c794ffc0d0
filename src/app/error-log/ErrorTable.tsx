import { Fragment, useState } from 'react';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import IconButton from '@mui/material/IconButton';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import ExpandMore from '@mui/icons-material/ExpandMore';
import { EMPTY, momentOf } from '#app/fields/format.ts';
import { SideScroll } from '#app/parts/SideScroll.tsx';
import { cutSx, monospace } from '#app/theme.ts';

export interface ShownError {
  id: number;
  type: string;
  code: string;
  message: string;
  url: string;
  time: number;
  count?: number;
  userId?: string;
  userName?: string;
  userAgent?: string;
  requestId?: string;
}

interface ErrorTableProps {
  label: string;
  rows: readonly ShownError[];
  empty: string;
  isNew?: (row: ShownError) => boolean;
  withUser?: boolean;
}

/** Errors, newest first; a row opens to all that is known of it. */
export function ErrorTable({ label, rows, empty, isNew = () => false, withUser = false }: ErrorTableProps) {
  const translate = useTranslate();
  const [open, setOpen] = useState<number | null>(null);
  const head = (key: string) => (
    <TableCell sx={{ whiteSpace: 'nowrap' }}>{translate(`shell.errorLog.${key}`)}</TableCell>
  );
  const width = withUser ? 7 : 6;
  return (
    <SideScroll sx={{ border: 1, borderColor: 'divider', borderRadius: 1, bgcolor: 'background.paper' }}>
      <Table size="small" aria-label={label} sx={{ '& td': { fontSize: 13 }, '& tr > :first-of-type': { width: 44 } }}>
        <TableHead>
          <TableRow>
            <TableCell>
              <Box component="span" sx={{ position: 'absolute', clipPath: 'inset(50%)' }}>
                {translate('shell.errorLog.more')}
              </Box>
            </TableCell>
            {head('type')}
            {head('code')}
            {head('message')}
            {head('url')}
            {withUser && head('user')}
            {head('time')}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.length === 0 && (
            <TableRow>
              <TableCell colSpan={width} sx={{ py: 8, textAlign: 'center', color: 'text.secondary' }}>
                {empty}
              </TableCell>
            </TableRow>
          )}
          {rows.map((it) => (
            <Fragment key={it.id}>
              <ErrorRow
                row={it}
                isNew={isNew(it)}
                withUser={withUser}
                isOpen={open === it.id}
                onToggle={() => setOpen(open === it.id ? null : it.id)}
              />
              {open === it.id && (
                <TableRow>
                  <TableCell colSpan={width} sx={{ bgcolor: 'action.hover' }}>
                    <ErrorText row={it} />
                  </TableCell>
                </TableRow>
              )}
            </Fragment>
          ))}
        </TableBody>
      </Table>
    </SideScroll>
  );
}

interface RowProps {
  row: ShownError;
  isNew: boolean;
  withUser: boolean;
  isOpen: boolean;
  onToggle: () => void;
}

function ErrorRow({ row, isNew, withUser, isOpen, onToggle }: RowProps) {
  const translate = useTranslate();
  return (
    <TableRow hover sx={{ '& > td': { fontWeight: isNew ? 600 : 400 } }}>
      <TableCell sx={{ py: 0 }}>
        <IconButton
          size="small"
          aria-expanded={isOpen}
          aria-label={translate('shell.errorLog.open', { message: firstLine(row.message) })}
          onClick={onToggle}
        >
          <ExpandMore sx={{ fontSize: 18, transform: isOpen ? 'none' : 'rotate(-90deg)' }} />
        </IconButton>
      </TableCell>
      <TableCell>
        <Chip label={row.type} size="small" variant="outlined" color={row.type === 'script' ? 'error' : 'warning'} />
      </TableCell>
      <TableCell sx={{ fontFamily: monospace }}>{row.code}</TableCell>
      <TableCell sx={{ maxWidth: 420, ...cutSx }} title={firstLine(row.message)}>
        {firstLine(row.message)}
        {(row.count ?? 1) > 1 && (
          <Box component="span" sx={{ color: 'text.secondary', ml: 2 }}>
            × {row.count}
          </Box>
        )}
      </TableCell>
      <TableCell sx={{ maxWidth: 260, ...cutSx, color: 'text.secondary' }} title={row.url}>
        {row.url}
      </TableCell>
      {withUser && <TableCell sx={{ whiteSpace: 'nowrap' }}>{row.userName || row.userId || EMPTY}</TableCell>}
      <TableCell sx={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>{momentOf(row.time)}</TableCell>
    </TableRow>
  );
}

/** Everything of one error, to be read and copied. */
function ErrorText({ row }: { row: ShownError }) {
  const facts = [row.url, row.userId, row.requestId, row.userAgent].filter(Boolean);
  return (
    <Box sx={errorTextSx}>
      {row.message}
      <Box sx={{ color: 'text.secondary', mt: 2 }}>{facts.join(' · ')}</Box>
    </Box>
  );
}

/** Read whole also where the table is wider than the screen. */
const errorTextSx = {
  fontFamily: monospace,
  fontSize: 12,
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
  position: 'sticky',
  left: 12,
  maxWidth: 'calc(100vw - 60px)',
} as const;

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';
