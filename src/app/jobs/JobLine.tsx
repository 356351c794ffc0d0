import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import Close from '@mui/icons-material/Close';
import FileDownloadOutlined from '@mui/icons-material/FileDownloadOutlined';
import { groupedCount } from '#app/fields/format.ts';
import { isOver, type Job } from '#domain/jobs.ts';
import { momentOf } from '#app/fields/format.ts';
import { leavesOut } from '#app/jobs/useJobs.ts';
import { IconAction } from '#app/parts/IconAction.tsx';
import { cutSx } from '#app/theme.ts';

interface JobLineProps {
  job: Job;
  onDownload: () => void;
  onCancel: () => void;
}

/** A job in the top bar's list: what it is, how far it is, and what can be done with it. */
export function JobLine({ job, onDownload, onCancel }: JobLineProps) {
  const translate = useTranslate();
  const isRunning = !isOver(job.state);
  return (
    <Box component="li" sx={{ display: 'flex', alignItems: 'center', gap: 2, px: 3, py: 1.5, minHeight: 48 }}>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Box sx={{ display: 'flex', gap: 2, fontSize: 13 }}>
          <Box sx={{ flex: 1, minWidth: 0, ...cutSx }}>{job.title}</Box>
          <Box sx={{ color: job.state === 'failed' ? 'error.main' : 'text.secondary', whiteSpace: 'nowrap' }}>
            {translate(`shell.jobs.state.${job.state}`)}
          </Box>
        </Box>
        {isRunning ? (
          <JobProgress job={job} />
        ) : (
          <Box sx={{ fontSize: 12, color: job.msg ? 'error.main' : 'text.secondary', overflowWrap: 'anywhere' }}>
            {job.msg || momentOf(job.finishedAt ?? job.createdAt)}
            {leavesOut(job) && <Box>{translate('shell.jobs.leftOut')}</Box>}
          </Box>
        )}
      </Box>
      {job.path && (
        <IconAction
          label={translate('shell.jobs.download', { title: job.title })}
          Icon={FileDownloadOutlined}
          color="primary"
          onClick={onDownload}
        />
      )}
      {isRunning && (
        <IconAction label={translate('shell.jobs.cancelOf', { title: job.title })} Icon={Close} onClick={onCancel} />
      )}
    </Box>
  );
}

/** How far it is, as a bar and in numbers. */
export function JobProgress({ job }: { job: Pick<Job, 'title' | 'state' | 'progress' | 'total'> }) {
  const translate = useTranslate();
  const known = job.state === 'running' && job.total !== null && job.total > 0;
  const percent = known ? Math.min(100, Math.round((job.progress / (job.total as number)) * 100)) : 0;
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, minHeight: 20 }}>
      <LinearProgress
        variant={known ? 'determinate' : 'indeterminate'}
        value={percent}
        aria-label={translate('shell.jobs.progressOf', { title: job.title })}
        sx={{ flex: 1, borderRadius: 1 }}
      />
      <Box sx={{ fontSize: 12, color: 'text.secondary', fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
        {known
          ? `${groupedCount(job.progress)} / ${groupedCount(job.total as number)}`
          : translate(`shell.jobs.state.${job.state}`)}
      </Box>
    </Box>
  );
}
