import { useState } from 'react';
import Chip from '@mui/material/Chip';
import Box from '@mui/material/Box';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import { factsOf } from '#app/engine/factsOf.tsx';
import { RowActions } from '#app/engine/RowActions.tsx';
import { addressOfBill } from '#app/parts/billPage.ts';
import { DetailLayout, Section } from '#app/parts/DetailLayout.tsx';
import { FactGrid } from '#app/parts/Facts.tsx';
import type { PageProps } from '#app/parts/page.ts';
import { ReadFailure } from '#app/parts/ReadFailure.tsx';
import { useLookup } from '#app/parts/useLookup.ts';
import { useRecord } from '#app/parts/useRecord.ts';
import { readAnew } from '#app/queryClient.ts';
import { useTabName } from '#app/shell/useTabName.ts';
import { BillActions } from './BillActions.tsx';
import { BillHead, type Bill } from './BillHead.tsx';
import { BillLineTable } from './BillLineTable.tsx';
import { billProgress, billUnits } from './contract.ts';
import { Pipeline, useStageName } from './Pipeline.tsx';
import { UnitTable, type BillUnit } from './UnitTable.tsx';

/** What the head says of a bill is not said again below it. */
const inHead = ['mtbId', 'receiveShipNo', 'receiveShipId', 'billStatus', 'siteId', 'userName'];

/** One customer's bill: who, what was promised, how far it has come, and its units. Rule: bills#detail. */
export default function MaintainBillDetailPage({ menuNo, id = '' }: PageProps) {
  const translate = useTranslate();
  const queries = useQueryClient();
  const { data: bill, error, reload } = useRecord<Bill>('rmaMaintainBill', id);
  const mtbId = bill?.mtbId ?? '';
  const { data: progress } = useLookup(billProgress, { mtbId }, { enabled: mtbId !== '', staleTime: 0 });
  const [selected, setSelected] = useState<ReadonlyMap<number, BillUnit>>(new Map());
  const [mtblId, setLine] = useState('');
  const [stage, setStage] = useState('');
  useTabName(bill?.mtbId);
  const select = (units: readonly BillUnit[], to: boolean) => {
    const next = new Map(selected);
    for (const unit of units)
      if (to) next.set(unit.id, unit);
      else next.delete(unit.id);
    setSelected(next);
  };
  const clear = () => setSelected(new Map());
  const readAgain = () => {
    clear();
    reload();
    for (const { path } of [billProgress, billUnits]) void readAnew(queries, { queryKey: [path] });
  };
  const lines = bill?.rmaMaintainBillLineList ?? [];
  const opened = lines.find((it) => it['mtblId'] === mtblId);
  const view = bill?.view.lines?.['rmaMaintainBillLineList'] ?? { label: '', columns: [] };
  return (
    <DetailLayout
      head={<BillHead isReading={error === ''} menuNo={menuNo} bill={bill} progress={progress} onDone={readAgain} />}
      isReading={!bill && error === ''}
      footer={
        bill && (
          <BillActions
            rows={[...selected.values()]}
            onUnselect={(units) => select(units as readonly BillUnit[], false)}
            onClear={clear}
            onDone={readAgain}
          />
        )
      }
    >
      {error && (
        <ReadFailure
          text={translate('shell.notice.failed', { action: translate('shell.detail.failed') })}
          reason={error}
          onAgain={reload}
        />
      )}
      {bill && (
        <>
          <Pipeline counts={progress?.stages ?? []} chosen={stage} onChoose={setStage} />
          <BillLineTable view={view} labels={bill.view.labels} lines={lines} opened={mtblId} onOpen={setLine} />
          <Section title={translate('stations.maintainBill.units')}>
            <Applied
              line={opened && String(opened['itemName'] || opened['salesCode'])}
              stage={stage}
              onLine={() => setLine('')}
              onStage={() => setStage('')}
            />
            {opened && <RowActions menuNo="rmaMaintainBillLineList" rows={[opened]} onDone={nothing} />}
            <UnitTable mtbId={mtbId} mtblId={mtblId} stage={stage} selected={selected} onSelect={select} />
          </Section>
          <FactGrid
            isFramed
            facts={factsOf({
              columns: bill.view.fields.filter((it) => !inHead.includes(it.name)),
              row: bill,
              labels: bill.view.labels,
              own: addressOfBill(menuNo, bill.mtbId),
            })}
          />
        </>
      )}
    </DetailLayout>
  );
}

/** What is done to a line here changes nothing that is shown of it. */
const nothing = () => undefined;

interface AppliedProps {
  line: string | undefined;
  stage: string;
  onLine: () => void;
  onStage: () => void;
}

/** Of which line and at which step the units are that are shown. */
function Applied({ line, stage, onLine, onStage }: AppliedProps) {
  const nameOf = useStageName();
  if (line === undefined && stage === '') return null;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, mb: 2 }}>
      {line !== undefined && <Chip size="small" label={line} onDelete={onLine} />}
      {stage !== '' && <Chip size="small" label={nameOf(stage)} onDelete={onStage} />}
    </Box>
  );
}
