import { useCallback, useEffect, useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import { cancelJob, downloadJob, isOver, listJobs, readJob, type Job } from '#domain/jobs.ts';
import { useNotices } from '#app/notify.ts';
import { download, useExportNotices } from '#app/parts/download.ts';
import { send } from '#app/send.ts';

const KEY = ['jobs'];
const SHOWN = 15;
const WHILE_RUNNING_MS = 1_000;
/** What another tab or browser of the same user has started is found this late. */
const OTHERWISE_MS = 60_000;
/** The first look waits until the page stands. */
const FIRST_LOOK_MS = 4_000;

/** The user's latest jobs, followed while one of them runs; undefined until they have been read. */
export function useJobs(isOpen: boolean): readonly Job[] | undefined {
  const [isOn, setOn] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOn(true), FIRST_LOOK_MS);
    return () => clearTimeout(timer);
  }, []);
  const refresh = useRefreshJobs();
  useEffect(() => {
    if (isOpen) refresh();
  }, [isOpen, refresh]);
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: () => send(listJobs, { limit: SHOWN }, { background: true, quiet: true }),
    enabled: isOn || isOpen,
    refetchInterval: ({ state }) =>
      state.data?.items.some((it) => !isOver(it.state)) ? WHILE_RUNNING_MS : OTHERWISE_MS,
    retry: false,
  });
  return data?.items;
}

/** One job, followed until it is over. */
export function useJob(id: number | null): Job | null {
  const client = useQueryClient();
  const { data } = useQuery({
    queryKey: [...KEY, id],
    queryFn: async () => {
      const job = await send(readJob, { id: id as number }, { background: true, quiet: true });
      if (isOver(job.state)) void client.invalidateQueries({ queryKey: KEY, exact: true });
      return job;
    },
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data && isOver(state.data.state) ? false : WHILE_RUNNING_MS),
    retry: false,
  });
  return data ?? null;
}

/** To be called when a job was started or is over: the top bar looks at once. */
export function useRefreshJobs(): () => void {
  const client = useQueryClient();
  return useCallback(() => void client.invalidateQueries({ queryKey: KEY, exact: true }), [client]);
}

/** What can be done with a job: its file is fetched and saved, or it is cancelled. */
export function useJobActions() {
  const client = useQueryClient();
  const translate = useTranslate();
  const notices = useNotices();
  const notifyExport = useExportNotices();
  return {
    fetchFile: (id: number) => notifyExport(download(downloadJob, { id })),
    cancel: async (id: number) => {
      try {
        await send(cancelJob, { id });
        notices.success(translate('shell.jobs.cancelled'));
      } catch (error) {
        notices.failed(translate('shell.jobs.cancel'), error);
      }
      void client.invalidateQueries({ queryKey: KEY });
    },
  };
}
