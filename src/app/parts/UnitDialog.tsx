import { useState, type ComponentProps } from 'react';
import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import { Choice } from '#app/parts/Choice.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { SnField } from '#app/parts/SnField.tsx';
import { REMARK_LENGTH } from '#domain/enums.ts';
import { normaliseSn } from '#domain/sn.ts';

interface Props extends Pick<DialogProps, 'button' | 'rows' | 'onClose'> {
  /** All in the user's language; `missing` stands at a field that is left empty. */
  words: { body: string; sn: string; remark: string; missing: string };
  /** Of the SN that was entered: why it can't be, or what is known of it; asked when the field is left. */
  verdict?: { problem?: string | undefined; hint?: string | undefined };
  onSn?: (sn: string) => void;
  choice: Omit<ComponentProps<typeof Choice>, 'error' | 'hasRoom'>;
  sending: boolean;
  problem: ComponentProps<typeof ActionModal>['problem'];
  onSubmit: (input: { sn: string; remark: string }) => void;
}

/** One unit, what is chosen for it, and why. The selected row's SN stands in it already. */
export function UnitDialog({ button, rows, words, verdict, onSn, choice, sending, problem, onSubmit, onClose }: Props) {
  const [sn, setSn] = useState(String(rows[0]?.['sn'] ?? ''));
  const [remark, setRemark] = useState('');
  const [asked, setAsked] = useState(false);
  const hasSn = sn.trim() !== '';
  const isChosen = !choice.required || choice.value !== '';

  const confirm = () => {
    setAsked(true);
    if (hasSn && isChosen) onSubmit({ sn: normaliseSn(sn), remark: remark.trim() });
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
      <div>{words.body}</div>
      <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, alignItems: 'start' }}>
        <SnField
          autoFocus={sn === ''}
          label={words.sn}
          value={sn}
          onChange={setSn}
          problem={asked && !hasSn ? words.missing : verdict?.problem}
          hint={verdict?.hint}
          onBlur={() => onSn?.(normaliseSn(sn))}
        />
        <Choice {...choice} hasRoom error={asked && !isChosen ? words.missing : undefined} />
      </Box>
      <TextField
        multiline
        minRows={2}
        label={words.remark}
        value={remark}
        onChange={(it) => setRemark(it.target.value)}
        slotProps={{ htmlInput: { maxLength: REMARK_LENGTH } }}
      />
    </ActionModal>
  );
}
