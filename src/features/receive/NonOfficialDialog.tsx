import { useState } from 'react';
import { useTranslate } from 'ra-core';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { SnField } from '#app/parts/SnField.tsx';
import { useDialogSubmit } from '#app/parts/useDialogSubmit.ts';
import { GoodsType } from '#domain/enums.ts';
import { normaliseSn } from '#domain/sn.ts';
import { createNonOfficial } from './contract.ts';

/** A device's SN that is not the company's own becomes known to the archive. Rule: receiving#not-ours. */
export default function NonOfficialDialog({ button, onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const { submit, sending, problem } = useDialogSubmit(createNonOfficial, { button, onDone, onClose });
  const [sn, setSn] = useState('');
  const [asked, setAsked] = useState(false);
  const isMissing = asked && sn.trim() === '';
  const confirm = () => {
    setAsked(true);
    if (sn.trim() !== '') void submit({ sn: normaliseSn(sn), type: GoodsType.Device });
  };
  return (
    <ActionModal
      title={button.btnName}
      action={button.btnName}
      sending={sending}
      problem={problem}
      onSubmit={confirm}
      onClose={onClose}
    >
      <div>{translate('stations.notOur.body')}</div>
      <SnField
        label={translate('stations.storeStart.sn')}
        value={sn}
        onChange={setSn}
        problem={isMissing ? translate('stations.emptyMsg') : undefined}
      />
    </ActionModal>
  );
}
