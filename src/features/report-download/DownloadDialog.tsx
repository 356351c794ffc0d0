import { useEffect, useRef } from 'react';
import { useJobActions } from '#app/jobs/useJobs.ts';
import type { DialogProps } from '#app/parts/dialog.ts';

/** Fetches the file of the selected report; there is nothing to ask. */
export default function DownloadDialog({ rows, onClose }: DialogProps) {
  const { fetchFile } = useJobActions();
  const id = Number(rows[0]?.id);
  const began = useRef(false);
  useEffect(() => {
    if (began.current) return;
    began.current = true;
    void fetchFile(id).finally(onClose);
  }, [fetchFile, id, onClose]);
  return null;
}
