import { useMemo, useState, type ReactNode } from 'react';
import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { styled } from '@mui/material/styles';
import { useTranslate } from 'ra-core';
import { FeatureDialog } from '#app/engine/ActionDialog.tsx';
import { nothingElse } from '#app/engine/RowActions.tsx';
import { useAction } from '#app/engine/useAction.ts';
import type { Column, Labels, LinesView, Row } from '#app/engine/wire.ts';
import { Cell } from '#app/fields/Cell.tsx';
import { kindOf } from '#app/fields/format.ts';
import { useLabelOf } from '#app/parts/optionLabels.ts';
import { LinesFrame } from '#app/parts/LinesFrame.tsx';
import { SideScroll } from '#app/parts/SideScroll.tsx';
import { TablePages } from '#app/parts/TablePages.tsx';
import { useToolbar } from '#app/shell/pageNames.ts';
import { tabularSx } from '#app/theme.ts';
import type { OtherCorrection } from '#domain/corrections.ts';
import { moneyText } from '#domain/money.ts';
import { findOddities, type Oddity } from './rules.ts';

interface Props {
  module: string;
  view: LinesView;
  rows: readonly Row[];
  /** Of the bill; a line's own goes before it. */
  currency: string | null;
  /** What every line says of the bill, and what the marks say already. */
  leavesOut: readonly string[];
  /** Of a correction: what else corrects its lines. */
  others: readonly OtherCorrection[];
}

const PAGE = 50;

/** The lines that are judged: which each is, then what it costs; what is unusual marked and in front. Rule: money#unusual-lines. */
export function ReviewLines({ module, view, rows, currency, leavesOut, others }: Props) {
  const translate = useTranslate();
  const [page, setPage] = useState(0);
  const [onlyOdd, setOnlyOdd] = useState(false);
  const lines = useMemo(() => {
    const odd = findOddities(rows, others);
    const all = rows.map((row, i) => ({ row, odd: odd[i] ?? [] }));
    return [...all.filter((it) => it.odd.length > 0), ...all.filter((it) => it.odd.length === 0)];
  }, [rows, others]);
  const oddCount = lines.filter((it) => it.odd.length > 0).length;
  const shown = onlyOdd ? lines.slice(0, oddCount) : lines;
  const cells = pairsOf(inOrder(view.columns.filter((it) => !leavesOut.includes(it.name))));
  const lastPrice = cells.findLastIndex(({ first }) => isMoney(first));
  const whole = cells.find(({ first }) => isMoney(first))?.first;
  const currencyOf = (row: Row) => (typeof row['currency'] === 'string' ? row['currency'] : currency);
  return (
    <Frame aria-label={view.label}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 4, px: 3, minHeight: 44 }}>
        <Box component="h2" sx={{ m: 0, fontSize: 14, fontWeight: 600 }}>
          {view.label} <span className="count">{rows.length}</span>
        </Box>
        <Box role="status" className={oddCount > 0 ? 'oddities' : 'count'}>
          {oddCount > 0
            ? translate('bills.review.odd', { smart_count: oddCount })
            : translate(rows.length === 0 ? 'bills.review.noLines' : 'bills.review.even')}
        </Box>
        {oddCount > 0 && oddCount < rows.length && (
          <FormControlLabel
            control={
              <Switch
                size="small"
                checked={onlyOdd}
                onChange={(_, to) => {
                  setOnlyOdd(to);
                  setPage(0);
                }}
              />
            }
            label={translate('bills.review.onlyOdd')}
            slotProps={{ typography: { sx: { fontSize: 13 } } }}
            sx={{ ml: 'auto', mr: 0 }}
          />
        )}
      </Box>
      {rows.length > 0 && (
        <SideScroll
          tabIndex={0}
          role="group"
          aria-label={view.label}
          sx={{ maxHeight: 'max(360px, calc(100dvh - 360px))' }}
        >
          <Table size="small" stickyHeader aria-label={view.label}>
            <TableHead>
              <TableRow>
                {cells.map(({ first, second }, i) => [
                  <TableCell key={first.name} align={first.align}>
                    {first.label}
                    {second && <small>{second.label}</small>}
                  </TableCell>,
                  i === lastPrice && oddCount > 0 && (
                    <TableCell key="odd">{translate('bills.review.oddity')}</TableCell>
                  ),
                ])}
              </TableRow>
            </TableHead>
            <TableBody>
              {shown.slice(page * PAGE, (page + 1) * PAGE).map(({ row, odd }) => (
                <TableRow key={row.id} className={odd.length > 0 ? 'odd' : undefined}>
                  {cells.map(({ first, second }, i) => [
                    <TableCell
                      key={first.name}
                      align={first.align}
                      sx={first === whole ? { fontWeight: 600 } : undefined}
                    >
                      {[first, second].map(
                        (it) =>
                          it && (
                            <Value
                              key={it.name}
                              {...{ column: it, row, module }}
                              labels={view.labels}
                              of={currencyOf}
                            />
                          ),
                      )}
                    </TableCell>,
                    i === lastPrice && oddCount > 0 && (
                      <TableCell key="odd">
                        <Reasons odd={odd} currency={currencyOf(row)} />
                      </TableCell>
                    ),
                  ])}
                </TableRow>
              ))}
            </TableBody>
          </Table>
        </SideScroll>
      )}
      {shown.length > PAGE && <TablePages count={shown.length} page={page} rowsPerPage={PAGE} onPage={setPage} />}
    </Frame>
  );
}

