import type { ReactNode } from 'react';
import { useTranslate } from 'ra-core';
import { Link } from 'react-router-dom';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Choice } from '#app/parts/Choice.tsx';
import { PageHead } from '#app/parts/PageHead.tsx';
import type { DraftPart } from './useDraftPart.ts';

/** Which draft is edited, and what else can be chosen. */
export interface EditorChoice {
  /** Where it begins: a part of the module, and what of it. */
  place?: { at: string; name: string };
  drafts: readonly { id: number; name: string }[];
  /** Which module of the draft, where there is a choice. */
  chooser?: ReactNode;
  /** Another draft is chosen; left out where the address says which. */
  onDraft?: (id: number) => void;
}

interface Props extends EditorChoice {
  menuNo: string;
  editing: DraftPart;
  /** What is changed, and beside it how it will be. */
  children: ReactNode;
  preview: ReactNode;
}

/** The page of an editor: which draft, how it stands, whom it met, and the way to check and publish it. Rule: definitions#drafts. */
export function EditorFrame({ menuNo, editing, drafts, chooser, onDraft, children, preview }: Props) {
  const translate = useTranslate();
  const say = (key: string, args?: object) => translate(`studio.configure.${key}`, args);
  const { draftId, conflict, problem, settle } = editing;
  return (
    <Box sx={{ display: 'flex', flexDirection: 'column', minHeight: '100%', p: 4, pt: 3, gap: 3 }}>
      <PageHead menuNo={menuNo} status={{ label: say(statusOf(editing)) }}>
        {chooser}
        {onDraft && (
          <Choice
            place="inside"
            label={say('draft')}
            value={draftId > 0 ? String(draftId) : ''}
            none={say('newDraft')}
            required
            options={drafts.map((it) => ({ value: String(it.id), label: it.name }))}
            onChange={(it) => onDraft(Number(it))}
          />
        )}
        {draftId > 0 && (
          <Button component={Link} to={`/sysDraftList/detail/${draftId}`} variant="contained">
            {say('review')}
          </Button>
        )}
      </PageHead>
      {problem && (
        <Alert severity="error" role="alert">
          {problem}
        </Alert>
      )}
      {conflict && (
        <Alert
          severity="warning"
          role="alert"
          action={
            <>
              <Button onClick={() => settle('theirs')}>{say('theirs')}</Button>
              <Button onClick={() => settle('mine')}>{say('mine')}</Button>
            </>
          }
        >
          {say('conflict', { user: conflict.updateBy })}
        </Alert>
      )}
      <Box
        sx={{
          flex: 1,
          display: 'grid',
          gap: 4,
          alignItems: 'start',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(380px, 2fr) minmax(0, 3fr)' },
        }}
      >
        <Box sx={{ minWidth: 0 }}>{children}</Box>
        {preview}
      </Box>
    </Box>
  );
}

function statusOf({ isSaving, savedAt, change }: DraftPart): string {
  if (isSaving) return 'saving';
  if (Object.keys(change).length === 0) return 'unchanged';
  return savedAt > 0 ? 'saved' : 'changed';
}
