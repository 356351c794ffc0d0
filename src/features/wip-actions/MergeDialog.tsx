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
import { LotTable } from '#app/parts/LotTable.tsx';
import { useDialogSubmit } from '#app/parts/useDialogSubmit.ts';
import { useLookup } from '#app/parts/useLookup.ts';
import { codeSx } from '#app/theme.ts';
import { merge, toMerge } from './contract.ts';

/** The lots that become one with the selected one are chosen of those that are the same goods. Rule: wafer-bank#merge. */
export default function MergeDialog({ button, rows, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const reasonOf = useReasonOf();
  const [row] = rows;
  const id = String(row?.id ?? '');
  const { data, error } = useLookup(toMerge, { id }, { staleTime: 0 });
  const { submit, sending, problem } = useDialogSubmit(merge, { button, onDone, onClose });
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const words = (name: string, args?: object) => translate(`bills.merge.${name}`, args);
  const items = data?.items ?? [];
  const added = items.filter((it) => chosen.includes(it.wipId)).reduce((sum, it) => sum + it.chipQty, 0);
  // Lots of finished goods name no wafers.
  const hasWafers = items.some((it) => it.waferIds !== '');
  const own = String(row?.['wipId'] ?? '');

  return (
    <ActionModal
      width="wafers"
      title={`${button.btnName} · ${own}`}
      action={button.btnName}
      sending={sending}
      disabled={chosen.length === 0}
      problem={error ? reasonOf(error) : problem}
      onSubmit={() => void submit({ id, wipIds: chosen.join(',') })}
      onClose={onClose}
    >
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
              <td>
                <Box component="span" sx={codeSx}>
                  {it.wipId}
                </Box>
              </td>
              <td>
                <Box component="span" sx={codeSx}>
                  {it.waferLotId}
                </Box>
              </td>
              <td className="number">{groupedCount(it.chipQty)}</td>
              {hasWafers && <td>{it.waferIds}</td>}
              <td>
                <Box component="span" sx={codeSx}>
                  {it.workOrderNo}
                </Box>
              </td>
            </tr>
          ))}
        </LotTable>
      )}
      {chosen.length > 0 && (
        <Box role="status" sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}>
          {words('sums', { lots: chosen.length + 1, dies: groupedCount(Number(row?.['chipQty'] ?? 0) + added) })}
        </Box>
      )}
    </ActionModal>
  );
}
