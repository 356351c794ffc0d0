import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { styled } from '@mui/material/styles';
import { fileAddress } from '#app/fileAddress.ts';
import { listed } from '#app/fields/format.ts';
import type { RowsFound } from '#app/parts/importRows.ts';

/** What was found in a workbook: how many rows are fine, what is wrong with the first bad ones, and how it was read. */
export function RowsReport({ found }: { found: RowsFound }) {
  const translate = useTranslate();
  const { rows, bad, problems, notes = [], noted = 0, replaces, ignored, heads, sample, report } = found;
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3 }}>
      <Alert severity={bad > 0 ? 'error' : 'success'} role="status">
        {rows > bad && <div>{translate('shell.upload.good', { smart_count: rows - bad })}</div>}
        {bad > 0 && <div>{translate('shell.upload.bad', { smart_count: bad })}</div>}
        {report && (
          <Link href={fileAddress(report)} target="_blank" rel="noreferrer">
            {translate('shell.upload.report')}
          </Link>
        )}
      </Alert>
      {replaces && <Alert severity="warning">{replaces.msg}</Alert>}
      {ignored.length > 0 && (
        <Alert severity="warning">{translate('shell.upload.ignored', { columns: listed(ignored) })}</Alert>
      )}
      {problems.length > 0 && <Telling rows={problems} count={bad} what={translate('shell.upload.problem')} />}
      {notes.length > 0 && <Telling rows={notes} count={noted} what={translate('shell.upload.note')} />}
      {bad === 0 && (
        <Frame tabIndex={0} role="region" aria-label={translate('shell.upload.sample')}>
          <table>
            <caption>{translate('shell.upload.sample')}</caption>
            <thead>
              <tr>
                <th>{translate('shell.upload.row')}</th>
                {heads.map((it, i) => (
                  <th key={`${i}${it}`} className={ignored.includes(it) ? 'off' : undefined}>
                    {it}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {sample.map((it) => (
                <tr key={it.row}>
                  <td className="number">{it.row}</td>
                  {heads.map((head, i) => (
                    <td key={`${i}${head}`} className={ignored.includes(head) ? 'off' : undefined}>
                      {it.cells[i] ?? ''}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Frame>
      )}
    </Box>
  );
}

/** What is said of rows, the first of so many. */
function Telling({ rows, count, what }: { rows: RowsFound['problems']; count: number; what: string }) {
  const translate = useTranslate();
  return (
    <Frame tabIndex={0} role="region" aria-label={what}>
      <table>
        <thead>
          <tr>
            <th>{translate('shell.upload.row')}</th>
            <th>
              {what}
              {count > rows.length && ` (${translate('shell.upload.first', { count: rows.length })})`}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((it) => (
            <tr key={it.row}>
              <td className="number">{it.row}</td>
              <td>{it.msg}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Frame>
  );
}

const Frame = styled('div')(({ theme }) => ({
  maxHeight: 'min(260px, 30vh)',
  overflow: 'auto',
  // A phone has room for one that scrolls: the dialog.
  '@media (max-width: 767px)': { maxHeight: 'none' },
  border: `1px solid ${theme.palette.divider}`,
  borderRadius: 6,
  '& table': { borderCollapse: 'collapse', width: '100%', fontSize: 13 },
  '& caption': { textAlign: 'left', padding: '6px 12px', fontSize: 12, color: theme.palette.text.secondary },
  '& th, & td': {
    padding: '6px 12px',
    textAlign: 'left',
    borderBottom: `1px solid ${theme.palette.divider}`,
    verticalAlign: 'top',
    whiteSpace: 'nowrap',
  },
  '& td:last-child': { whiteSpace: 'normal' },
  '& th': { position: 'sticky', top: 0, background: theme.palette.background.paper, fontWeight: 600 },
  '& .number': { fontVariantNumeric: 'tabular-nums', textAlign: 'right' },
  '& .off': { color: theme.palette.text.secondary, textDecoration: 'line-through' },
}));
