import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { useTranslate } from 'ra-core';
import Badge from '@mui/material/Badge';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Skeleton from '@mui/material/Skeleton';
import Popover from '@mui/material/Popover';
import Tooltip from '@mui/material/Tooltip';
import FileDownloadOutlined from '@mui/icons-material/FileDownloadOutlined';
import { isOver, type Job, type JobState } from '#domain/jobs.ts';
import { JobLine } from '#app/jobs/JobLine.tsx';
import { leavesOut, useJobActions, useJobs } from '#app/jobs/useJobs.ts';
import { useNotices } from '#app/notify.ts';
import { useIsPhone } from '#app/shell/appearance.ts';

const noJobs: readonly Job[] = [];

/**
 * The user's jobs in the top bar: how many run, a word when one is ready, and its file.
 * Rule: exports-and-jobs#progress.
 */
export function JobsButton() {
  const translate = useTranslate();
  const isPhone = useIsPhone();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const read = useJobs(anchor !== null);
  const jobs = read ?? noJobs;
  const { fetchFile, cancel } = useJobActions();
  useJobNotices(jobs);
  const running = jobs.filter((it) => !isOver(it.state)).length;
  if (isPhone && jobs.length === 0) return null;
  const label = running > 0 ? translate('shell.jobs.running', { count: running }) : translate('shell.jobs.title');
  return (
    <>
      <Tooltip title={label}>
        <IconButton
          size="small"
          aria-label={label}
          aria-haspopup="dialog"
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          <Badge badgeContent={running || null} color="primary">
            <FileDownloadOutlined fontSize="small" />
          </Badge>
        </IconButton>
      </Tooltip>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{ paper: { role: 'dialog', 'aria-label': translate('shell.jobs.title'), sx: { width: 360 } } }}
      >
        <Box sx={{ px: 3, py: 2, fontSize: 14, fontWeight: 600, borderBottom: 1, borderColor: 'divider' }}>
          {translate('shell.jobs.title')}
        </Box>
        {jobs.length === 0 && (
          <Box sx={{ p: 4, fontSize: 13, color: 'text.secondary' }}>
            {read ? translate('shell.jobs.none') : <Skeleton width="60%" />}
          </Box>
        )}
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', maxHeight: 400, overflowY: 'auto' }}>
          {jobs.map((it) => (
            <JobLine
              key={it.id}
              job={it}
              onDownload={() => void fetchFile(it.id)}
              onCancel={() => void cancel(it.id)}
            />
          ))}
        </Box>
        <Box sx={{ px: 3, py: 2, fontSize: 13, borderTop: 1, borderColor: 'divider' }}>
          <Box
            component={Link}
            to="/rmaReportDownloadList"
            onClick={() => setAnchor(null)}
            sx={{ color: 'primary.main' }}
          >
            {translate('shell.jobs.all')}
          </Box>
        </Box>
      </Popover>
    </>
  );
}

/** Says when a job that was seen running is over; what was over before this page was opened is old news. */
function useJobNotices(jobs: readonly Job[]): void {
  const translate = useTranslate();
  const notices = useNotices();
  const seen = useRef(new Map<number, JobState>());
  useEffect(() => {
    // A look at a workbook imports nothing yet, and the file of an import is the list of its problems.
    const notifyDone = (job: Job) => {
      const { kind, title, path, result } = job;
      if (leavesOut(job)) notices.warning(translate('shell.jobs.partly', { title }));
      else if (kind !== 'import')
        notices.success(translate(path ? 'shell.jobs.ready' : 'shell.jobs.finished', { title }));
      else if (path) notices.warning(translate('shell.jobs.problems', { title }));
      else if (result['imported']) notices.success(translate('shell.jobs.finished', { title }));
    };
    for (const job of jobs) {
      const { id, state, title, msg } = job;
      const before = seen.current.get(id);
      seen.current.set(id, state);
      if (before === undefined || isOver(before) || !isOver(state)) continue;
      if (state === 'done') notifyDone(job);
      else if (state === 'failed') notices.error(translate('shell.jobs.failed', { title }), msg);
    }
  }, [jobs, notices, translate]);
}
