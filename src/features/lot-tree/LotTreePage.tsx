import type { ReactNode } from 'react';
import { useTranslate } from 'ra-core';
import { Link } from 'react-router-dom';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import MuiLink from '@mui/material/Link';
import CheckIcon from '@mui/icons-material/Check';
import { listed } from '#app/fields/format.ts';
import { useReasonOf } from '#app/notify.ts';
import { DetailLayout } from '#app/parts/DetailLayout.tsx';
import { LotTable } from '#app/parts/LotTable.tsx';
import { useLabelOf } from '#app/parts/optionLabels.ts';
import type { PageProps } from '#app/parts/page.ts';
import { PageHead } from '#app/parts/PageHead.tsx';
import { Reading } from '#app/parts/Reading.tsx';
import { BillLink } from '#app/parts/SnLink.tsx';
import { useLookup } from '#app/parts/useLookup.ts';
import { useTabName } from '#app/shell/useTabName.ts';
import { codeSx } from '#app/theme.ts';
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
  const { missing, ...sums } = accountOf(tree);
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
        : say(missing > 0 ? 'missing' : 'surplus', { ...sums, missing: Math.abs(missing) });
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
  const heads = ['name', 'place', 'come', 'gone', 'loss', 'inProcess', 'stock', 'balance', 'entries'].map(say);
  return (
    <LotTable label={say('tree')} heads={heads} numbers={NUMBERS} isTall>
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
/** From the third column to the seventh. */
const NUMBERS = [2, 3, 4, 5, 6];

function LotRow({ row: { lot, depth, isAgain }, isAsked }: { row: TreeRow & { kind: 'lot' }; isAsked: boolean }) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  const isRoot = lot.parents.length === 0;
  const isMerged = !isRoot && lot.workOrderNo === null;
  const { wipId, comeQty, takenQty, mergedQty, stockQty } = lot;
  return (
    <tr className={isAsked ? 'asked' : undefined} aria-current={isAsked || undefined}>
      <Name depth={depth}>
        <BillLink menuNo="icopWipList" id={wipId} />
        <Below
          words={[
            lot.waferLotId,
            lot.part,
            isMerged && translate('bills.tree.merged'),
            isAgain ? translate('bills.tree.again') : isAsked && translate('bills.tree.asked'),
          ]}
        >
          {isRoot && lot.workOrderNo && <BillLink menuNo="icopWaferWorkOrderList" id={lot.workOrderNo} />}
        </Below>
      </Name>
      <td>
        {labelOf('icopStages', lot.stage)}
        <Below words={[lot.supplierName, lot.siteName]} />
      </td>
      {isAgain ? (
        <td colSpan={6} />
      ) : (
        <>
          <td className="number">{comeQty}</td>
          <td className="number">{takenQty + mergedQty}</td>
          <td />
          <td />
          <td className="number">{stockQty}</td>
          <Balance difference={differenceOfLot(lot)} />
        </>
      )}
      <Entries by="wipId" value={wipId} />
    </tr>
  );
}

function OrderRow({ row: { order, takenQty, depth, isAgain } }: { row: TreeRow & { kind: 'order' } }) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  const { workOrderNo, inputQty, outputQty, lossQty } = order;
  return (
    <tr className="piece">
      <Name depth={depth}>
        <BillLink menuNo={`${order.module}List`} id={workOrderNo} />
        <Below
          words={[
            labelOf('icopWorkOrderTypes', order.module),
            translate('bills.tree.takenOf', { qty: takenQty }),
            isAgain && translate('bills.tree.again'),
          ]}
        />
      </Name>
      <td>{labelOf('icopBillStatus', order.billStatus)}</td>
      {isAgain ? (
        <td colSpan={6} />
      ) : (
        <>
          <td className="number">{inputQty}</td>
          <td className="number">{outputQty}</td>
          <td className="number">{lossQty}</td>
          <td className="number">{inProcessOf(order)}</td>
          <td />
          <Balance difference={differenceOfOrder(order)} />
        </>
      )}
      <Entries by="workOrderNo" value={workOrderNo} />
    </tr>
  );
}

/** Each generation stands further in, beside a line that leads to the one above it. */
function Name({ depth, children }: { depth: number; children: ReactNode }) {
  return (
    <td>
      <Box sx={{ pl: `${depth * 16}px` }}>
        <Box sx={{ ...(depth > 0 && { borderLeft: 2, borderColor: 'divider', pl: 2 }) }}>{children}</Box>
      </Box>
    </td>
  );
}

function Below({ words, children }: { words: readonly (string | false)[]; children?: ReactNode }) {
  return (
    <Box sx={{ fontSize: 12, color: 'text.secondary' }}>
      {words.filter(Boolean).join(' · ')}
      {children && <> · {children}</>}
    </Box>
  );
}

function Balance({ difference }: { difference: number }) {
  const translate = useTranslate();
  if (difference === 0) {
    return (
      <td>
        <CheckIcon
          fontSize="small"
          color="success"
          titleAccess={translate('bills.tree.fits')}
          sx={{ display: 'block' }}
        />
      </td>
    );
  }
  return (
    <Box component="td" sx={{ color: 'error.main', fontWeight: 600, fontVariantNumeric: 'tabular-nums' }}>
      {difference > 0 ? `+${difference}` : `−${-difference}`}
    </Box>
  );
}

/** The history of a lot, or of an order, in the list of transactions. */
function Entries({ by, value }: { by: 'wipId' | 'workOrderNo'; value: string }) {
  const translate = useTranslate();
  const to = `/icopTransactionList?${toQuery({ filter: JSON.stringify({ [by]: value }) })}`;
  return (
    <td>
      <MuiLink
        component={Link}
        to={to}
        aria-label={translate('bills.tree.entriesOf', { name: value })}
        sx={{ ...codeSx, fontFamily: 'inherit' }}
      >
        {translate('bills.tree.entries')}
      </MuiLink>
    </td>
  );
}
