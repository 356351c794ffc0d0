import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import type { Pager } from '#app/engine/wire.ts';
import { useReasonOf } from '#app/notify.ts';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import { Choice } from '#app/parts/Choice.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { useDialogSubmit } from '#app/parts/useDialogSubmit.ts';
import { sendTo } from '#app/send.ts';
import { updateSiteId } from './contract.ts';

/** Spec 1 §9: a select list takes 100. */
const sites = { method: 'GET', path: '/api/ubsSite/pager.json', writes: false } as const;

/** Gives the selected bill to another site. Spec 1 §2. */
export default function EditSiteDialog({ button, rows, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const reasonOf = useReasonOf();
  const { submit, sending, problem } = useDialogSubmit(updateSiteId, { button, onDone, onClose });
  const [row] = rows;
  const [siteId, setSiteId] = useState(String(row?.['siteId'] ?? ''));
  const [asked, setAsked] = useState(false);
  const { data, error } = useQuery({
    queryKey: [sites.path, 'all'],
    queryFn: () => sendTo<Pager>(sites, { pageStart: 0, pageCount: 100 }),
  });
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
      problem={problem || (error ? reasonOf(error) : '')}
      onSubmit={confirm}
      onClose={onClose}
    >
      <Choice
        required
        hasRoom
        label={translate('shell.editSite.site')}
        value={siteId}
        options={(data?.items ?? []).map((it) => ({
          value: String(it['siteId']),
          label: String(it['siteName'] ?? it['siteId']),
        }))}
        error={asked && siteId === '' ? translate('shell.form.requiredAll') : undefined}
        onChange={setSiteId}
      />
    </ActionModal>
  );
}
