import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import { useRefreshJobs } from '#app/jobs/useJobs.ts';
import { useReasonOf } from '#app/notify.ts';
import type { DialogProps } from '#app/parts/dialog.ts';
import { useExportNotices } from '#app/parts/download.ts';
import { Modal } from '#app/parts/Modal.tsx';
import { ExportProgress } from './ExportProgress.tsx';
import { openExportOne, startExportOne } from '#app/jobs/exporting.ts';

/** Exports the selected row with its lines. */
export default function ExportOneDialog({ module, button, rows, onClose }: DialogProps) {
  const translate = useTranslate();
  const reasonOf = useReasonOf();
  const notifyExport = useExportNotices();
  const refresh = useRefreshJobs();
  const [busy, setBusy] = useState(false);
  const [jobId, setJobId] = useState<number | null>(null);
  const script = button.btnScript;
  const rowId = Number(rows[0]?.id);
  const { data: opened, error } = useQuery({
    queryKey: ['toExportDirectOne', module, script, rowId],
    queryFn: () => openExportOne(module, script, rowId),
    gcTime: 0,
  });
  const run = async () => {
    setBusy(true);
    const started = startExportOne(module, script, rowId);
    const late = await started.then((it) => (it.path === undefined ? it.jobId : null)).catch(() => null);
    refresh();
    if (late !== null) setJobId(late);
    else if (await notifyExport(started)) onClose();
    setBusy(false);
  };
  return (
    <Modal width="question" title={[button.btnName, opened?.tableName].filter(Boolean).join(' · ')} onClose={onClose}>
      {jobId !== null ? (
        <ExportProgress jobId={jobId} onClose={onClose} />
      ) : (
        <>
          <DialogContent>
            {error ? <Alert severity="error">{reasonOf(error)}</Alert> : translate('shell.export.one')}
          </DialogContent>
          <DialogActions>
            <Button variant="outlined" color="inherit" onClick={onClose}>
              {translate('ra.action.cancel')}
            </Button>
            <Button variant="contained" autoFocus disabled={!opened} loading={busy} onClick={() => void run()}>
              {translate('shell.export.action')}
            </Button>
          </DialogActions>
        </>
      )}
    </Modal>
  );
}
