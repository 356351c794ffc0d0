import { useEffect, useState, type FormEvent } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import { groupedCount } from '#app/fields/format.ts';
import { useRefreshJobs } from '#app/jobs/useJobs.ts';
import { useNotices } from '#app/notify.ts';
import type { DialogProps } from '#app/parts/dialog.ts';
import { DownloadHint } from '#app/parts/DownloadHint.tsx';
import { useExportNotices } from '#app/parts/download.ts';
import { Modal } from '#app/parts/Modal.tsx';
import { isRefusal } from '#app/send.ts';
import { ColumnChecklist } from './ColumnChecklist.tsx';
import { ExportProgress } from './ExportProgress.tsx';
import { openExport, startExport, type Opened } from '#app/jobs/exporting.ts';
import { MAX_WIP_COLUMNS, validateColumns } from './rules.ts';

/** Exports the list as it stands: its filter and order, the columns that are checked, all its rows or the selected ones. */
export default function ExportDialog(props: DialogProps) {
  const { module, button, onClose } = props;
  const translate = useTranslate();
  const notices = useNotices();
  const [jobId, setJobId] = useState<number | null>(null);
  const { data: opened, error } = useQuery({
    queryKey: ['toExport', module, button.btnScript],
    queryFn: () => openExport(module, button.btnScript),
    gcTime: 0,
  });
  useEffect(() => {
    // Whoever comes back after a lost session reads it anew.
    if (!error || isRefusal(error, 'noSession')) return;
    notices.failedAs(translate('shell.download.failed'), error);
    onClose();
  }, [error, notices, translate, onClose]);
  if (error) return null;
  return (
    <Modal title={[button.btnName, opened?.tableName].filter(Boolean).join(' · ')} onClose={onClose}>
      {jobId !== null && <ExportProgress jobId={jobId} onClose={onClose} />}
      {jobId === null && opened && <Choices {...props} opened={opened} onJob={setJobId} />}
    </Modal>
  );
}

interface ChoicesProps extends DialogProps {
  opened: Opened;
  onJob: (jobId: number) => void;
}

function Choices({ module, button, rows, isForAll, matching, opened, onJob, onClose }: ChoicesProps) {
  const translate = useTranslate();
  const notifyExport = useExportNotices();
  const refresh = useRefreshJobs();
  const isWip = button.btnScript === 'exportWip';
  const names = opened.columns.map((it) => it.name);
  const asShown = matching.columns.filter((it) => names.includes(it));
  const first = isWip || asShown.length === 0 ? names.slice(0, isWip ? MAX_WIP_COLUMNS : undefined) : asShown;
  const [checked, setChecked] = useState<readonly string[]>(first);
  const [onlySelected, setOnlySelected] = useState(false);
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const maySelect = rows.length > 0 && !isForAll && !isWip;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const wrong = validateColumns(checked, isWip);
    setProblem(wrong ? translate(`shell.export.${wrong}`, { max: MAX_WIP_COLUMNS }) : '');
    if (wrong || busy) return;
    setBusy(true);
    const columns = [...checked];
    const ids = onlySelected ? rows.map((it) => it.id) : [];
    const started = startExport({ module, script: button.btnScript, matching, columns, ids });
    const isDone = started.then((it) => {
      if (it.path === undefined) onJob(it.jobId);
      return it.path !== undefined;
    });
    // What goes on as a job has not succeeded yet, so nothing is said of it here.
    const done = await isDone.catch(() => true);
    refresh();
    if (done && (await notifyExport(started))) onClose();
    setBusy(false);
  };

  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 3, pt: 0 }}>
        {maySelect && (
          <RadioGroup
            aria-label={translate('shell.export.rows')}
            value={onlySelected ? 'selected' : 'matching'}
            onChange={(_, value) => setOnlySelected(value === 'selected')}
          >
            <FormControlLabel
              value="matching"
              control={<Radio size="small" />}
              label={translate('shell.export.matching', { count: groupedCount(matching.total) })}
            />
            <FormControlLabel
              value="selected"
              control={<Radio size="small" />}
              label={translate('shell.export.selected', { count: rows.length })}
            />
          </RadioGroup>
        )}
        {!maySelect && (
          <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
            {translate('shell.export.matching', { count: groupedCount(matching.total) })}
          </Box>
        )}
        <ColumnChecklist
          columns={opened.columns}
          checked={checked}
          shown={asShown}
          problem={problem}
          onChange={(it) => {
            setChecked(it);
            setProblem('');
          }}
        />
        <DownloadHint />
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" color="inherit" onClick={onClose}>
          {translate('ra.action.cancel')}
        </Button>
        <Button type="submit" variant="contained" loading={busy} sx={{ minWidth: 112 }}>
          {translate('shell.export.action')}
        </Button>
      </DialogActions>
    </form>
  );
}
