import type { FocusEvent } from 'react';
import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useTranslate } from 'ra-core';
import { Panel } from '#app/parts/Facts.tsx';
import type { ChosenCode } from '#app/parts/IssueCodeEntry.tsx';
import { RepairRecordForm } from '#app/parts/repair/RepairRecordForm.tsx';
import { codeSx } from '#app/theme.ts';
import { BomSearch } from './BomSearch.tsx';
import { VISIT_PICTURES, visitCountOf, visitSlotsOf } from './rules.ts';
import type { RecordKind, useVisitRecords } from './useVisitRecords.ts';
import { VisitRows } from './VisitRows.tsx';

interface Props {
  entry: ReturnType<typeof useVisitRecords>;
  onKind: (kind: RecordKind) => void;
  checkCodes: readonly ChosenCode[];
  /** The parts that are bound to the device. */
  components: readonly { componentType: string; componentSn: string }[];
  onSubmit: () => void;
  onOpen: (why: string) => void;
}

/** What was repaired on the device, row by row: one tab for its parts, one for veneers. */
export function VisitRecords({ entry, onKind, checkCodes, components, onSubmit, onOpen }: Props) {
  const translate = useTranslate();
  const { kind, change, slots } = entry;
  const { bom, row, rows } = entry.records;
  /** Each slot counts once. */
  const onLeave = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLInputElement) || target.dataset['field'] !== 'slot') return;
    const slot = visitSlotsOf(row.slot).join(',');
    if (slot !== row.slot) change((now) => ({ ...now, row: { ...now.row, slot } }));
  };
  return (
    <Box onBlur={onLeave} sx={{ display: 'flex', flexDirection: 'column', gap: 3, minWidth: 0 }}>
      <Tabs value={kind} onChange={(_, it: RecordKind) => onKind(it)} sx={{ minHeight: 36 }}>
        <Tab value="component" label={translate('bills.onSite.component')} sx={{ minHeight: 36 }} />
        <Tab value="veneer" label={translate('bills.onSite.veneer')} sx={{ minHeight: 36 }} />
      </Tabs>
      <Panel isDense title={translate('bills.onSite.bomSlots')}>
        <BomSearch key={kind} bom={bom} onChange={(it) => change((now) => ({ ...now, bom: it }))} />
        {slots && (
          <Box component="ul" tabIndex={0} aria-label={translate('bills.onSite.bomSlots')} sx={slotsSx}>
            {slots.map((it) => (
              <li key={it.location}>
                <b>{it.location}</b> {it.productName}
              </li>
            ))}
          </Box>
        )}
      </Panel>
      <RepairRecordForm
        key={`${kind}-form`}
        asOnSite={{ pictures: VISIT_PICTURES, countOf: visitCountOf }}
        partsTypes={entry.partsTypes}
        methods={entry.methods}
        choices={[
          ...entry.codes,
          ...checkCodes.filter((it) => !entry.codes.some((other) => other.codeId === it.codeId)),
        ]}
        components={components}
        bomId={bom?.bomid ?? null}
        row={row}
        problems={entry.problems}
        shownProblems={entry.shownProblems}
        onChange={(to) => change((now) => ({ ...now, row: to(now.row) }))}
        onAdd={entry.add}
        onSubmit={onSubmit}
        onScanned={() => false}
        onOpen={onOpen}
      />
      <VisitRows key={`${kind}-rows`} rows={rows} onChange={(to) => change((now) => ({ ...now, rows: to }))} />
    </Box>
  );
}

const slotsSx = {
  m: 0,
  p: 0,
  maxHeight: 132,
  overflowY: 'auto',
  listStyle: 'none',
  display: 'grid',
  gap: 1,
  gridTemplateColumns: 'repeat(auto-fill, minmax(160px, 1fr))',
  fontSize: 13,
  '& b': codeSx,
} as const;
