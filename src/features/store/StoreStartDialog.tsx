import { useState } from 'react';
import { useTranslate } from 'ra-core';
import { useReasonOf } from '#app/notify.ts';
import type { DialogProps } from '#app/parts/dialog.ts';
import { useLabelOf, useOptions } from '#app/parts/optionLabels.ts';
import { UnitDialog } from '#app/parts/UnitDialog.tsx';
import { useDialogSubmit } from '#app/parts/useDialogSubmit.ts';
import { useLookup } from '#app/parts/useLookup.ts';
import { activateInventory, storeStart, validateInventorySn } from './contract.ts';
import { ACTIVATION_SHELF } from './rules.ts';

/**
 * Inventory activation: an SN, the warehouse that it comes from, and why. Opened from the inventory it says of an SN
 * where it stands, or why it can't be, before anything is sent. Rule: events#e23.
 */
export default function StoreStartDialog({ module, button, rows, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  const reasonOf = useReasonOf();
  const warehouses = useOptions('subinventory');
  const isInventory = module === 'rmaInventory';
  const call = isInventory ? activateInventory : storeStart;
  const { submit, sending, problem } = useDialogSubmit(call, { button, onDone, onClose });
  const [subinventoryCode, setWarehouse] = useState(ACTIVATION_SHELF);
  const [sn, setSn] = useState(String(rows[0]?.['sn'] ?? ''));
  const { data, error } = useLookup(validateInventorySn, { sn }, { enabled: isInventory && sn !== '' });
  const stands = data?.ivyId ? labelOf('nodes', data.ivyId) : translate('stations.history.notHere');

  return (
    <UnitDialog
      button={button}
      rows={rows}
      words={{
        body: translate('stations.storeStart.body'),
        sn: translate('stations.storeStart.sn'),
        remark: translate('stations.field.remark'),
        missing: translate('stations.emptyMsg'),
      }}
      verdict={{
        problem: error ? reasonOf(error) : undefined,
        hint: data ? [stands, data.itemName ?? data.salesCode].filter(Boolean).join(' · ') : undefined,
      }}
      onSn={setSn}
      choice={{
        label: translate('stations.storeStart.warehouse'),
        value: subinventoryCode,
        options: warehouses.map(({ value, label }) => ({ value, label: `${value}  ${label}` })),
        onChange: setWarehouse,
      }}
      sending={sending}
      problem={problem}
      onSubmit={(it) => void submit({ ...it, subinventoryCode })}
      onClose={onClose}
    />
  );
}
