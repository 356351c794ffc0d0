import type { ReactNode } from 'react';
import { useTranslate } from 'ra-core';
import { Link } from 'react-router-dom';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import MuiLink from '@mui/material/Link';
import CheckIcon from '@mui/icons-material/Check';
import { groupedCount, listed } from '#app/fields/format.ts';
import { useReasonOf } from '#app/notify.ts';
import { DetailLayout } from '#app/parts/DetailLayout.tsx';
import { LotTable } from '#app/parts/LotTable.tsx';
import { useLabelOf } from '#app/parts/optionLabels.ts';
import type { PageProps } from '#app/parts/page.ts';
import { PageHead } from '#app/parts/PageHead.tsx';
import { Reading } from '#app/parts/Reading.tsx';
import { BillLink } from '#app/parts/SnLink.tsx';
import { useLookup } from '#app/parts/useLookup.ts';
import { useIsPhone } from '#app/shell/appearance.ts';
import { useTabName } from '#app/shell/useTabName.ts';
import { toQuery } from '#domain/viewAddress.ts';
import { lotTree } from './contract.ts';
import {
  accountOf,
  differenceOfLot,
  differenceOfOrder,
  inProcessOf,
  rowsOf,
  type Tree,
  type TreeRow,
} from './rules.ts';

/** Where the dies of a lot came from, what became of them, and where it does not add up. Rule: wafer-bank#tree. */
export default function LotTreePage({ menuNo, id = '' }: PageProps) {
  const reasonOf = useReasonOf();
  const { data, error } = useLookup(lotTree, { id }, { staleTime: 0 });
  const asked = data?.lots.find((it) => it.wipId === data.wipId);
  useTabName(asked && (asked.waferLotId || asked.wipId));
  return (
    <DetailLayout head={<PageHead menuNo={menuNo} isReading={!data && !error} />}>
      {error && <Alert severity="error">{reasonOf(error)}</Alert>}
      {!data && !error && <Reading />}
      {data && (
        <>
          <Verdict tree={data} />
          <TreeTable tree={data} asked={data.wipId} />
        </>
      )}
    </DetailLayout>
  );
}

/** In one sentence where the dies are, or what is missing and where. */
function Verdict({ tree }: { tree: Tree }) {
  const translate = useTranslate();
  const say = (key: string, args?: object) => translate(`bills.tree.${key}`, args);
  const { missing, ...counts } = accountOf(tree);
  const sums = Object.fromEntries(Object.entries(counts).map(([name, it]) => [name, groupedCount(it)]));
  const odd = [
    ...tree.lots.filter((it) => differenceOfLot(it) !== 0).map((it) => it.wipId),
    ...tree.orders.filter((it) => differenceOfOrder(it) !== 0).map((it) => it.workOrderNo),
  ];
  const isOdd = odd.length > 0 || (missing !== null && missing !== 0);
  const sentence =
    missing === null
      ? say('partly', sums)
      : missing === 0
        ? say('accounted', sums)
        : say(missing > 0 ? 'missing' : 'surplus', { ...sums, missing: groupedCount(Math.abs(missing)) });
  return (
    <>
      <Alert severity={isOdd ? 'error' : missing === null ? 'info' : 'success'} role="status">
        {sentence}
        {odd.length > 0 && (
          <div>{say('odd', { smart_count: odd.length, names: listed(odd.slice(0, MOST_NAMES)) })}</div>
        )}
      </Alert>
      {tree.isCut && <Alert severity="warning">{say('cut')}</Alert>}
    </>
  );
}
const MOST_NAMES = 5;

function TreeTable({ tree, asked }: { tree: Tree; asked: string }) {
  const translate = useTranslate();
  const say = (key: string) => translate(`bills.tree.${key}`);
  const isPhone = useIsPhone();
  const columns = isPhone ? ['name', 'balance'] : ['name', 'place', ...COUNTS, 'balance', 'entries'];
  return (
    <LotTable label={say('tree')} heads={columns.map(say)} numbers={isPhone ? [] : NUMBERS} isTall>
      {rowsOf(tree).map((row) =>
        row.kind === 'lot' ? (
          <LotRow key={row.key} row={row} isAsked={row.lot.wipId === asked} />
        ) : (
          <OrderRow key={row.key} row={row} />
        ),
      )}
    </LotTable>
  );
}
const COUNTS = ['come', 'gone', 'loss', 'inProcess', 'stock'] as const;
/** From the third column to the seventh. */
const NUMBERS = COUNTS.map((_, i) => i + 2);

function LotRow({ row: { lot, depth, isAgain }, isAsked }: { row: TreeRow & { kind: 'lot' }; isAsked: boolean }) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  const isRoot = lot.parents.length === 0;
  const isMerged = !isRoot && lot.workOrderNo === null;
  const { wipId, comeQty, takenQty, mergedQty, stockQty } = lot;
  const state = isAgain ? translate('bills.tree.again') : isAsked && translate('bills.tree.asked');
  return (
    <tr className={isAsked ? 'asked' : undefined} aria-current={isAsked || undefined}>
      <Cells
        depth={depth}
        name={<BillLink menuNo="icopWipList" id={wipId} />}
        words={[lot.waferLotId, lot.part, isMerged && translate('bills.tree.merged'), state]}
        from={isRoot && lot.workOrderNo && <BillLink menuNo="icopWaferWorkOrderList" id={lot.workOrderNo} />}
        place={[labelOf('icopStages', lot.stage), lot.supplierName, lot.siteName]}
        counts={isAgain ? null : { come: comeQty, gone: takenQty + mergedQty, stock: stockQty }}
        difference={differenceOfLot(lot)}
        entries={{ by: 'wipId', value: wipId }}
      />
    </tr>
  );
}

