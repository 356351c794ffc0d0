import { useEffect } from 'react';
import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import { isOver } from '#domain/jobs.ts';
import { JobProgress } from '#app/jobs/JobLine.tsx';
import { useJob, useJobActions, useRefreshJobs } from '#app/jobs/useJobs.ts';

/** An export that takes longer than its call: how far it is; it goes on when this is closed. */
export function ExportProgress({ jobId, onClose }: { jobId: number; onClose: () => void }) {
  const translate = useTranslate();
  const job = useJob(jobId);
  const { fetchFile, cancel } = useJobActions();
  const refresh = useRefreshJobs();
  useEffect(refresh, [refresh, jobId]);
  const isRunning = !job || !isOver(job.state);
  const save = async () => {
    if (await fetchFile(jobId)) onClose();
  };
  return (
    <>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 3, minHeight: 96 }}>
        {job && isRunning && <JobProgress job={job} />}
        {job && !isRunning && (
          <Alert severity={job.state === 'done' ? 'success' : job.state === 'failed' ? 'error' : 'warning'}>
            {job.state === 'done'
              ? translate('shell.download.done')
              : job.msg || translate(`shell.jobs.state.${job.state}`)}
          </Alert>
        )}
        {isRunning && <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{translate('shell.download.hint')}</Box>}
      </DialogContent>
      <DialogActions>
        {isRunning && (
          <Button variant="outlined" color="inherit" onClick={() => void cancel(jobId)}>
            {translate('shell.jobs.cancel')}
          </Button>
        )}
        <Button
          variant={isRunning ? 'contained' : 'outlined'}
          color={isRunning ? 'primary' : 'inherit'}
          onClick={onClose}
        >
          {translate(isRunning ? 'shell.jobs.background' : 'shell.jobs.close')}
        </Button>
        {job?.path && (
          <Button variant="contained" onClick={() => void save()}>
            {translate('shell.jobs.save')}
          </Button>
        )}
      </DialogActions>
    </>
  );
}
