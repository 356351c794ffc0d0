import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import Checkbox from '@mui/material/Checkbox';
import Skeleton from '@mui/material/Skeleton';
import { groupedCount } from '#app/fields/format.ts';
import { useNotices, useReasonOf } from '#app/notify.ts';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { LotTable } from '#app/parts/LotTable.tsx';
import { useLabelOf } from '#app/parts/optionLabels.ts';
import { RemarkField } from '#app/parts/RemarkField.tsx';
import { useDialogSubmit } from '#app/parts/useDialogSubmit.ts';
import { useLater } from '#app/parts/useLater.ts';
import { useLookup } from '#app/parts/useLookup.ts';
import { newKey, send } from '#app/send.ts';
import { rollbackMany, toRollBack } from './contract.ts';
import { isUnseen } from '#domain/signs.ts';

/**
 * Of what stands of an order several entries are undone, all of them or none: at first those from the newest down to the
 * selected one. What stops it is told before. Rule: wafer-bank#rollback.
 */
export default function RollbackManyDialog({ button, rows, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const notices = useNotices();
  const reasonOf = useReasonOf();
  const labelOf = useLabelOf();
  const [remark, setRemark] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const [chosen, setChosen] = useState<ReadonlySet<number>>();
  const selected = Number(rows[0]?.id ?? 0);
  const { data, error: unread } = useLookup(toRollBack, { id: String(selected) }, { staleTime: 0 });
  const entries = data?.entries ?? [];
  const ids = entries.map((it) => it.id).filter((it) => (chosen ? chosen.has(it) : it >= selected));
  // A dry run holds the order and its lots: one is asked for once nobody ticks on.
  const isSettled = useLater(ids.join()) === ids.join();
  const { data: shown, error: stops } = useQuery({
    queryKey: ['icopTransaction', 'rollbackMany', entries, ids],
    queryFn: () => send(rollbackMany, { ids, dryRun: true }, { key: newKey() }),
    enabled: ids.length > 0 && isSettled,
    gcTime: 0,
  });
  const error = unread ?? stops;
  const { submit, sending, problem } = useDialogSubmit(rollbackMany, { button, onDone, onClose });
  const words = (name: string) => translate(`bills.rollbackMany.${name}`);
  const choose = (id: number, isIn: boolean) => setChosen(new Set(isIn ? [...ids, id] : ids.filter((it) => it !== id)));

  const press = () => {
    setIsMissing(isUnseen(remark));
    if (isUnseen(remark)) return notices.warning(translate('shell.form.requiredAll'));
    const versions = Object.fromEntries((shown?.entries ?? []).map((it) => [it.id, it.version]));
    void submit({ ids, versions, remark: remark.trim() });
  };
  const refused = error ? reasonOf(error) : problem;
  return (
    <ActionModal
      danger
      width="wafers"
      title={`${button.btnName} · ${groupedCount(ids.length)}`}
      action={button.btnName}
      sending={sending}
      disabled={!shown || ids.length === 0}
      problem={refused}
      onSubmit={press}
      onClose={onClose}
    >
      {!data && refused === '' && <Skeleton variant="rounded" height={120} />}
      {data && (
        <>
          <div>{words('help')}</div>
          <LotTable
            label={words('entries')}
            numbers={[6]}
            heads={[
              '',
              words('entry'),
              words('type'),
              words('wip'),
              translate('bills.order.lot'),
              words('piece'),
              translate('bills.order.chips'),
              words('order'),
            ]}
          >
            {entries.map((it) => (
              <tr key={it.id}>
                <td>
                  <Checkbox
                    size="small"
                    sx={{ p: 0.5 }}
                    checked={ids.includes(it.id)}
                    onChange={(_, isIn) => choose(it.id, isIn)}
                    slotProps={{ input: { 'aria-label': String(it.id) } }}
                  />
                </td>
                <td>{it.id}</td>
                <td>{labelOf('icopTransactionTypes', it.transactionType)}</td>
                {[it.wipId, it.waferLotId].map((code) => (
                  <td key={code} className="code">
                    {code}
                  </td>
                ))}
                <td>{it.piece}</td>
                <td className="number">{groupedCount(it.qty)}</td>
                <td className="code">{it.workOrderNo}</td>
              </tr>
            ))}
          </LotTable>
          <RemarkField
            required
            minRows={2}
            label={translate('shell.rollback.remark')}
            value={remark}
            problem={isMissing ? translate('shell.form.requiredAll') : undefined}
            onChange={(it) => {
              setRemark(it);
              setIsMissing(false);
            }}
          />
        </>
      )}
    </ActionModal>
  );
}
