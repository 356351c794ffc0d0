import { useCallback, useEffect, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useGetList, useGetOne, useTranslate } from 'ra-core';
import { cancelJob, downloadJob, isOver, type Job } from '#domain/jobs.ts';
import { useNotices } from '#app/notify.ts';
import { download, useExportNotices } from '#app/parts/download.ts';
import { followed, readAnew } from '#app/queryClient.ts';
import { send } from '#app/send.ts';

const LATEST = {
  pagination: { page: 1, perPage: 15 },
  sort: { field: 'createdAt', order: 'DESC' },
  filter: {},
} as const;
const LIST = ['jobs', 'getList'];
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
  const { data } = useGetList<Job>('jobs', LATEST, {
    ...followed,
    enabled: isOn || isOpen,
    refetchInterval: ({ state }) =>
      state.data?.data.some((it) => !isOver(it.state)) ? WHILE_RUNNING_MS : OTHERWISE_MS,
  });
  return data;
}

/** Whether it is done but for something that its own page tells. */
export const leavesOut = ({ result: { leftOut } }: Job): boolean => Array.isArray(leftOut) && leftOut.length > 0;

/** One job, followed until it is over. */
export function useJob(id: number | null): Job | null {
  const { data } = useGetOne<Job>(
    'jobs',
    { id: id ?? 0 },
    {
      ...followed,
      enabled: id !== null,
      refetchInterval: ({ state }) => (state.data && isOver(state.data.state) ? false : WHILE_RUNNING_MS),
    },
  );
  const isDone = data !== undefined && isOver(data.state);
  const refresh = useRefreshJobs();
  useEffect(() => {
    if (isDone) refresh();
  }, [isDone, refresh]);
  return data ?? null;
}

/** To be called when a job was started or is over: the top bar looks at once. */
export function useRefreshJobs(): () => void {
  const client = useQueryClient();
  return useCallback(() => void readAnew(client, { queryKey: LIST }), [client]);
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
        const { state } = await send(cancelJob, { id });
        if (state === 'cancelled') notices.success(translate('shell.jobs.cancelled'));
        else notices.warning(translate('shell.jobs.tooLate'));
      } catch (error) {
        notices.failed(translate('shell.jobs.cancel'), error);
      }
      void readAnew(client, { queryKey: ['jobs'] });
    },
  };
}
