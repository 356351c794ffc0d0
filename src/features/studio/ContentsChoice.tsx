import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { InputOf } from '#domain/call.ts';
import type { DefinitionChange } from '#domain/definition/change.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { notices, useReasonOf } from '#app/notify.ts';
import { readAnew } from '#app/queryClient.ts';
import { send } from '#app/send.ts';
import { checkDraft, readDraft, saveChange } from './contract.ts';
import { answerContents, renameHeld, type Held } from './rules.contents.ts';

interface Props {
  held: Held;
  change: DefinitionChange;
  current: Definition | null;
  isBusy?: boolean;
  /** With the new name where that was chosen. */
  onChange: (to: DefinitionChange, name?: string) => void;
}

/** What is to become of what is still there under a new name. Rule: definitions#former-contents. */
export function ContentsChoice({ held, change, current, isBusy = false, onChange }: Props) {
  const translate = useTranslate();
  const say = (key: string) => translate(`studio.contents.${key}`);
  const { field, answer, may } = held;
  const rename = () => {
    const renamed = renameHeld(change, current, field);
    onChange(renamed.change, renamed.name);
  };
  return (
    <Box role="group" aria-label={say('choose')} sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, my: 1 }}>
      {may.map((it) => (
        <Button
          key={it}
          aria-pressed={answer === it}
          variant={answer === it ? 'contained' : 'outlined'}
          color={it === 'empty' ? 'error' : 'primary'}
          disabled={isBusy}
          onClick={() => onChange(answerContents(change, field, it))}
        >
          {say(it)}
        </Button>
      ))}
      <Button variant="outlined" disabled={isBusy} onClick={rename}>
        {say('rename')}
      </Button>
    </Box>
  );
}

/** Takes out an answer about what is not new. */
export function WithdrawAnswer({
  field,
  change,
  isBusy,
  onChange,
}: Omit<Props, 'held' | 'current'> & Pick<Held, 'field'>) {
  const translate = useTranslate();
  return (
    <Button
      variant="outlined"
      disabled={isBusy ?? false}
      sx={{ display: 'block', my: 1 }}
      onClick={() => onChange(answerContents(change, field, null))}
    >
      {translate('studio.contents.withdraw')}
    </Button>
  );
}

/** Saves a part of a draft as it is shown, at once; what somebody saved meanwhile is shown and kept. */
export function useSavePart(draftId: number) {
  const client = useQueryClient();
  const reasonOf = useReasonOf();
  const { mutate, isPending } = useMutation({
    mutationKey: [saveChange.path],
    networkMode: 'always',
    mutationFn: (input: InputOf<typeof saveChange>) => send(saveChange, input),
    onError: (error) => notices.error(reasonOf(error)),
    onSettled: () =>
      Promise.all([readDraft.path, checkDraft.path, 'sysDraftList'].map((it) => readAnew(client, { queryKey: [it] }))),
  });
  const save = ({ module, version }: { module: string; version: number }, to: DefinitionChange) =>
    mutate({ draftId, module, version, change: to as Record<string, unknown> });
  return { save, isSaving: isPending };
}