interface ValueProps {
  column: Column;
  row: Row;
  module: string;
  labels: Labels | undefined;
  of: (row: Row) => string | null;
}

function Value({ column, row, module, labels, of }: ValueProps) {
  const value: ReactNode = isMoney(column) ? (
    <Box component="span" sx={tabularSx}>
      {moneyText(row[column.name], of(row))}
    </Box>
  ) : (
    <Cell column={column} value={row[column.name]} labels={labels} />
  );
  return <div>{column.name === WHY ? <Why menuNo={`${module}List`} row={row} value={value} /> : value}</div>;
}

/** The field that says why a line costs what it does. Rule: money#why-a-price. */
const WHY = 'priceReason';

/** Who may ask about prices opens the whole answer. */
function Why({ menuNo, row, value }: { menuNo: string; row: Row; value: ReactNode }) {
  const button = (useToolbar(menuNo).data ?? []).find((it) => it.btnNo === 'whyPrice');
  const { act, dialog, closeDialog } = useAction(menuNo);
  if (!button) return value;
  return (
    <>
      <AskButton type="button" onClick={() => act(button, [row])}>
        {value}
      </AskButton>
      {dialog && (
        <FeatureDialog
          menuNo={menuNo}
          open={dialog}
          matching={nothingElse}
          onDone={closeDialog}
          onClose={closeDialog}
        />
      )}
    </>
  );
}

const AskButton = styled('button')(({ theme }) => ({
  font: 'inherit',
  padding: 0,
  border: 0,
  background: 'none',
  cursor: 'pointer',
  color: theme.palette.primary.main,
  '&:hover': { textDecoration: 'underline' },
}));

/** Two things that belong together stand in one cell: which it is, and in small what it is of. */
const under: Readonly<Record<string, string>> = {
  sn: 'mtbId',
  salesName: 'salesCode',
  repairProject: 'repairType',
  businessType: 'warranty',
  feeType: 'orgDepart',
  correspondsWorkOrder: 'btmMtbId',
  totalPrice: 'unitPrice',
  excludingTaxAmount: 'taxAmount',
  quantity: 'taxRate',
  repairTime: 'deliverTime',
  deliverShipNo: 'logisticsProviders',
  productName: 'chargeItems',
  settledFor: 'chargeItems',
  count: 'weight',
};

interface Pair {
  first: Column;
  second: Column | undefined;
}

function pairsOf(columns: readonly Column[]): Pair[] {
  const has = (name: string | undefined) => columns.find((it) => it.name === name);
  const seconds = columns.flatMap((it) => has(under[it.name])?.name ?? []);
  return columns.filter((it) => !seconds.includes(it.name)).map((first) => ({ first, second: has(under[first.name]) }));
}

const isMoney = (column: Column): boolean => kindOf(column) === 'money';

/** Which line it is, what it comes to, then what that is made of; all else behind. */
const identity = [
  'sn',
  'mtbId',
  'deliverShipNo',
  'logisticsProviders',
  'settledFor',
  'salesName',
  'salesCode',
  'modelAbbreviation',
];
const sums = ['includingTaxAmount', 'amount', 'totalPrice', 'unitPrice', 'excludingTaxAmount', 'taxAmount'];
const order = [...identity, ...sums];

const inOrder = (columns: readonly Column[]): Column[] => {
  const rank = ({ name }: Column) => (order.includes(name) ? order.indexOf(name) : order.length);
  return columns.toSorted((a, b) => rank(a) - rank(b));
};

/** Why the line asks for a second look, in words. */
function Reasons({ odd, currency }: { odd: readonly Oddity[]; currency: string | null }) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  return (
    <Marks>
      {odd.map((it) => {
        const usual = it.why === 'differs' ? moneyText(it.usual, currency) : '';
        const before = it.why === 'repriced' ? moneyText(it.before, currency) : '';
        const others = it.why === 'correctedElse' ? it.others : [];
        return (
          <span key={it.why}>
            <span className={`chip ${it.why === 'secondRepair' ? 'closed' : 'waits'}`}>
              {translate(`bills.review.why.${it.why}`, { usual, before })}
            </span>
            {others.map(({ crbId: id, amount, billStatus }) => (
              <small key={id}>
                {translate('bills.corrections.other', {
                  ...{ id, amount: moneyText(amount, currency), status: labelOf('correctionStatus', billStatus) },
                })}
              </small>
            ))}
          </span>
        );
      })}
    </Marks>
  );
}

const Marks = styled('span')({ display: 'flex', flexWrap: 'wrap', gap: 4, padding: '4px 0' });

const Frame = styled(LinesFrame)(({ theme }) => ({
  '& .oddities': { color: theme.palette.warning.main, fontWeight: 600, fontSize: 13 },
  '& tbody tr': { height: 44 },
  '& td > div + div, & th small': {
    display: 'block',
    fontSize: 11,
    lineHeight: '14px',
    fontWeight: 400,
    color: theme.palette.text.secondary,
  },
  '& td > div': { lineHeight: '18px' },
  '& th:first-of-type': { zIndex: 3 },
  '& tr.odd td:first-of-type': { boxShadow: `inset 3px 0 ${theme.palette.warning.main}` },
}));
