import { useMemo, useState, type ReactNode } from 'react';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import TextField from '@mui/material/TextField';
import { styled } from '@mui/material/styles';
import { FirstLines } from '#app/engine/Lines.tsx';
import type { LinesView, Row } from '#app/engine/wire.ts';
import { CodeCell } from '#app/fields/Cell.tsx';
import { textOf } from '#app/fields/format.ts';
import { Choice } from '#app/parts/Choice.tsx';
import { LinesFrame } from '#app/parts/LinesFrame.tsx';
import { SideScroll } from '#app/parts/SideScroll.tsx';
import { TablePages } from '#app/parts/TablePages.tsx';
import { toOptions } from '#app/parts/toOptions.ts';
import { useFurtherLines } from '#app/parts/useFurtherLines.ts';
import { tabularSx } from '#app/theme.ts';
import { PriceReason } from '#domain/review.ts';
import { moneyText } from '#domain/money.ts';
import type { Correction } from './rules.ts';

interface Props {
  view: LinesView;
  rows: readonly Row[];
  /** Of the bill; a line's own goes before it. */
  currency: string | null;
  /** How much is corrected so far. */
  summary: string;
  corrected: ReadonlyMap<number, Correction>;
  removed: ReadonlySet<number>;
  onCorrect: (line: Correction) => void;
  onTakeOut: (id: number, isOut: boolean) => void;
}

const MODULE = 'rmaRepairFeeBillLine';
const PAGE = 50;
const chosen = ['repairProject', 'warranty', 'repairType', 'isSecondRepair'] as const;

/** The lines of a rejected bill: what the work was can be said anew, and a line can be taken out. Rule: money#corrections. */
export function CorrectLines({ view, rows, currency, summary, corrected, removed, onCorrect, onTakeOut }: Props) {
  const translate = useTranslate();
  const [page, setPage] = useState(0);
  const [sought, setSought] = useState('');
  const further = useFurtherLines({ module: MODULE, view, rows, field: 'sn', sought, most: PAGE });
  const found = useMemo(() => {
    const text = sought.trim().toUpperCase();
    const has = (value: unknown) => typeof value === 'string' && value.toUpperCase().includes(text);
    if (text === '') return rows;
    return [...rows.filter((it) => [it['sn'], it['mtbId'], it['remark']].some(has)), ...further];
  }, [rows, further, sought]);
  const columnOf = (name: string) => view.columns.find((it) => it.name === name);
  const said = (row: Row, name: string) => {
    const column = columnOf(name);
    return column ? textOf(column, row[name], view.labels, row['currency']) : '';
  };
  const labels = [columnOf('sn')?.label, columnOf('salesName')?.label, ...chosen.map((it) => columnOf(it)?.label)];
  return (
    <Frame aria-label={view.label}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '8px 16px', px: 3, py: 2 }}>
        <Box component="h2" sx={{ m: 0, fontSize: 14, fontWeight: 600 }}>
          {view.label} <span className="count">{view.total ?? rows.length}</span>
        </Box>
        <Box role="status" className="count">
          {summary}
        </Box>
        <TextField
          type="search"
          value={sought}
          placeholder={translate('bills.correct.find')}
          onChange={(it) => {
            setSought(it.target.value);
            setPage(0);
          }}
          slotProps={{ htmlInput: { 'aria-label': translate('bills.correct.find') } }}
          sx={{ ml: { sm: 'auto' }, width: { xs: 1, sm: 240 } }}
        />
      </Box>
      {view.total !== undefined && (
        <Box sx={{ px: 3 }}>
          <FirstLines module={MODULE} view={view} rows={rows} />
        </Box>
      )}
      <SideScroll tabIndex={0} role="group" aria-label={view.label}>
        <Table size="small" aria-label={view.label}>
          <TableHead>
            <TableRow>
              {labels.map((it) => (
                <TableCell key={it}>{it}</TableCell>
              ))}
              <TableCell align="right">{columnOf('includingTaxAmount')?.label}</TableCell>
              <TableCell>{translate('bills.correct.action')}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {found.slice(page * PAGE, (page + 1) * PAGE).map((row) => {
              const isExpense = row['priceReason'] === PriceReason.Expense;
              const isOut = removed.has(row.id);
              const now = corrected.get(row.id) ?? valuesOf(row);
              const name = text(row['sn']) || text(row['remark']);
              return (
                <TableRow key={row.id} className={isOut ? 'out' : corrected.has(row.id) ? 'corrected' : undefined}>
                  <TableCell>
                    <Two first={<CodeCell field="sn" text={name} isInRow />} second={text(row['mtbId'])} />
                  </TableCell>
                  <TableCell>
                    <Two first={text(row['salesName'])} second={text(row['modelAbbreviation'])} />
                  </TableCell>
                  {isExpense ? (
                    <TableCell colSpan={chosen.length}>
                      <Two first={said(row, 'priceReason')} second={said(row, 'feeType')} />
                    </TableCell>
                  ) : (
                    chosen.map((field) => (
                      <TableCell key={field}>
                        <Choice
                          label={`${columnOf(field)?.label ?? field} ${name}`}
                          place="unseen"
                          minWidth={120}
                          required
                          disabled={isOut}
                          value={now[field]}
                          options={toOptions(columnOf(field)?.options)}
                          onChange={(it) => onCorrect({ ...now, [field]: it })}
                        />
                      </TableCell>
                    ))
                  )}
                  <TableCell align="right" sx={tabularSx}>
                    <Two
                      first={moneyText(row['includingTaxAmount'], text(row['currency']) || currency)}
                      second={corrected.has(row.id) ? translate('bills.correct.anew') : said(row, 'priceReason')}
                    />
                  </TableCell>
                  <TableCell>
                    <Button
                      size="small"
                      color={isOut ? 'primary' : 'error'}
                      aria-label={`${translate(isOut ? 'bills.correct.keep' : 'bills.correct.takeOut')} ${name}`}
                      onClick={() => onTakeOut(row.id, !isOut)}
                    >
                      {translate(isOut ? 'bills.correct.keep' : 'bills.correct.takeOut')}
                    </Button>
                  </TableCell>
                </TableRow>
              );
            })}
          </TableBody>
        </Table>
      </SideScroll>
      {found.length > PAGE && <TablePages count={found.length} page={page} rowsPerPage={PAGE} onPage={setPage} />}
    </Frame>
  );
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const valuesOf = (row: Row): Correction => ({
  id: row.id,
  repairProject: text(row['repairProject']),
  warranty: text(row['warranty']),
  repairType: text(row['repairType']),
  isSecondRepair: text(row['isSecondRepair']),
});

const Two = ({ first, second }: { first: ReactNode; second: ReactNode }) => (
  <>
    <div>{first}</div>
    {second && <small>{second}</small>}
  </>
);

const Frame = styled(LinesFrame)(({ theme }) => ({
  '& tr.out td > div, & tr.out td > small': { textDecoration: 'line-through', color: theme.palette.text.secondary },
  '& tr.out td:first-of-type': { boxShadow: `inset 3px 0 ${theme.palette.error.main}` },
}));
