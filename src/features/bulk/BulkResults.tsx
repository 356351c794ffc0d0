import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { changedFields } from '#app/engine/changedFields.ts';
import type { Column, Labels } from '#app/engine/wire.ts';
import { SideScroll } from '#app/parts/SideScroll.tsx';
import { codeSx } from '#app/theme.ts';
import type { Verdict } from '#domain/bulk.ts';
import { moneyText } from '#domain/money.ts';
import type { BulkAnswer } from './bulkAnswers.tsx';

/** So many rows are drawn; the counts above speak for all. */
const SHOWN = 500;

const amountText = ({ amount }: Verdict) => (amount ? moneyText(amount.value, amount.currency) : '');

const withOrWithout = (ids: ReadonlySet<number>, id: number, isIn: boolean): ReadonlySet<number> =>
  new Set(isIn ? [...ids, id] : [...ids].filter((it) => it !== id));

const colorOf = (it: Verdict) => (it.done ? 'success.main' : it.unchanged ? 'text.secondary' : 'error.main');

interface Props {
  results: readonly Verdict[];
  /**
   * What was shown before it was done: a name, an amount or a field that has changed since is set beside it, one that has gone keeps
   * its name.
   */
  preview?: BulkAnswer;
  /** What the values of rows are called. */
  labels?: Labels;
  /** Nothing was done yet: the verdicts say what would be, and rows can be left out of it. */
  leftOut?: ReadonlySet<number>;
  onLeaveOut?: (ids: ReadonlySet<number>) => void;
}

/** What came of each row, the refused ones first. */
export function BulkResults({ results, preview, labels = {}, leftOut, onLeaveOut }: Props) {
  const translate = useTranslate();
  const rank = (it: Verdict) => (it.done ? 1 : it.unchanged ? 2 : 0);
  const sorted = results.toSorted((a, b) => rank(a) - rank(b));
  const before = new Map(preview?.results.map((it) => [it.id, it]));
  const hasAmounts = results.some((it) => it.amount !== null);
  const sinceThen = (it: Verdict, textOf: (it: Verdict) => string) => {
    const then = before.get(it.id);
    const isSame = !then || textOf(then) === textOf(it);
    return isSame ? textOf(it) : it.version === null ? textOf(then) : `${textOf(then)} → ${textOf(it)}`;
  };
  const nameOf = (it: Verdict) => sinceThen(it, ({ name }) => name);
  const done = translate(leftOut ? 'shell.bulk.wouldBeDone' : 'shell.bulk.isDone');
  return (
    <Box>
      <SideScroll sx={{ maxHeight: 320, border: 1, borderColor: 'divider', borderRadius: 1 }}>
        <Table size="small" stickyHeader aria-label={translate('shell.bulk.results')}>
          <TableHead>
            <TableRow>
              <TableCell>{translate('shell.bulk.row')}</TableCell>
              {hasAmounts && <TableCell align="right">{translate('shell.bulk.amount')}</TableCell>}
              <TableCell>{translate('shell.bulk.verdict')}</TableCell>
              <TableCell>{translate('shell.bulk.message')}</TableCell>
            </TableRow>
          </TableHead>
          <TableBody sx={{ '& td': { height: 36, ...(!leftOut && { verticalAlign: 'top', py: 2 }) } }}>
            {sorted.slice(0, SHOWN).map((it) => (
              <TableRow key={it.id}>
                <TableCell sx={{ ...codeSx, whiteSpace: 'nowrap' }}>
                  {leftOut && it.done ? (
                    <FormControlLabel
                      label={it.name}
                      control={
                        <Checkbox
                          size="small"
                          checked={!leftOut.has(it.id)}
                          onChange={(event) => onLeaveOut?.(withOrWithout(leftOut, it.id, !event.target.checked))}
                        />
                      }
                      slotProps={{ typography: { sx: codeSx } }}
                    />
                  ) : (
                    nameOf(it)
                  )}
                </TableCell>
                {hasAmounts && (
                  <TableCell align="right" sx={{ whiteSpace: 'nowrap' }}>
                    {sinceThen(it, amountText)}
                  </TableCell>
                )}
                <TableCell sx={{ color: colorOf(it), whiteSpace: 'nowrap' }}>
                  {it.done ? done : translate(it.unchanged ? 'shell.bulk.isUnchanged' : 'shell.bulk.isRefused')}
                </TableCell>
                <TableCell>
                  {it.msg || it.notes?.map((note) => <div key={note}>{note}</div>)}
                  {preview && it.row && !it.done && (
                    <ChangedRow
                      fields={preview.fields ?? []}
                      then={{ row: before.get(it.id)?.row ?? {}, labels }}
                      now={{ row: it.row, labels }}
                    />
                  )}
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </SideScroll>
      {sorted.length > SHOWN && (
        <Box sx={{ mt: 1, fontSize: 13, color: 'text.secondary' }}>
          {translate('shell.bulk.more', { count: sorted.length - SHOWN })}
        </Box>
      )}
    </Box>
  );
}

/** Of a row so many fields are told, and of a value so many characters. */
const FIELDS_SHOWN = 5;
const TEXT_SHOWN = 60;
/** Of what stands alike before that, so many characters. */
const ALIKE_SHOWN = 20;

/** Two texts, of long ones no more than is to be told: from where they begin to differ. */
function cut(was: string, is: string): [string, string] {
  const [before, after] = [[...was], [...is]];
  const differs = before.findIndex((it, i) => it !== after[i]);
  const alike = differs === -1 ? before.length : differs;
  const isLong = Math.max(before.length, after.length) > TEXT_SHOWN;
  const from = isLong && alike > ALIKE_SHOWN * 2 ? alike - ALIKE_SHOWN : 0;
  const part = (text: readonly string[]) =>
    `${from > 0 ? '…' : ''}${text.slice(from, from + TEXT_SHOWN).join('')}${text.length > from + TEXT_SHOWN ? '…' : ''}`;
  return [part(before), part(after)];
}

type Told = Parameters<typeof changedFields>[1];

/** What a row was when it was previewed, and what it is now. */
function ChangedRow({ fields, then, now }: { fields: readonly Column[]; then: Told; now: Told }) {
  const translate = useTranslate();
  const changed = changedFields(fields, then, now, translate);
  const more = changed.length - FIELDS_SHOWN;
  if (changed.length === 0) return <div>{translate('shell.seen.elsewhere')}</div>;
  return (
    <>
      {changed.slice(0, FIELDS_SHOWN).map((it) => {
        const [was, is] = cut(it.was, it.is);
        return (
          <Box key={it.name} sx={{ overflowWrap: 'anywhere' }}>
            {translate('shell.bulk.changed', { field: it.label, was, is })}
          </Box>
        );
      })}
      {more > 0 && <div>{translate('shell.bulk.moreChanged', { smart_count: more, count: more })}</div>}
    </>
  );
}
