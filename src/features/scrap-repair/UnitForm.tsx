import Box from '@mui/material/Box';
import { useTranslate } from 'ra-core';
import { AssemblySlots } from '#app/parts/AssemblySlots.tsx';
import { Panel } from '#app/parts/Facts.tsx';
import { IssueCodeEntry, type ChosenCode } from '#app/parts/IssueCodeEntry.tsx';
import { RepairRecordForm, validateRow } from '#app/parts/repair/RepairRecordForm.tsx';
import { RepairRows } from '#app/parts/repair/RepairRows.tsx';
import { codeSx } from '#app/theme.ts';
import { BOARD_COUNT } from '#domain/assembly.ts';
import { acceptSlots } from './rules.ts';
import type { useUnitEntry } from './useUnitEntry.ts';

interface Named {
  value: string;
  name: string;
}

interface Props {
  entry: ReturnType<typeof useUnitEntry>;
  checkCodes: readonly ChosenCode[];
  repairCodes: readonly ChosenCode[];
  partsTypes: readonly Named[];
  methods: readonly Named[];
  onSubmit: () => void;
  onOpen: (why: string) => void;
}

/** One unit that came back: its SNs as they were scanned, what was found, what was repaired, what is in it now. */
export function UnitForm({ entry, checkCodes, repairCodes, partsTypes, methods, onSubmit, onOpen }: Props) {
  const translate = useTranslate();
  const { draft, change, row, main, productSn, assistSns } = entry;
  return (
    <>
      <Panel title={translate('bills.scrapRepair.unit')}>
        <Box sx={{ display: 'grid', gap: 2, mb: 4, gridTemplateColumns: { xs: '1fr', sm: '1fr 2fr' } }}>
          <Scanned label={translate('bills.scrapRepair.main')} sns={[productSn]} />
          <Scanned
            label={translate('bills.scrapRepair.auxiliary')}
            sns={assistSns}
            nothing={translate('bills.scrapRepair.scanAuxiliary')}
            problem={entry.problemOf('assistSnList')}
          />
        </Box>
        <IssueCodeEntry
          required
          label={translate('bills.scrapRepair.checkIssues')}
          choices={checkCodes}
          codes={draft.codes}
          error={entry.problemOf('checkIssueCodeIdList')}
          onChange={(codes) => change({ codes })}
        />
      </Panel>
      <RepairRecordForm
        partsTypes={partsTypes}
        methods={methods}
        choices={[...repairCodes, ...draft.codes]}
        components={main?.components ?? []}
        bomId={main?.item.bomId ?? null}
        row={row}
        problems={validateRow(row, null)}
        shownProblems={entry.rowProblems}
        onChange={entry.changeRow}
        onAdd={entry.addRow}
        onSubmit={onSubmit}
        onScanned={() => false}
        onOpen={onOpen}
      />
      <Box>
        <RepairRows rows={draft.rows} onChange={(rows) => change({ rows })} />
        {entry.problemOf('repairInfoList') && <Wrong>{entry.problemOf('repairInfoList')}</Wrong>}
      </Box>
      <Panel title={translate('stations.assemble.parts')}>
        <AssemblySlots
          slots={acceptSlots}
          boards={BOARD_COUNT}
          parts={draft.parts}
          onChange={(parts) => change({ parts })}
          problems={entry.assembly}
          deviceSn={productSn}
        />
        {entry.problemOf('assembleInfoList') && <Wrong>{entry.problemOf('assembleInfoList')}</Wrong>}
      </Panel>
    </>
  );
}

interface ScannedProps {
  label: string;
  sns: readonly string[];
  nothing?: string;
  problem?: string | undefined;
}

function Scanned({ label, sns, nothing, problem }: ScannedProps) {
  return (
    <Box role="group" aria-label={label}>
      <Box sx={{ fontSize: 12, lineHeight: '16px', color: 'text.secondary', mb: '2px' }}>{label}</Box>
      {sns.length === 0 && <Box sx={{ color: 'text.secondary' }}>{nothing}</Box>}
      {sns.map((sn) => (
        <Box key={sn} sx={{ ...codeSx, fontWeight: 600 }}>
          {sn}
        </Box>
      ))}
      {problem && <Wrong>{problem}</Wrong>}
    </Box>
  );
}

const Wrong = ({ children }: { children: string | undefined }) => (
  <Box role="alert" sx={{ color: 'error.main', fontSize: 12, mt: 1 }}>
    {children}
  </Box>
);
