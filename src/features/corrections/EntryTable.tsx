import { useMemo, useState } from 'react';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import TextField from '@mui/material/TextField';
import { styled } from '@mui/material/styles';
import { CodeCell } from '#app/fields/Cell.tsx';
import { Choice } from '#app/parts/Choice.tsx';
import { unseen } from '#app/parts/ChoiceInput.tsx';
import { LinesFrame } from '#app/parts/LinesFrame.tsx';
import { NumberField } from '#app/parts/NumberField.tsx';
import { useLabelOf } from '#app/parts/optionLabels.ts';
import { SideScroll } from '#app/parts/SideScroll.tsx';
import { TablePages } from '#app/parts/TablePages.tsx';
import { tabularSx } from '#app/theme.ts';
import { REMARK_LENGTH } from '#domain/enums.ts';
import { moneyText } from '#domain/money.ts';
import type { Draft, SettledLine } from './rules.ts';

interface Props {
  label: string;
  lines: readonly SettledLine[];
  /** How many the bill has, with those that did not come with it. */
  count: number;
  currency: string | null;
  drafts: ReadonlyMap<number, Draft>;
  /** What is wrong with a line, by its id and what of it. */
  problemOf: (lineId: number, part: 'amount' | 'reason') => string | undefined;
  onChange: (lineId: number, draft: Draft) => void;
  onSought?: (text: string) => void;
}

const PAGE = 50;
const blank: Draft = { kind: 'credit', amount: '', reason: '' };

/** The lines of a settled bill, what is left of each, and what it is corrected by. Rule: money#correction-bills. */
export function EntryTable({ label, lines, count, currency, drafts, problemOf, onChange, onSought }: Props) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  const [page, setPage] = useState(0);
  const [sought, setSought] = useState('');
  const found = useMemo(() => {
    const text = sought.trim().toUpperCase();
    return lines.filter((it) => [it.no, it.what].some((name) => name.toUpperCase().includes(text)));
  }, [lines, sought]);
  const word = (name: string) => translate(`bills.corrections.${name}`);
  const kinds = (['credit', 'debit'] as const).map((value) => ({ value, label: word(value) }));
  return (
    <Frame aria-label={label}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '8px 16px', px: 3, py: 2 }}>
        <Box component="h2" sx={{ m: 0, fontSize: 14, fontWeight: 600 }}>
          {label} <span className="count">{count}</span>
        </Box>
        <TextField
          type="search"
          value={sought}
          placeholder={word('find')}
          onChange={(it) => {
            setSought(it.target.value);
            onSought?.(it.target.value);
            setPage(0);
          }}
          slotProps={{ htmlInput: { 'aria-label': word('find') } }}
          sx={{ ml: { sm: 'auto' }, width: { xs: 1, sm: 240 } }}
        />
      </Box>
      <SideScroll tabIndex={0} role="group" aria-label={label}>
        <Table size="small" aria-label={label}>
          <TableHead>
            <TableRow>
              <TableCell>{label}</TableCell>
              <TableCell align="right">{word('settled')}</TableCell>
              <TableCell align="right">{word('left')}</TableCell>
              <TableCell>{word('kind')}</TableCell>
              <TableCell align="right">{word('amount')}</TableCell>
              <TableCell>{word('reason')}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody>
            {found.slice(page * PAGE, (page + 1) * PAGE).map(({ lineId, no, field, what, settled, left, others }) => {
              const draft = drafts.get(lineId) ?? blank;
              const name = no || what;
              const change = (more: Partial<Draft>) => onChange(lineId, { ...draft, ...more });
              const noReason = problemOf(lineId, 'reason');
              return (
                <TableRow key={lineId} className={draft.amount === '' ? undefined : 'corrected'}>
                  <TableCell>
                    <div>
                      <CodeCell field={field} text={name} isInRow />
                    </div>
                    {no && what && <small>{what}</small>}
                  </TableCell>
                  <TableCell align="right" sx={tabularSx}>
                    {moneyText(settled, currency)}
                  </TableCell>
                  <TableCell align="right" sx={tabularSx}>
                    {moneyText(left, currency)}
                    {others.map((it) => (
                      <small key={it.crbId}>
                        {translate('bills.corrections.other', {
                          ...{ id: it.crbId, amount: moneyText(it.amount, currency) },
                          status: labelOf('correctionStatus', it.billStatus),
                        })}
                      </small>
                    ))}
                  </TableCell>
                  <TableCell>
                    <Choice
                      label={`${word('kind')} ${name}`}
                      place="unseen"
                      minWidth={104}
                      required
                      value={draft.kind}
                      options={kinds}
                      onChange={(it) => change({ kind: it as Draft['kind'] })}
                    />
                  </TableCell>
                  <TableCell align="right">
                    <NumberField
                      label={`${word('amount')} ${name}`}
                      place="unseen"
                      kind="money"
                      width={150}
                      {...(currency && { currency })}
                      value={draft.amount}
                      problem={problemOf(lineId, 'amount')}
                      onChange={(amount) => change({ amount })}
                    />
                  </TableCell>
                  <TableCell>
                    <TextField
                      label={`${word('reason')} ${name}`}
                      value={draft.reason}
                      error={noReason !== undefined}
                      helperText={noReason}
                      onChange={(it) => change({ reason: it.target.value })}
                      slotProps={{
                        input: { sx: { height: 28, fontSize: 13 } },
                        inputLabel: { sx: unseen },
                        htmlInput: { maxLength: REMARK_LENGTH },
                      }}
                      sx={{ width: 260 }}
                    />
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

/** A sentence of what is wrong is as wide as its field. */
const Frame = styled(LinesFrame)({
  '& td p': { whiteSpace: 'normal' },
  '& td': { paddingTop: 4, paddingBottom: 4 },
});
