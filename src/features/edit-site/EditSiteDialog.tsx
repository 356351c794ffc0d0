import { useState } from 'react';
import { useTranslate } from 'ra-core';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import { Choice } from '#app/parts/Choice.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { useDialogSubmit } from '#app/parts/useDialogSubmit.ts';
import { useSites } from '#app/parts/useSites.ts';
import { updateSiteId } from './contract.ts';

/** Gives the selected bill to another site. Rule: bills#site. */
export default function EditSiteDialog({ button, rows, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const { submit, sending, problem } = useDialogSubmit(updateSiteId, { button, onDone, onClose });
  const [row] = rows;
  const [siteId, setSiteId] = useState(String(row?.['siteId'] ?? ''));
  const [asked, setAsked] = useState(false);
  const { sites, error, state } = useSites();
  if (!row) return null;

  const confirm = () => {
    setAsked(true);
    if (siteId !== '') void submit({ id: String(row.id), siteId });
  };
  return (
    <ActionModal
      title={`${button.btnName} · ${String(row['mtbId'] ?? row.id)}`}
      action={button.btnName}
      sending={sending}
      problem={problem || error}
      onSubmit={confirm}
      onClose={onClose}
    >
      <Choice
        required
        hasRoom
        label={translate('shell.editSite.site')}
        value={siteId}
        options={sites}
        state={state}
        error={asked && siteId === '' ? translate('shell.form.requiredAll') : undefined}
        onChange={setSiteId}
      />
    </ActionModal>
  );
}
