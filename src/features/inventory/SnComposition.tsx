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
import { codeSx } from '#app/theme.ts';
import { momentFromClock } from '#domain/day.ts';
import { boundAt, inSlots } from './rules.ts';
import type { Life } from './SnLocation.tsx';

type Binding = Life['parts'][number];

/** What a device is made of, now or at any moment before; of a part, in which device it is and was. */
export function SnComposition({ parts, holders }: Pick<Life, 'parts' | 'holders'>) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  const [clock, setClock] = useState('');
  const moment = clock === '' ? null : momentFromClock(clock, workshopZone());
  const bound = boundAt(parts, moment);
  const now = new Set(boundAt(parts, null).map((it) => it.componentSn));
  return (
    <>
      {(parts.length > 0 || holders.length === 0) && (
        <Panel title={translate('stations.history.parts', { smart_count: bound.length })}>
          {parts.length > 0 && (
            <Box sx={{ display: 'flex', gap: 2, alignItems: 'flex-end', mb: 3 }}>
              <Box sx={{ width: 220 }}>
                <DateField
                  isBare
                  kind="moment"
                  edge="end"
                  label={translate('stations.history.asOf')}
                  value={clock}
                  onChange={setClock}
                />
              </Box>
              {clock !== '' && <Button onClick={() => setClock('')}>{translate('stations.history.asNow')}</Button>}
            </Box>
          )}
          {bound.length === 0 && (
            <Box sx={{ color: 'text.secondary' }}>{translate('stations.history.nothingBound')}</Box>
          )}
          <Slots
            bindings={bound}
            noteOf={(it) => (now.has(it.componentSn) ? '' : translate('stations.history.takenOut'))}
          />
        </Panel>
      )}
      {holders.length > 0 && (
        <Panel title={translate('stations.history.holders')}>
          <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
            {holders.map((it) => (
              <Box
                component="li"
                key={keyOf(it)}
                sx={{ py: 2, borderTop: 1, borderColor: 'divider', '&:first-of-type': { borderTop: 0, pt: 0 } }}
              >
                <SnLink sn={it.deviceSn} />
                <Box sx={{ ...smallSx, display: 'flex', flexWrap: 'wrap', columnGap: 2 }}>
                  <span>{labelOf('componentTypes', it.componentType)}</span>
                  <Bound binding={it} />
                </Box>
              </Box>
            ))}
          </Box>
        </Panel>
      )}
    </>
  );
}

interface SlotsProps {
  bindings: readonly Binding[];
  noteOf: (it: Binding) => string;
}

/** The device as it was put together: one place for each part, the boards by their number. */
function Slots({ bindings, noteOf }: SlotsProps) {
  const labelOf = useLabelOf();
  return (
    <Box
      component="ul"
      sx={{
        ...{ display: 'grid', gap: 2, m: 0, p: 0, listStyle: 'none' },
        gridTemplateColumns: 'repeat(auto-fill, minmax(min(100%, 176px), 1fr))',
      }}
    >
      {inSlots(bindings).map(({ binding, number }) => (
        <Box
          component="li"
          key={keyOf(binding)}
          sx={{ p: 2, border: 1, borderColor: 'divider', borderRadius: 1, minWidth: 0, overflowWrap: 'anywhere' }}
        >
          <Box sx={{ ...smallSx, fontWeight: 600 }}>
            {labelOf('componentTypes', binding.componentType)}
            {number !== null && ` ${number}`}
          </Box>
          <SnLink sn={binding.componentSn} />
          {binding.qrCodeNum && <Box sx={{ ...smallSx, ...codeSx }}>{binding.qrCodeNum}</Box>}
          <Box sx={smallSx}>
            <Bound binding={binding} />
          </Box>
          {noteOf(binding) && <Box sx={{ fontSize: 12, color: 'warning.main' }}>{noteOf(binding)}</Box>}
        </Box>
      ))}
    </Box>
  );
}

/** From when to when a part was in. */
function Bound({ binding: { bindTime, unbindTime } }: { binding: Binding }) {
  const translate = useTranslate();
  if (bindTime === null) return null;
  return (
    <span>
      <Moment at={bindTime} /> {unbindTime === null ? translate('stations.history.on') : EMPTY}{' '}
      {unbindTime !== null && <Moment at={unbindTime} />}
    </span>
  );
}

const keyOf = (it: Binding) => `${it.deviceSn} ${it.componentSn} ${it.bindTime}`;
const smallSx = { fontSize: 12, color: 'text.secondary' } as const;
