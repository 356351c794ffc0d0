import { useState } from 'react';
import { useTranslate } from 'ra-core';
import type { DialogProps } from '#app/parts/dialog.ts';
import { useOptions } from '#app/parts/optionLabels.ts';
import { UnitDialog } from '#app/parts/UnitDialog.tsx';
import { useDialogSubmit } from '#app/parts/useDialogSubmit.ts';
import { storeStart } from './contract.ts';
import { ACTIVATION_SHELF } from './rules.ts';

/** Inventory activation: an SN, the warehouse that it comes from, and why. Rule: events#e23. */
export default function StoreStartDialog({ button, rows, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const warehouses = useOptions('subinventory');
  const { submit, sending, problem } = useDialogSubmit(storeStart, { button, onDone, onClose });
  const [subinventoryCode, setWarehouse] = useState(ACTIVATION_SHELF);

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
