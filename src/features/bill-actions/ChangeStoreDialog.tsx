import { useState } from 'react';
import { useTranslate } from 'ra-core';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import { Choice } from '#app/parts/Choice.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { useDialogSubmit } from '#app/parts/useDialogSubmit.ts';
import { useSites } from '#app/parts/useSites.ts';
import { ActedRows, itemsOf } from './ActedRows.tsx';
import { changeSite } from './contract.ts';

/** Gives the selected items to another site. Rule: events#e33. */
export default function ChangeStoreDialog({ button, rows, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const { submit, sending, problem } = useDialogSubmit(changeSite, { button, onDone, onClose });
  const { sites, error, state } = useSites();
  const [siteId, setSiteId] = useState('');
  const [asked, setAsked] = useState(false);

  const confirm = () => {
    setAsked(true);
    if (siteId !== '') void submit({ rmaMaintainBillLineItemList: itemsOf(rows), updateSiteId: siteId });
  };
  return (
    <ActionModal
      title={button.btnName}
      action={button.btnName}
      sending={sending}
      problem={problem || error}
      onSubmit={confirm}
      onClose={onClose}
    >
      <ActedRows rows={rows} />
      <div>{translate('stations.billAction.storeHint')}</div>
      <Choice
        required
        hasRoom
        label={translate('stations.billAction.site')}
        value={siteId}
        options={sites}
        state={state}
        error={asked && siteId === '' ? translate('stations.emptyMsg') : undefined}
        onChange={setSiteId}
      />
    </ActionModal>
  );
}
