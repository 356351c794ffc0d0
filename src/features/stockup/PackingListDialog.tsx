import { useEffect, useRef } from 'react';
import { useRefreshJobs } from '#app/jobs/useJobs.ts';
import type { DialogProps } from '#app/parts/dialog.ts';
import { savePath, useExportNotices } from '#app/parts/download.ts';
import { send } from '#app/send.ts';
import { exportDirectNew } from './contract.ts';

/** Fetches the packing list of the selected bills; there is nothing to ask. Rule: stock-up#packing-list. */
export default function PackingListDialog({ rows, onClose }: DialogProps) {
  const notifyExport = useExportNotices();
  const refresh = useRefreshJobs();
  const began = useRef(false);
  useEffect(() => {
    if (began.current) return;
    began.current = true;
    const started = send(exportDirectNew, { idList: rows.map((it) => Number(it.id)) }).then((it) => {
      if (it.path !== undefined) savePath(it.path);
      return it;
    });
    void notifyExport(started).finally(() => {
      refresh();
      onClose();
    });
  }, [notifyExport, refresh, rows, onClose]);
  return null;
}
