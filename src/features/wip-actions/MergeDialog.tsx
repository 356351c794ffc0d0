import { useState } from 'react';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import Skeleton from '@mui/material/Skeleton';
import { groupedCount } from '#app/fields/format.ts';
import { useReasonOf } from '#app/notify.ts';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { EmptyState } from '#app/parts/EmptyState.tsx';
import { LookAgain } from '#app/parts/LookAgain.tsx';
import { LotTable } from '#app/parts/LotTable.tsx';
import { useDialogSubmit } from '#app/parts/useDialogSubmit.ts';
import { useLookup } from '#app/parts/useLookup.ts';
import { useSeen } from '#app/parts/useSeen.tsx';
import { isRefusal } from '#app/send.ts';
import { merge, toMerge } from './contract.ts';

/** The lots that become one with the selected one are chosen of those that are the same goods. Rule: wafer-bank#merge. */
export default function MergeDialog({ button, rows, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const reasonOf = useReasonOf();
  const id = String(rows[0]?.id ?? '');
  const { data, error, refetch } = useLookup(toMerge, { id }, { staleTime: 0 });
  const { row, version, failed, notice } = useSeen('icopWip', rows[0]);
  // Which of the others has changed since.
  const [since, setSince] = useState('');
  const { submit, sending, problem } = useDialogSubmit(merge, { button, onDone, onClose }, (error) => {
    if (!isRefusal(error, 'lotChanged')) return failed(error);
    setSince(reasonOf(error));
    return true;
  });
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const words = (name: string, args?: object) => translate(`bills.merge.${name}`, args);
  const items = data?.items ?? [];
  // What was chosen may be no such lot by now.
  const lots = items.filter((it) => chosen.includes(it.wipId));
  const added = lots.reduce((sum, it) => sum + it.chipQty, 0);
  // Lots of finished goods name no wafers.
  const hasWafers = items.some((it) => it.waferIds !== '');
  const own = String(row?.['wipId'] ?? '');

  return (
    <ActionModal
      width="wafers"
      title={`${button.btnName} · ${own}`}
      action={button.btnName}
      sending={sending}
      disabled={lots.length === 0}
      problem={error ? reasonOf(error) : problem}
      onSubmit={() =>
        void submit({
          ...{ id, version, wipIds: lots.map((it) => it.wipId).join(',') },
          ...{ versions: lots.map((it) => it.version).join(','), chipQtys: lots.map((it) => it.chipQty).join(',') },
        })
      }
      onClose={onClose}
    >
      {since ? (
        <LookAgain
          text={since}
          onLook={() => {
            setSince('');
            void refetch();
          }}
        />
      ) : (
        notice
      )}
      <div>{words('help', { id: own })}</div>
      {!data && !error && <Skeleton variant="rounded" height={120} />}
      {data && items.length === 0 && <EmptyState isSmall text={words('none')} />}
      {items.length > 0 && (
        <LotTable
          label={words('lots')}
          numbers={[3]}
          heads={[
            '',
            words('wip'),
            translate('bills.order.lot'),
            translate('bills.order.chips'),
            ...(hasWafers ? [translate('bills.order.waferIds')] : []),
            words('order'),
          ]}
        >
          {items.map((it) => (
            <tr key={it.wipId}>
              <td>
                <Checkbox
                  size="small"
                  sx={{ p: 0.5 }}
                  checked={chosen.includes(it.wipId)}
                  onChange={(_, isOn) =>
                    setChosen([...chosen.filter((one) => one !== it.wipId), ...(isOn ? [it.wipId] : [])])
                  }
                  slotProps={{ input: { 'aria-label': it.wipId } }}
                />
              </td>
              <td className="code">{it.wipId}</td>
              <td className="code">{it.waferLotId}</td>
              <td className="number">{groupedCount(it.chipQty)}</td>
              {hasWafers && <td>{it.waferIds}</td>}
              <td className="code">{it.workOrderNo}</td>
            </tr>
          ))}
        </LotTable>
      )}
      {lots.length > 0 && (
        <Box role="status" sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}>
          {words('sums', { lots: lots.length + 1, dies: groupedCount(Number(row?.['chipQty'] ?? 0) + added) })}
        </Box>
      )}
    </ActionModal>
  );
}
