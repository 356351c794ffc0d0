import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { groupedCount } from '#app/fields/format.ts';
import { useNotices, useReasonOf } from '#app/notify.ts';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { LotTable } from '#app/parts/LotTable.tsx';
import { useLabelOf } from '#app/parts/optionLabels.ts';
import { RemarkField } from '#app/parts/RemarkField.tsx';
import { useDialogSubmit } from '#app/parts/useDialogSubmit.ts';
import { newKey, send } from '#app/send.ts';
import { codeSx } from '#app/theme.ts';
import { MOST_ENTRIES, rollbackMany } from './contract.ts';

/** The selected entries are undone, all of them or none; before, they are shown in the order in which it goes. Rule: wafer-bank#rollback. */
export default function RollbackManyDialog({ button, rows, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const notices = useNotices();
  const reasonOf = useReasonOf();
  const labelOf = useLabelOf();
  const [key] = useState(newKey);
  const [remark, setRemark] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const ids = rows.map((it) => it.id);
  const isTooMany = ids.length > MOST_ENTRIES;
  const { data, error } = useQuery({
    queryKey: ['icopTransaction', 'rollbackMany', key],
    queryFn: () => send(rollbackMany, { ids, dryRun: true }, { key }),
    enabled: !isTooMany,
    gcTime: 0,
    staleTime: Infinity,
  });
  const { submit, sending, problem } = useDialogSubmit(rollbackMany, { button, onDone, onClose });
  const words = (name: string, args?: object) => translate(`bills.rollbackMany.${name}`, args);
  const entries = data?.entries ?? [];

  const press = () => {
    setIsMissing(remark.trim() === '');
    if (remark.trim() === '') return notices.warning(translate('shell.form.requiredAll'));
    const versions = Object.fromEntries(entries.map((it) => [it.id, it.version]));
    void submit({ ids, versions, remark: remark.trim() });
  };
  const refused = isTooMany ? words('tooMany', { max: MOST_ENTRIES }) : error ? reasonOf(error) : problem;
  return (
    <ActionModal
      danger
      width="wafers"
      title={`${button.btnName} · ${groupedCount(ids.length)}`}
      action={button.btnName}
      sending={sending}
      disabled={!data}
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
            numbers={[5]}
            heads={[
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
                <td>{it.id}</td>
                <td>{labelOf('icopTransactionTypes', it.transactionType)}</td>
                {[it.wipId, it.waferLotId].map((code) => (
                  <td key={code}>
                    <Box component="span" sx={codeSx}>
                      {code}
                    </Box>
                  </td>
                ))}
                <td>{it.piece}</td>
                <td className="number">{groupedCount(it.qty)}</td>
                <td>
                  <Box component="span" sx={codeSx}>
                    {it.workOrderNo}
                  </Box>
                </td>
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
