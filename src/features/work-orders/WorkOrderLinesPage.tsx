import { useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { useRefresh, useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { DataOf } from '#domain/call.ts';
import { banksOf, WorkOrderStatus, type WorkOrderModule } from '#domain/wafer.ts';
import { statusOf } from '#app/engine/factsOf.tsx';
import { moduleOf } from '#app/engine/module.ts';
import { useUnsaved } from '#app/engine/useUnsaved.ts';
import type { Detail } from '#app/engine/wire.ts';
import { EMPTY, groupedCount, listed, textOf } from '#app/fields/format.ts';
import { useNotices, useReasonOf } from '#app/notify.ts';
import { Choice } from '#app/parts/Choice.tsx';
import { DetailLayout } from '#app/parts/DetailLayout.tsx';
import { FormFrame } from '#app/parts/FormFrame.tsx';
import type { PageProps } from '#app/parts/page.ts';
import { PageHead } from '#app/parts/PageHead.tsx';
import { ReadFailure } from '#app/parts/ReadFailure.tsx';
import { toOptions } from '#app/parts/toOptions.ts';
import { useLookup } from '#app/parts/useLookup.ts';
import { useRecord } from '#app/parts/useRecord.ts';
import { useSeen } from '#app/parts/useSeen.tsx';
import { useSubmit } from '#app/parts/useSubmit.ts';
import { useTabName } from '#app/shell/useTabName.ts';
import { toModifyLines } from './contract.ts';
import { ForeseenOutput } from './ForeseenOutput.tsx';
import { modifyCalls, toRequestLines } from './orderCalls.tsx';
import { OtherSupplier } from './OtherSupplier.tsx';
import { PickedLots } from './PickedLots.tsx';
import { selectedOf, withMore, type SelectedLot } from './rules.ts';
import { WaferDialog } from './WaferDialog.tsx';

type Order = Detail & { workOrderNo: string; billStatus: string; version: number; supplierId: string };
type Held = DataOf<ReturnType<typeof toModifyLines>>;

/** What a draft holds, and of which supplier it is, is changed in place. Rule: wafer-bank#drafts. */
export default function WorkOrderLinesPage({ menuNo, id = '' }: PageProps) {
  const module = moduleOf(menuNo) as WorkOrderModule;
  const translate = useTranslate();
  const reasonOf = useReasonOf();
  const { data: order, error, reload } = useRecord<Order>(module, id);
  useTabName(order?.workOrderNo);
  const isDraft = order?.billStatus === WorkOrderStatus.Draft;
  const held = useLookup(toModifyLines(module), { id }, { enabled: isDraft, staleTime: 0 });
  const again = () => {
    reload();
    void held.refetch();
  };
  const head = (
    <PageHead
      menuNo={menuNo}
      isReading={!order}
      status={order && statusOf(order.view, order)}
      facts={order ? factsOf(order) : []}
    />
  );
  // While one of both is read anew, what was picked stays over what was read before.
  const both = order && isDraft && held.data?.version === order.version ? { order, held: held.data } : undefined;
  const [last, setLast] = useState(both);
  if (both && (both.order !== last?.order || both.held !== last.held)) setLast(both);
  const shown = both ?? (isDraft ? last : undefined);
  if (shown) return <DraftLines {...{ menuNo, module, head, ...shown }} reload={again} />;
  const reason = error || (held.error ? reasonOf(held.error) : '');
  return (
    <DetailLayout head={head} isReading={reason === '' && (!order || isDraft)}>
      {reason !== '' && (
        <ReadFailure
          text={translate('shell.notice.failed', { action: translate('shell.detail.failed') })}
          reason={reason}
          onAgain={again}
        />
      )}
      {order && !isDraft && <Alert severity="info">{translate('bills.order.noDraft')}</Alert>}
    </DetailLayout>
  );
}

/** By which it is told what may be taken. */
const told = ['processType', 'ftType', 'devicePn', 'waferPn', 'lotType', 'engineeringCode'];
const factsOf = (order: Order) =>
  told
    .flatMap((name) => order.view.fields.find((it) => it.name === name) ?? [])
    .map((it) => ({ label: it.label, value: textOf(it, order[it.name], order.view.labels) }));

interface Props {
  menuNo: string;
  module: WorkOrderModule;
  order: Order;
  held: Held;
  head: ReactNode;
  reload: () => void;
}

/** Goes by the draft as it was when it was opened, until its reader has looked again: what he has picked stays. */
function DraftLines({ menuNo, module, order: now, held: heldNow, head, reload }: Props) {
  const translate = useTranslate();
  const notices = useNotices();
  const navigate = useNavigate();
  const refresh = useRefresh();
  const [{ order, held }, setSeen] = useState({ order: now, held: heldNow });
  const [looksAgain, setLooksAgain] = useState(false);
  const { version, failed, notice } = useSeen(module, order, () => {
    setLooksAgain(true);
    reload();
  });
  const { submit, sending, problem } = useSubmit(modifyCalls[module], failed);
  const isFt = module === 'icopFtWorkOrder';
  const text = (name: string) => String(order[name] ?? '');
  const part = text(isFt ? 'devicePn' : 'waferPn');
  const start = selectedOf(held, part);
  /** What was changed; nothing where the draft is as it was. */
  const [changed, setPicked] = useState<readonly SelectedLot[]>();
  const [chosen, setSupplierId] = useState<string>();
  const [picked, supplierId] = [changed ?? start, chosen ?? order.supplierId];
  const [isKept, setIsKept] = useState(false);
  /** The supplier who is to be confirmed. */
  const [other, setOther] = useState<string>();
  const [isChoosing, setIsChoosing] = useState(false);
  const isMoved = supplierId !== order.supplierId;
  const isDirty = isMoved || JSON.stringify(picked) !== JSON.stringify(start);
  useUnsaved(isDirty);
  if (now.version !== order.version && (looksAgain || !isDirty)) {
    setSeen({ order: now, held: heldNow });
    setLooksAgain(false);
    setIsKept(isDirty);
  }
  const kind = { processType: text('processType'), ftType: text('ftType') };

  const undo = () => {
    setPicked(undefined);
    setSupplierId(undefined);
    setIsKept(false);
  };
  const save = async () => {
    if (picked.length === 0 && !isMoved) return notices.warning(translate('bills.order.noWafers'));
    const answer = await submit({
      ...{ id: String(order.id), version, supplierId, ...(isMoved && { linesGo: true }) },
      ...toRequestLines(module, picked),
    } as never);
    if (!answer) return;
    // The tab keeps this page: what was saved is no change any more.
    undo();
    setLooksAgain(false);
    notices.success(translate('bills.order.changed', { no: answer.workOrderNo }));
    refresh();
    void navigate(`/${menuNo}/detail/${answer.id}`);
  };
  const turnTo = (it: string) => {
    if (it === '' || it === supplierId) return;
    if (picked.length === 0) setSupplierId(it);
    else setOther(it);
  };
  return (
    <FormFrame
      wide
      menuNo={menuNo}
      title={order.workOrderNo}
      head={head}
      problem={problem}
      primary={{ label: translate('shell.form.save'), press: () => void save(), disabled: sending }}
    >
      {notice}
      {isKept && isDirty && (
        <Alert
          severity="info"
          action={
            <Button color="inherit" onClick={undo}>
              {translate('bills.order.showHeld')}
            </Button>
          }
        >
          {translate('bills.order.kept', { now: nameLots(start) })}
        </Alert>
      )}
      <Box sx={{ maxWidth: 400 }}>
        <Choice
          required
          minWidth={280}
          label={translate('bills.order.supplier')}
          value={supplierId}
          options={toOptions(held.suppliers)}
          asked={held.hasMoreSuppliers ? { module, field: 'supplierId' } : undefined}
          onChange={turnTo}
        />
      </Box>
      <Box component="section">
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 3, mb: 2 }}>
          <Box component="h2" sx={{ m: 0, fontSize: 15, fontWeight: 600 }}>
            {translate('bills.order.wafers')}
          </Box>
          <Button variant="outlined" onClick={() => setIsChoosing(true)}>
            {translate(isFt ? 'bills.order.addLots' : 'bills.order.addWafers')}
          </Button>
        </Box>
        <PickedLots picked={picked} isFt={isFt} onChange={setPicked} />
        <Box sx={{ mt: 2 }}>
          <ForeseenOutput {...{ module, ...kind, part }} picked={picked} />
        </Box>
      </Box>
      {isChoosing && (
        <WaferDialog
          {...{ module, supplierId, ...kind, part, picked }}
          stages={banksOf(module, kind)}
          bin={text('ftBin')}
          own={held.lots}
          onPick={(more) => setPicked(withMore(picked, more))}
          onClose={() => setIsChoosing(false)}
        />
      )}
      {other !== undefined && (
        <OtherSupplier
          count={picked.length}
          onConfirm={() => {
            setSupplierId(other);
            setPicked([]);
            setOther(undefined);
          }}
          onCancel={() => setOther(undefined)}
        />
      )}
    </FormFrame>
  );
}

/** By its lots, with how many dies of each. */
function nameLots(picked: readonly SelectedLot[]): string {
  const dies = new Map<string, number>();
  for (const it of picked) dies.set(it.waferLotId, (dies.get(it.waferLotId) ?? 0) + it.inputQty);
  return listed([...dies].map(([name, qty]) => `${name} (${groupedCount(qty)})`)) || EMPTY;
}
