import { useState } from 'react';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import MuiLink from '@mui/material/Link';
import Switch from '@mui/material/Switch';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import { styled } from '@mui/material/styles';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import { Link } from 'react-router-dom';
import { valueStyles } from '#app/engine/TableFrame.tsx';
import type { Column, Labels, Row } from '#app/engine/wire.ts';
import { EMPTY, momentOf } from '#app/fields/format.ts';
import { toneOf } from '#app/fields/tones.ts';
import { useReasonOf } from '#app/notify.ts';
import { GroupCheckbox } from '#app/parts/GroupCheckbox.tsx';
import { cellOf } from '#app/parts/cells.tsx';
import { useLabelOf, useOptionLists } from '#app/parts/optionLabels.ts';
import { Pictures } from '#app/parts/Pictures.tsx';
import { SideScroll } from '#app/parts/SideScroll.tsx';
import { TablePages } from '#app/parts/TablePages.tsx';
import { SnLink } from '#app/parts/SnLink.tsx';
import { useAge } from '#app/parts/useAge.ts';
import { send } from '#app/send.ts';
import { useLanguage } from '#app/session.ts';
import { codeSx, tabularSx } from '#app/theme.ts';
import type { DataOf } from '#domain/call.ts';
import { DeliverStatus, Flag, Warranty } from '#domain/enums.ts';
import { splitUrls } from '#domain/images.ts';
import { waitingStages } from '#domain/pipeline.ts';
import { isWaybill } from '#domain/waybill.ts';
import { billUnits } from './contract.ts';
import { useStageName } from './Pipeline.tsx';

/** Rule: bills#detail. */
const pageSizes = [10, 50, 100, 150, 200];

export type BillUnit = Row & DataOf<typeof billUnits>['items'][number];

interface Props {
  mtbId: string;
  /** Only those of this line, and of this stage; of all without one. */
  mtblId: string;
  stage: string;
  /** By their row ids, of whichever page. */
  selected: ReadonlyMap<number, BillUnit>;
  onSelect: (rows: readonly BillUnit[], to: boolean) => void;
}

