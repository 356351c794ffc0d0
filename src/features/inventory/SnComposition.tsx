import { useState } from 'react';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslate } from 'ra-core';
import { EMPTY, workshopZone } from '#app/fields/format.ts';
import { Moment } from '#app/parts/cells.tsx';
import { DateField } from '#app/parts/DateField.tsx';
import { Panel } from '#app/parts/Facts.tsx';
import { useLabelOf } from '#app/parts/optionLabels.ts';
import { SnLink } from '#app/parts/SnLink.tsx';
import { endOfDay } from '#domain/day.ts';
import { boundAt } from './rules.ts';
import type { Life } from './SnLocation.tsx';

type Binding = Life['parts'][number];

/** What a device is made of, now or at the end of any day; of a part, in which device it is and was. */
export function SnComposition({ parts, holders }: Pick<Life, 'parts' | 'holders'>) {
  const translate = useTranslate();
  const [day, setDay] = useState('');
  const moment = day === '' ? null : endOfDay(day, workshopZone());
  const bound = boundAt(parts, moment);
  const now = new Set(boundAt(parts, null).map((it) => it.componentSn));
  return (
    <>
      {(parts.length > 0 || holders.length === 0) && (
        <Panel title={translate('stations.history.parts', { smart_count: bound.length })}>
          {parts.length > 0 && (
            <Box sx={{ display: 'flex', gap: 2, alignItems: 'flex-end', mb: 3 }}>
              <Box sx={{ width: 200 }}>
                <DateField isBare kind="day" label={translate('stations.history.asOf')} value={day} onChange={setDay} />
              </Box>
              {day !== '' && <Button onClick={() => setDay('')}>{translate('stations.history.asNow')}</Button>}
            </Box>
          )}
          {bound.length === 0 && (
            <Box sx={{ color: 'text.secondary' }}>{translate('stations.history.nothingBound')}</Box>
          )}
          <List
            bindings={bound}
            snOf={(it) => it.componentSn}
            noteOf={(it) => (now.has(it.componentSn) ? '' : translate('stations.history.takenOut'))}
          />
        </Panel>
      )}
      {holders.length > 0 && (
        <Panel title={translate('stations.history.holders')}>
          <List bindings={holders} snOf={(it) => it.deviceSn} />
        </Panel>
      )}
    </>
  );
}

interface ListProps {
  bindings: readonly Binding[];
  snOf: (it: Binding) => string;
  noteOf?: (it: Binding) => string;
}

/** Each with what kind of part it is, and from when to when it was bound. */
function List({ bindings, snOf, noteOf }: ListProps) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  return (
    <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
      {bindings.map((it) => (
        <Box
          component="li"
          key={`${it.deviceSn} ${it.componentSn} ${it.bindTime}`}
          sx={{ py: 2, borderTop: 1, borderColor: 'divider', '&:first-of-type': { borderTop: 0, pt: 0 } }}
        >
          <SnLink sn={snOf(it)} />
          <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 2, fontSize: 12, color: 'text.secondary' }}>
            <span>{labelOf('componentTypes', it.componentType)}</span>
            {it.bindTime !== null && (
              <span>
                <Moment at={it.bindTime} /> {it.unbindTime === null ? translate('stations.history.on') : EMPTY}{' '}
                {it.unbindTime !== null && <Moment at={it.unbindTime} />}
              </span>
            )}
            {noteOf?.(it) && <Box sx={{ color: 'warning.main' }}>{noteOf(it)}</Box>}
          </Box>
        </Box>
      ))}
    </Box>
  );
}
