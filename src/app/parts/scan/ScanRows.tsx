import { memo, type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import DeleteOutline from '@mui/icons-material/DeleteOutline';
import { useTranslate } from 'ra-core';
import { clockTimeOf } from '#app/fields/format.ts';
import { Confirm } from '#app/parts/Confirm.tsx';
import { codeSx, tabularSx, wholeSx } from '#app/theme.ts';
import { Sentence } from '#app/parts/scan/Sentence.tsx';
import { sentenceOf, withoutSn } from '#app/parts/scan/words.ts';
import { isLiving, type Scan } from '#app/parts/scan/scanQueue.ts';
import type { ListState } from '#app/parts/scan/stationContract.ts';

/** More than fit any screen; the count tells how many there are. */
const SHOWN = 30;
const MORE = 100;

interface Props<Data> {
  scans: readonly Scan<Data>[];
  /** What the unit is, from the answer of its check. */
  describe?: (scan: Scan<Data>) => ReactNode;
  /** What was entered for the unit besides, which may change while it waits. */
  remarkOf?: (scan: Scan<Data>) => string;
  /** Those that a submit on its way holds. */
  locked: readonly string[];
  /** Those that the last submit was refused for, and why. */
  rejected: Readonly<Record<string, string>>;
  onRemove: (keys: readonly string[]) => void;
  list: ListState;
  /** To be read from two metres. */
  isLarge?: boolean;
}

/** What was scanned, newest first. Tables of a submit screen are at most 500 high (Rule: scanning#tables). */
export function ScanRows<Data>(props: Props<Data>) {
  const { scans, describe, remarkOf, locked, rejected, onRemove, list, isLarge = false } = props;
  const translate = useTranslate();
  const { shown, showMore } = useShown(scans);
  const newest = scans.slice(-shown).reverse();
  const isFree = (it: Scan) => it.state !== 'submitted' && !locked.includes(it.key);
  // Rows are drawn anew only when their scan changes, or hundreds of them would slow down the next verdict.
  const latest = useRef({ describe, free: scans });
  useLayoutEffect(() => {
    latest.current = { describe, free: scans.filter(isFree) };
  });
  const [describeScan] = useState(() => (scan: Scan) => latest.current.describe?.(scan as Scan<Data>));
  const [freeKeys] = useState(() => () => latest.current.free.map((it) => it.key));
  const removeOne = useCallback((key: string) => onRemove([key]), [onRemove]);
  return (
    <Box
      sx={{
        maxHeight: 500,
        overflow: 'auto',
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
        bgcolor: 'background.paper',
      }}
    >
      <Box
        component="table"
        sx={isLarge ? largeSx : tableSx}
        aria-label={translate('stations.scanned')}
        aria-busy={list === 'unread'}
      >
        <thead>
          <tr>
            <th className="snColumn">SN</th>
            <th className="offPhone">{translate('stations.column.what')}</th>
            <th className="stateColumn">{translate('stations.column.state')}</th>
            <th className="time">{translate('stations.column.time')}</th>
            <td className="remove" />
          </tr>
        </thead>
        <tbody>
          {newest.map((it) => (
            <ScanRow
              key={it.key}
              scan={it}
              describe={describeScan}
              remark={remarkOf?.(it) ?? ''}
              isFree={isFree(it)}
              rejection={rejected[it.key]}
              isLarge={isLarge}
              onRemove={removeOne}
            />
          ))}
        </tbody>
      </Box>
      {newest.length === 0 && <NoRows list={list} />}
      {scans.length > 1 && (
        <Box
          sx={{ px: 3, display: 'flex', alignItems: 'center', gap: 2, typography: 'caption', color: 'text.secondary' }}
        >
          {scans.length > shown && (
            <>
              {translate('stations.newestOf', { shown, total: scans.length })}
              <Button size="small" onClick={showMore}>
                {translate('stations.showMore')}
              </Button>
            </>
          )}
          <ClearList keysOf={freeKeys} onClear={onRemove} />
        </Box>
      )}
    </Box>
  );
}

/** Why there are no rows: nobody knows yet, they are in another window, or there are none. */
function NoRows({ list }: { list: ListState }) {
  const translate = useTranslate();
  const why: Record<ListState, ReactNode> = {
    unread: <Skeleton width="60%" />,
    elsewhere: (
      <Box role="status" sx={{ color: 'warning.main', fontWeight: 600 }}>
        {translate('stations.elsewhere')}
      </Box>
    ),
    here: translate('stations.nothingScanned'),
  };
  return (
    <Box sx={{ minHeight: 72, display: 'grid', placeItems: 'center', px: 4, py: 2, color: 'text.secondary' }}>
      {why[list]}
    </Box>
  );
}

/** How many are drawn: few again with the next scan, or a long list would slow down its verdict. */
function useShown(scans: readonly Scan[]) {
  const newest = scans.at(-1)?.key;
  const [more, setMore] = useState({ newest, shown: SHOWN });
  const shown = more.newest === newest ? more.shown : SHOWN;
  return { shown, showMore: () => setMore({ newest, shown: shown + MORE }) };
}

interface ClearProps {
  /** Those that may go. */
  keysOf: () => readonly string[];
  onClear: (keys: readonly string[]) => void;
}

/** Takes all of them off the list, once it is meant. */
const ClearList = memo(function ClearList({ keysOf, onClear }: ClearProps) {
  const translate = useTranslate();
  const [keys, setKeys] = useState<readonly string[] | null>(null);
  const close = () => setKeys(null);
  return (
    <>
      <Button size="small" color="inherit" sx={{ ml: 'auto' }} onClick={() => setKeys(keysOf())}>
        {translate('stations.clearList.do')}
      </Button>
      <Confirm
        thenScan
        danger
        open={keys !== null}
        title={translate('stations.clearList.do')}
        action={translate('stations.clearList.do')}
        onCancel={close}
        onConfirm={() => {
          onClear(keys ?? []);
          close();
        }}
      >
        {translate('stations.clearList.ask', { smart_count: keys?.length ?? 0 })}
      </Confirm>
    </>
  );
});

/** A state in its colour, as an outlined chip of the library. */
const stateSx = (color: string) => ({ color, borderColor: 'color-mix(in srgb, currentColor 70%, transparent)' });

/** Of the whole table: parts of the library, each with a style of its own, are half of what a scan costs to draw. */
const tableSx = {
  width: 1,
  tableLayout: 'fixed',
  borderCollapse: 'separate',
  borderSpacing: 0,
  fontSize: 13,
  lineHeight: 1.43,
  '& th, & td': { px: 3, py: 0, borderBottom: 1, borderColor: 'divider', textAlign: 'left', fontWeight: 400 },
  '& thead :is(th, td)': {
    position: 'sticky',
    top: 0,
    zIndex: 2,
    height: 36,
    bgcolor: 'background.default',
    fontSize: 12,
    fontWeight: 600,
    color: 'text.secondary',
  },
  '& th.snColumn': { width: { sm: 176 } },
  '& th.stateColumn': { width: { xs: 104, sm: 120 } },
  '& th.time': { width: 88 },
  '& thead .remove': { width: 44 },
  '& tbody tr': { height: 36, opacity: 0.85 },
  '& tbody tr.living': { opacity: 1 },
  '& tbody tr:last-of-type td': { borderBottom: 0 },
  '& tbody td:first-of-type': { py: { xs: 1, sm: 0 } },
  '& td.remove': { p: 0 },
  '& .sn': { ...codeSx, fontWeight: 600 },
  '& .what': { fontSize: 12, color: 'text.secondary' },
  '& .note': { fontSize: 12, color: 'warning.main' },
  '& .note.problem': {
    ...wholeSx,
    ...{ py: 1, fontSize: { xs: 12, sm: 13 }, overflowWrap: 'anywhere', color: 'error.main' },
  },
  '& .named': { ...codeSx, fontSize: 'inherit', fontWeight: 600, lineHeight: 1 },
  '& td.time': { color: 'text.secondary' },
  '& .onPhone': { display: { xs: 'block', sm: 'none' } },
  '& .offPhone': { display: { xs: 'none', sm: 'revert' } },
  // Beside the facts on a small screen the model needs the room.
  '& .time': { ...tabularSx, display: { xs: 'none', sm: 'revert', md: 'none', lg: 'revert' } },
  '& .state': {
    display: 'inline-block',
    boxSizing: 'border-box',
    height: 22,
    px: '7px',
    border: '1px solid color-mix(in srgb, currentColor 30%, transparent)',
    borderRadius: '4px',
    fontSize: 12,
    lineHeight: '20px',
    whiteSpace: 'nowrap',
    verticalAlign: 'middle',
  },
  '& .state.checking': stateSx('info.main'),
  '& .state.ok': stateSx('success.main'),
  '& .state.duplicate': stateSx('warning.main'),
  '& .state.wrong, & .state.refused': stateSx('error.main'),
  '& button': {
    display: 'inline-flex',
    p: '5px',
    border: 0,
    borderRadius: '50%',
    bgcolor: 'transparent',
    color: 'action.active',
    fontSize: 18,
    cursor: 'pointer',
    '&:hover': { bgcolor: 'action.hover' },
    '&:focus-visible': { outline: '2px solid', outlineColor: 'primary.light', outlineOffset: 1 },
  },
} as const;

/** Of a station that stands alone: what is told of a scan stands under its SN, and on a phone its state between them. */
const largeSx = {
  ...tableSx,
  fontSize: 18,
  lineHeight: 1.35,
  '& thead :is(th, td)': { ...tableSx['& thead :is(th, td)'], fontSize: 14 },
  '& th.snColumn': {},
  '& th.stateColumn': { width: 148 },
  '& .stateColumn': { display: { xs: 'none', sm: 'revert' } },
  '& .inRow': { my: 1, display: { sm: 'none' } },
  '& th.time': { width: 112 },
  '& tbody tr': { height: 56, opacity: 0.85 },
  '& tbody td:first-of-type': { py: 2 },
  '& .sn': { ...codeSx, fontSize: 20, fontWeight: 600 },
  '& .what': { fontSize: 18, color: 'text.secondary' },
  '& .note': { fontSize: 18, color: 'warning.main' },
  '& .note.problem': {
    ...wholeSx,
    ...{ pb: '2px', fontSize: 18, lineHeight: '24px', overflowWrap: 'anywhere', color: 'error.main' },
  },
  '& .onPhone': { display: 'block' },
  '& .offPhone': { display: 'none' },
  '& .state': { ...tableSx['& .state'], height: 32, fontSize: 18, lineHeight: '30px' },
} as const;

interface RowProps {
  scan: Scan;
  describe: (scan: Scan) => ReactNode;
  remark: string;
  /** May be removed. */
  isFree: boolean;
  /** Why the last submit was refused for it. */
  rejection: string | undefined;
  isLarge: boolean;
  onRemove: (key: string) => void;
}

const ScanRow = memo(function ScanRow({ scan, describe, remark, isFree, rejection, isLarge, onRemove }: RowProps) {
  const translate = useTranslate();
  const facts = describe(scan);
  const what = remark ? (
    <>
      {facts} · {remark}
    </>
  ) : (
    facts
  );
  const reason = rejection ?? scan.reason;
  const isProblem = reason !== undefined && reason !== '' && (rejection !== undefined || !isLiving(scan));
  const shown = rejection === undefined ? scan.state : 'refused';
  // A refusal is one whole sentence, which names its SN; a note is about the row that it stands in.
  const note = isProblem ? (
    <Sentence text={sentenceOf(reason, scan.sn)} sn={scan.sn} className="named" />
  ) : (
    withoutSn(reason || scan.warning || '', scan.sn)
  );
  const state = <span className={`state ${shown}`}>{translate(`stations.state.${shown}`)}</span>;
  const noteClass = isProblem ? 'note problem' : 'note';
  const Sn = scan.state === 'undone' ? 's' : 'span';
  return (
    <tr className={isLiving(scan) ? 'living' : undefined} data-state={scan.state}>
      <td>
        {!(isLarge && isProblem) && (
          <Sn className="sn" title={scan.undoneAt === undefined ? undefined : clockTimeOf(scan.undoneAt)}>
            {scan.sn}
          </Sn>
        )}
        {isLarge && <div className="inRow">{state}</div>}
        <div className="what onPhone">{what}</div>
        <div className={`${noteClass} onPhone`}>{note}</div>
      </td>
      <td className="offPhone">
        {what}
        {note && <div className={noteClass}>{note}</div>}
      </td>
      <td className="stateColumn">{state}</td>
      <td className="time">{clockTimeOf(scan.at)}</td>
      <td className="remove">
        {isFree && (
          <button
            type="button"
            aria-label={translate('stations.remove', { sn: scan.sn })}
            onClick={() => onRemove(scan.key)}
          >
            <DeleteOutline fontSize="inherit" />
          </button>
        )}
      </td>
    </tr>
  );
});