/** The units of a bill, by the page: where each stands, for how long, and what comes next. Rule: bills#detail. */
export function UnitTable({ mtbId, mtblId, stage, selected, onSelect }: Props) {
  const translate = useTranslate();
  const reasonOf = useReasonOf();
  const lang = useLanguage();
  const [size, setSize] = useState(10);
  const shown = `${mtblId} ${stage}`;
  const [at, setAt] = useState({ shown, page: 0 });
  // Another line or stage begins at its first page.
  const page = at.shown === shown ? at.page : 0;
  const [isFull, setFull] = useState(false);
  const { data, error } = useQuery({
    queryKey: [billUnits.path, mtbId, mtblId, stage, page, size, lang],
    queryFn: () => send(billUnits, { mtbId, mtblId, stage, pageStart: page * size, pageCount: size }),
    placeholderData: keepPreviousData,
  });
  if (error) return <Alert severity="error">{reasonOf(error)}</Alert>;
  if (!data) return <Box sx={{ height: 96 }} />;
  const items = data.items as BillUnit[];
  const columns = isFull ? (data.columns as Column[]).map(fieldOf) : mainColumns;
  const chosen = items.filter((it) => selected.has(it.id));
  const labels = data.labels as Labels;
  return (
    <Frame>
      <SideScroll sx={{ maxHeight: 'max(420px, calc(100dvh - 320px))' }}>
        <Table size="small" stickyHeader aria-label={translate('stations.maintainBill.units')}>
          <TableHead>
            <TableRow>
              <TableCell padding="checkbox">
                <GroupCheckbox
                  label={translate('shell.list.selectAll')}
                  disabled={items.length === 0}
                  count={chosen.length}
                  of={items.length}
                  onChange={(_, to) => onSelect(items, to)}
                />
              </TableCell>
              {columns.map((it) => (
                <TableCell key={it.name} align={it.align} sx={{ whiteSpace: 'nowrap' }}>
                  {it.label ?? translate(`stations.maintainBill.unit.${it.name}`)}
                </TableCell>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            {items.length === 0 && (
              <TableRow>
                <TableCell colSpan={columns.length + 1} sx={{ height: 64, color: 'text.secondary' }}>
                  {translate('stations.maintainBill.noUnits')}
                </TableCell>
              </TableRow>
            )}
            {items.map((item) => (
              <TableRow
                key={item.id}
                hover
                selected={selected.has(item.id)}
                aria-selected={selected.has(item.id)}
                onClick={(event) => {
                  // What is pressed within the row does what it says, and no more.
                  if (!(event.target as Element).closest('a, button, input')) onSelect([item], !selected.has(item.id));
                }}
                sx={{ height: 52, cursor: 'pointer' }}
              >
                <TableCell padding="checkbox">
                  <Checkbox
                    size="small"
                    checked={selected.has(item.id)}
                    onChange={(_, to) => onSelect([item], to)}
                    slotProps={{
                      input: {
                        'aria-label': translate('shell.list.selectRow', { row: item.sn || item.mtbliId }),
                      },
                    }}
                  />
                </TableCell>
                {columns.map(({ name, align, Cell }) => (
                  <TableCell key={name} align={align} sx={{ whiteSpace: 'nowrap' }}>
                    <Cell unit={item} labels={labels} />
                  </TableCell>
                ))}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </SideScroll>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', pl: 3 }}>
        <FormControlLabel
          control={<Switch size="small" checked={isFull} onChange={(_, to) => setFull(to)} />}
          label={translate('stations.maintainBill.allFields')}
          sx={{ ml: -1 }}
          slotProps={{ typography: { sx: { fontSize: 13 } } }}
        />
        <TablePages
          sx={{ ml: 'auto', '& .MuiTablePagination-spacer': { display: 'none' } }}
          count={data.itemTotal}
          page={page}
          rowsPerPage={size}
          rowsPerPageOptions={pageSizes}
          onPage={(next) => setAt({ shown, page: next })}
          onRowsPerPageChange={(event) => {
            setSize(Number(event.target.value));
            setAt({ shown, page: 0 });
          }}
        />
      </Box>
    </Frame>
  );
}

const Frame = styled('div')(({ theme }) => ({
  border: `1px solid ${theme.palette.divider}`,
  borderRadius: 6,
  backgroundColor: theme.palette.background.paper,
  ...valueStyles(theme),
}));

interface CellProps {
  unit: BillUnit;
  labels: Labels;
}

interface UnitColumn {
  name: string;
  label?: string;
  align?: Column['align'];
  Cell: (props: CellProps) => React.ReactNode;
}

/** A field of the item as its own list shows it. */
const fieldOf = (column: Column): UnitColumn => ({
  name: column.name,
  label: column.label,
  align: column.align,
  Cell: ({ unit, labels }) => cellOf(column, unit, labels),
});

/** Two things that belong together, one over the other. */
const Pair = ({ first, second }: { first: React.ReactNode; second: React.ReactNode }) => (
  <>
    <Box sx={{ lineHeight: '20px' }}>{first || EMPTY}</Box>
    {second && <Box sx={{ fontSize: 12, lineHeight: '16px', color: 'text.secondary' }}>{second}</Box>}
  </>
);

/** What is read of a unit while it is on its way; all its fields are one switch away. */
const mainColumns: readonly UnitColumn[] = [
  { name: 'sn', Cell: SnCell },
  { name: 'node', Cell: NodeCell },
  { name: 'since', Cell: SinceCell },
  { name: 'next', Cell: NextCell },
  { name: 'warranty', Cell: WarrantyCell },
  { name: 'delivery', Cell: DeliveryCell },
  { name: 'pictures', Cell: PicturesCell },
];

function SnCell({ unit }: CellProps) {
  const translate = useTranslate();
  const model = [unit.itemName, unit.salesCode].filter(Boolean).join(' · ');
  return (
    <Pair
      first={
        unit.sn ? (
          <SnLink sn={unit.sn} />
        ) : (
          <Box component="span" sx={{ color: 'text.secondary' }}>
            {translate('stations.maintainBill.noSn')}
          </Box>
        )
      }
      second={model}
    />
  );
}

const isOnTheWay = (stage: string) => waitingStages.some((it) => it === stage);

/** Where it stands; of what has ended, how. */
function NodeCell({ unit: { ivyId, stage, held } }: CellProps) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  const { nodes } = useOptionLists();
  const nameOf = useStageName();
  const endTone = ['delivered', 'stocked', 'boughtOut'].includes(stage) ? 'closed' : 'refused';
  if (!isOnTheWay(stage)) return <span className={`chip ${endTone}`}>{nameOf(stage)}</span>;
  if (held) return <span className="chip waits">{translate(`stations.history.held.${held}`)}</span>;
  if (ivyId) return <span className={`chip ${toneOf(nodes, ivyId) ?? ''}`}>{labelOf('nodes', ivyId)}</span>;
  return <span className="chip waits">{translate(`stations.maintainBill.awaits.${stage}`)}</span>;
}

function SinceCell({ unit: { since, stage } }: CellProps) {
  const age = useAge();
  if (since === null || !isOnTheWay(stage)) return EMPTY;
  return (
    <Box component="time" dateTime={new Date(since).toISOString()} title={momentOf(since)} sx={tabularSx}>
      {age(since)}
    </Box>
  );
}

/** The step that takes it, as a link for whoever may do it. */
function NextCell({ unit: { next } }: CellProps) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  if (!next) return EMPTY;
  const name =
    next.action === 'signFor' ? labelOf('workflowSteps', 'signFor') : translate(`stations.history.do.${next.action}`);
  if (next.address === null) return <span>{name}</span>;
  return (
    <MuiLink component={Link} to={next.address} sx={{ fontWeight: 600 }}>
      {name} →
    </MuiLink>
  );
}

function WarrantyCell({ unit }: CellProps) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  const warranty = unit['warranty'] as string | null;
  const repairs = Number(unit['maintains'] ?? 0);
  const notes = [
    repairs > 0 && translate('stations.maintainBill.repairs', { smart_count: repairs }),
    unit['continues'] === Flag.Yes && translate('stations.maintainBill.secondReturn'),
  ].filter(Boolean);
  return (
    <Pair
      first={
        warranty === Warranty.Out || !warranty ? labelOf('warranty', warranty) : <b>{labelOf('warranty', warranty)}</b>
      }
      second={notes.join(' · ')}
    />
  );
}

function DeliveryCell({ unit }: CellProps) {
  const labelOf = useLabelOf();
  // Own goods are delivered to nobody.
  if (unit.stage === 'stocked') return EMPTY;
  const status = String(unit['deliverStatus'] ?? '');
  const shipNo = unit['deliverShipNo'] as string | null;
  const deliverSn = unit['deliverSn'] as string | null;
  const second = [isWaybill(shipNo) && shipNo, deliverSn !== unit.sn && deliverSn].filter(Boolean).join(' · ');
  const isPlain = status === DeliverStatus.CannotShip;
  return (
    <Pair
      first={isPlain ? <Quiet>{labelOf('deliverStatus', status)}</Quiet> : labelOf('deliverStatus', status)}
      second={
        second && (
          <Box component="span" sx={codeSx}>
            {second}
          </Box>
        )
      }
    />
  );
}

const Quiet = ({ children }: { children: React.ReactNode }) => (
  <Box component="span" sx={{ color: 'text.secondary' }}>
    {children}
  </Box>
);

function PicturesCell({ unit }: CellProps) {
  const urls = splitUrls(unit['checkUrls'] as string | null);
  return urls.length > 0 ? <Pictures small urls={urls} /> : EMPTY;
}
