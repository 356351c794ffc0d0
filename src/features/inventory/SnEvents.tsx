import { memo } from 'react';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import ArrowForward from '@mui/icons-material/ArrowForward';
import { useTranslate } from 'ra-core';
import { Moment } from '#app/parts/cells.tsx';
import { Panel } from '#app/parts/Facts.tsx';
import { useLabelOf } from '#app/parts/optionLabels.ts';
import { Pictures } from '#app/parts/Pictures.tsx';
import { BillLink } from '#app/parts/SnLink.tsx';
import { codeSx } from '#app/theme.ts';
import { OperateStatus } from '#domain/enums.ts';
import { stations } from '#domain/stations.ts';
import { stepsOnParts, type Step } from '#domain/workflow.ts';
import { staysIn } from './rules.ts';
import type { Life } from './SnLocation.tsx';

type Event = Life['events'][number];

interface Props {
  events: readonly Event[];
  stays: Life['stays'];
  /** Reads earlier events; left out, there are none. */
  onEarlier: (() => void) | undefined;
  isReading: boolean;
}

/** What happened to an SN, stay by stay, newest first: who, when, which step, from where to where. */
export function SnEvents({ events, stays, onEarlier, isReading }: Props) {
  const translate = useTranslate();
  const customers = new Map(stays.map((it) => [it.mtbId, it.customer]));
  return (
    <Panel title={translate('stations.history.events')}>
      {events.length === 0 && <Box sx={{ color: 'text.secondary' }}>{translate('stations.history.nothing')}</Box>}
      {staysIn(events).map((stay) => (
        <Box key={stay.events[0]?.id} component="section" sx={{ '& + &': { mt: 4 } }}>
          <StayTitle mtbId={stay.mtbId} customer={customers.get(stay.mtbId ?? '')} events={stay.events} />
          <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none' }}>
            {stay.events.map((it) => (
              <EventRow key={it.id} event={it} />
            ))}
          </Box>
        </Box>
      ))}
      {onEarlier && (
        <Button variant="outlined" onClick={onEarlier} disabled={isReading} sx={{ mt: 4 }}>
          {translate('stations.history.earlier')}
        </Button>
      )}
    </Panel>
  );
}

interface StayTitleProps {
  mtbId: string | null;
  customer: string | null | undefined;
  events: readonly Event[];
}

/** One stay in the workshop: its bill, whose it is, from when to when. */
function StayTitle({ mtbId, customer, events }: StayTitleProps) {
  const translate = useTranslate();
  const [last, first] = [events[0], events.at(-1)];
  return (
    <Box
      component="h3"
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'baseline',
        columnGap: 3,
        m: 0,
        mb: 3,
        pb: 1,
        borderBottom: 1,
        borderColor: 'divider',
        fontSize: 13,
        fontWeight: 600,
      }}
    >
      {mtbId ? <BillLink menuNo="rmaMaintainBillList" id={mtbId} /> : translate('stations.history.noBill')}
      {customer && <span>{customer}</span>}
      <Box component="span" sx={{ fontSize: 12, fontWeight: 400, color: 'text.secondary' }}>
        {first && <Moment at={first.eventTime} withTime={false} />} –{' '}
        {last && <Moment at={last.eventTime} withTime={false} />}
      </Box>
    </Box>
  );
}

/** Drawn once: a long life stays quick while more of it is read. */
const EventRow = memo(function EventRow({ event }: { event: Event }) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  const isUndone = event.operateStatus === OperateStatus.Rollbacked;
  const away = stepsOnParts.includes(event.step) ? 'asPart' : 'outside';
  const said = event.codes.map((it) => it.code).join(',');
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
        opacity: isUndone ? 0.75 : 1,
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
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 2, rowGap: 1 }}>
        <Box component={isUndone ? 'del' : 'span'} sx={{ fontWeight: 600 }}>
          {labelOf('workflowSteps', event.step)}
        </Box>
        {event.toNode !== event.fromNode && (
          <Box
            component={isUndone ? 'del' : 'span'}
            sx={{ display: 'flex', alignItems: 'center', gap: 1, color: 'text.secondary' }}
          >
            {event.fromNode ? labelOf('nodes', event.fromNode) : translate('stations.history.outside')}
            <ArrowForward sx={{ fontSize: 14 }} titleAccess={translate('stations.history.to')} />
            {event.toNode ? labelOf('nodes', event.toNode) : translate(`stations.history.${away}`)}
          </Box>
        )}
        {isUndone && <Chip size="small" variant="outlined" label={labelOf('operateStatus', event.operateStatus)} />}
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 3, fontSize: 12, color: 'text.secondary', mt: 1 }}>
        <Moment at={event.eventTime} />
        <span>{event.userName ?? event.userId}</span>
        <span>{event.siteName ?? event.siteId}</span>
        {event.billId && <StepBillLink step={event.step} billId={event.billId} />}
      </Box>
      {event.codes.length > 0 && (
        <Box component="ul" aria-label={translate('stations.field.issueCode')} sx={codesSx}>
          {event.codes.map((it) => (
            <li key={it.code}>
              <Box component="span" sx={codeSx}>
                {it.code}
              </Box>{' '}
              {it.name}
            </li>
          ))}
        </Box>
      )}
      {event.note && event.note !== said && <Box sx={{ mt: 1, overflowWrap: 'anywhere' }}>{event.note}</Box>}
      <Pictures urls={event.urls} />
    </Box>
  );
});

const codesSx = { m: 0, mt: 1, p: 0, listStyle: 'none', display: 'flex', flexWrap: 'wrap', columnGap: 4 } as const;

/** Steps without a station whose bill is another one's. */
const others: Readonly<Record<string, string>> = {
  signFor: 'rmaArrivalBillList',
  scrapConfirm: 'rmaCheckBillList',
  nofaultConfirm: 'rmaCheckBillList',
};

/** The bill that a step wrote, in its own list. */
function StepBillLink({ step, billId }: { step: string; billId: string }) {
  const menuNo = Object.hasOwn(stations, step) ? `${stations[step as Step].module}List` : (others[step] ?? '');
  return <BillLink menuNo={menuNo} id={billId} />;
}
