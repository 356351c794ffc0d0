import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import ArrowForward from '@mui/icons-material/ArrowForward';
import { useTranslate } from 'ra-core';
import { entryOf } from '#app/engine/module.ts';
import { Moment } from '#app/parts/cells.tsx';
import { Panel } from '#app/parts/Facts.tsx';
import { useLabelOf } from '#app/parts/optionLabels.ts';
import { Pictures } from '#app/parts/Pictures.tsx';
import { useMenu } from '#app/session.ts';
import { codeSx } from '#app/theme.ts';
import type { DataOf } from '#domain/call.ts';
import { OperateStatus } from '#domain/enums.ts';
import type { viewHistory } from './contract.ts';
import { SnLink } from './SnLink.tsx';

type Event = DataOf<typeof viewHistory>['events'][number];

/** What happened to an SN, newest first: who, when, which step, from where to where. */
export function SnEvents({ events }: { events: readonly Event[] }) {
  const translate = useTranslate();
  return (
    <Panel title={translate('stations.history.events', { smart_count: events.length })}>
      {events.length === 0 && <Box sx={{ color: 'text.secondary' }}>{translate('stations.history.nothing')}</Box>}
      <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {events.map((it) => (
          <EventRow key={it.id} event={it} />
        ))}
      </Box>
    </Panel>
  );
}

function EventRow({ event }: { event: Event }) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  const isUndone = event.operateStatus === OperateStatus.Rollbacked;
  return (
    <Box
      component="li"
      sx={{
        position: 'relative',
        pl: 6,
        pb: 4,
        borderLeft: 2,
        borderColor: 'divider',
        ml: 1,
        opacity: isUndone ? 0.7 : 1,
        '&:last-child': { borderColor: 'transparent', pb: 0 },
        '&::before': {
          content: '""',
          position: 'absolute',
          left: -7,
          top: 4,
          width: 12,
          height: 12,
          borderRadius: '50%',
          bgcolor: isUndone ? 'text.disabled' : 'primary.main',
        },
      }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2 }}>
        <Box sx={{ fontWeight: 600, textDecoration: isUndone ? 'line-through' : undefined }}>
          {labelOf('workflowSteps', event.step)}
        </Box>
        {event.toNode !== event.fromNode && (
          <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, color: 'text.secondary' }}>
            {event.fromNode ? labelOf('nodes', event.fromNode) : translate('stations.history.outside')}
            <ArrowForward sx={{ fontSize: 14 }} aria-label={translate('stations.history.to')} />
            {event.toNode ? labelOf('nodes', event.toNode) : translate('stations.history.outside')}
          </Box>
        )}
        {isUndone && <Chip size="small" variant="outlined" label={labelOf('operateStatus', event.operateStatus)} />}
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 3, fontSize: 12, color: 'text.secondary', mt: 1 }}>
        <Moment at={event.eventTime} />
        <span>{event.userName ?? event.userId}</span>
        <span>{event.siteId}</span>
        {event.billId && <BillOf step={event.step} billId={event.billId} />}
        {event.mtbId && <BillOf step="maintain" billId={event.mtbId} />}
      </Box>
      {event.note && <Box sx={{ mt: 1 }}>{event.note}</Box>}
      <Pictures urls={event.urls} />
    </Box>
  );
}

/** Which list keeps the bill of a step. */
const lists: Readonly<Record<string, string>> = {
  maintain: 'rmaMaintainBillList',
  signFor: 'rmaArrivalBillList',
  receive: 'rmaReceiveBillList',
  check: 'rmaCheckBillList',
  repair: 'rmaRepairBillList',
  assemble: 'rmaAssembleBillList',
  aging: 'rmaBurninBillList',
  qc: 'rmaExamineBillList',
  store: 'rmaStoreBillList',
  deliver: 'rmaDeliverBillList',
};

/** A bill's number; a link for those whose menu has its list. */
function BillOf({ step, billId }: { step: string; billId: string }) {
  const menuNo = lists[step];
  const menu = useMenu();
  if (menuNo && menu && entryOf(menuNo, menu)) return <SnLink menuNo={menuNo} view="detail" sn={billId} />;
  return (
    <Box component="span" sx={codeSx}>
      {billId}
    </Box>
  );
}