function OrderRow({ row: { order, takenQty, depth, isAgain } }: { row: TreeRow & { kind: 'order' } }) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  const { workOrderNo, inputQty, outputQty, lossQty } = order;
  const taken = translate('bills.tree.takenOf', { qty: groupedCount(takenQty) });
  return (
    <tr className="piece">
      <Cells
        depth={depth}
        name={<BillLink menuNo={`${order.module}List`} id={workOrderNo} />}
        words={[labelOf('icopWorkOrderTypes', order.module), taken, isAgain && translate('bills.tree.again')]}
        place={[labelOf('icopBillStatus', order.billStatus)]}
        counts={isAgain ? null : { come: inputQty, gone: outputQty, loss: lossQty, inProcess: inProcessOf(order) }}
        difference={differenceOfOrder(order)}
        entries={{ by: 'workOrderNo', value: workOrderNo }}
      />
    </tr>
  );
}

interface CellsProps {
  depth: number;
  name: ReactNode;
  /** Below the name. */
  words: readonly (string | false)[];
  from?: ReactNode;
  /** Where it is, and below that whose. */
  place: readonly [string, ...string[]];
  /** What came, went on, and is there; null where all of that stands above. */
  counts: Partial<Record<(typeof COUNTS)[number], number>> | null;
  difference: number;
  entries: EntriesProps;
}

/** The cells of a row; on a phone there is room for its name and its balance, the rest stands below the name. */
function Cells({ depth, name, words, from, place, counts, difference, entries }: CellsProps) {
  const translate = useTranslate();
  const isPhone = useIsPhone();
  const told = COUNTS.filter((it) => counts?.[it] !== undefined);
  const facts = told.map((it) => `${translate(`bills.tree.${it}`)} ${groupedCount(counts?.[it] ?? 0)}`);
  const balance = counts ? <Balance difference={difference} /> : null;
  if (isPhone) {
    return (
      <>
        <Name depth={depth}>
          {name}
          <Below words={[...words, place[0]]}>{from}</Below>
          {facts.length > 0 && <Below words={facts} />}
          <Entries {...entries} />
        </Name>
        <td>{balance}</td>
      </>
    );
  }
  return (
    <>
      <Name depth={depth}>
        {name}
        <Below words={words}>{from}</Below>
      </Name>
      <td>
        {place[0]}
        <Below words={place.slice(1)} />
      </td>
      {COUNTS.map((it) => (
        <td key={it} className="number">
          {counts?.[it] !== undefined && groupedCount(counts[it])}
        </td>
      ))}
      <td>{balance}</td>
      <td>
        <Entries {...entries} />
      </td>
    </>
  );
}

/** Each generation stands further in, beside a line that leads to the one above it. */
function Name({ depth, children }: { depth: number; children: ReactNode }) {
  return (
    <td>
      <Box sx={{ pl: { xs: `${depth * 8}px`, sm: `${depth * 16}px` } }}>
        <Box sx={{ ...(depth > 0 && { borderLeft: 2, borderColor: 'divider', pl: 2 }), minWidth: 0 }}>{children}</Box>
      </Box>
    </td>
  );
}

function Below({ words, children }: { words: readonly (string | false)[]; children?: ReactNode }) {
  return (
    <Box sx={{ fontSize: 12, color: 'text.secondary', whiteSpace: 'normal', wordBreak: 'keep-all' }}>
      {words.filter(Boolean).join(' · ')}
      {children && <> · {children}</>}
    </Box>
  );
}

function Balance({ difference }: { difference: number }) {
  const translate = useTranslate();
  if (difference === 0) {
    return (
      <CheckIcon
        fontSize="small"
        color="success"
        titleAccess={translate('bills.tree.fits')}
        sx={{ display: 'block' }}
      />
    );
  }
  return (
    <Box component="span" sx={{ color: 'error.main', fontWeight: 600, fontVariantNumeric: 'tabular-nums' }}>
      {difference > 0 ? `+${groupedCount(difference)}` : `−${groupedCount(-difference)}`}
    </Box>
  );
}

interface EntriesProps {
  by: 'wipId' | 'workOrderNo';
  value: string;
}

/** The history of a lot, or of an order, in the list of transactions. */
function Entries({ by, value }: EntriesProps) {
  const translate = useTranslate();
  const to = `/icopTransactionList?${toQuery({ filter: JSON.stringify({ [by]: value }) })}`;
  return (
    <MuiLink
      component={Link}
      to={to}
      aria-label={translate('bills.tree.entriesOf', { name: value })}
      sx={{ fontSize: { xs: 12, sm: 13 } }}
    >
      {translate('bills.tree.entries')}
    </MuiLink>
  );
}
