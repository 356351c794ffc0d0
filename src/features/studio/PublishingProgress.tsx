import { useEffect, useRef } from 'react';
import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import { publishStepOf } from '#domain/publishing.ts';
import { shortMomentOf } from '#app/fields/format.ts';
import { JobProgress } from '#app/jobs/JobLine.tsx';
import { useJobActions, useRefreshJobs } from '#app/jobs/useJobs.ts';
import { useUser } from '#app/session.ts';
import { isRunning, type Publishing } from './usePublishing.ts';

/** How far a publish is: a bar, and in words what it does. Rule: definitions#publishing. */
function PublishingProgress({ publishing, title }: { publishing: Publishing; title: string }) {
  const translate = useTranslate();
  const { state, progress, total, waitsFor } = publishing;
  const { name, ...args } = publishStepOf(progress, total ?? 0);
  const waiting = waitsFor && (waitsFor.userId === '' ? 'waitStart' : 'wait');
  const step = state === 'queued' ? 'queue' : (waiting ?? name);
  const whom = waitsFor && { user: waitsFor.userName, time: shortMomentOf(waitsFor.since) };
  return (
    <Box>
      <JobProgress job={{ title, state, progress, total }} />
      <Box aria-live="polite" sx={{ fontSize: 13 }}>
        {translate(`studio.publish.steps.${step}`, { ...args, ...whom })}
      </Box>
    </Box>
  );
}

/** Until it is written, by whoever ordered it. */
function useMayCancel({ userId, progress, total }: Publishing): boolean {
  return useUser()?.userId === userId && publishStepOf(progress, total ?? 0).name !== 'rules';
}

interface FollowedProps {
  title: string;
  publishing: Publishing;
  onCancel: () => void;
  onClose: () => void;
}

/** A publish at work, within a modal: it goes on when that is closed. */
export function FollowedPublish({ title, publishing, onCancel, onClose }: FollowedProps) {
  const translate = useTranslate();
  const mayCancel = useMayCancel(publishing);
  const refresh = useRefreshJobs();
  // Once this is closed the top bar says how it ends.
  useEffect(() => refresh, [refresh]);
  return (
    <>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 3 }}>
        <PublishingProgress publishing={publishing} title={title} />
        <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{translate('studio.publish.working')}</Box>
      </DialogContent>
      <DialogActions>
        {mayCancel && (
          <Button variant="outlined" color="inherit" onClick={onCancel}>
            {translate('shell.jobs.cancel')}
          </Button>
        )}
        <Button variant="contained" onClick={onClose}>
          {translate('shell.jobs.background')}
        </Button>
      </DialogActions>
    </>
  );
}

interface NoteProps {
  kind: 'publish' | 'takeBack';
  publishing: Publishing | null | undefined;
  /** Told when it is over. */
  onOver: () => void;
}

/** On the page of what is published or taken back: that it is, by whom, and how far it is. */
export function PublishingNote({ kind, publishing, onOver }: NoteProps) {
  const running = publishing && isRunning(publishing) ? publishing : null;
  const wasRunning = useRef(false);
  useEffect(() => {
    if (wasRunning.current && !running) onOver();
    wasRunning.current = running !== null;
  }, [running, onOver]);
  return running && <RunningNote kind={kind} publishing={running} />;
}

function RunningNote({ kind, publishing }: { kind: NoteProps['kind']; publishing: Publishing }) {
  const translate = useTranslate();
  const { cancel } = useJobActions();
  const mayCancel = useMayCancel(publishing);
  const title = translate(`studio.${kind}.running`, { user: publishing.userName });
  return (
    <Alert
      severity="info"
      role="status"
      sx={{ '.MuiAlert-message': { flex: 1 } }}
      action={
        mayCancel && (
          <Button color="inherit" onClick={() => void cancel(publishing.jobId)}>
            {translate('shell.jobs.cancel')}
          </Button>
        )
      }
    >
      {title}
      <PublishingProgress publishing={publishing} title={title} />
    </Alert>
  );
}
