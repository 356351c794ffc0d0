import { useEffect, useRef, useState } from 'react';
import { useTranslate } from 'ra-core';
import { CallError, newKey } from '#app/send.ts';
import { isCancelled, uploadFile } from '#app/parts/uploadFile.ts';

/** A file on its way. */
export interface Upload {
  id: number;
  file: File;
  /** From 0 to 1. */
  share: number;
  /** Why it did not arrive; it can be tried again. */
  failure: unknown;
}

interface Options {
  path: string;
  /** What is sent of a file; what it throws is the file's failure. */
  prepare?: (file: File, signal: AbortSignal) => Promise<Blob>;
  /** The file has arrived; told to who was there when it was chosen, so it must not build on what is shown then. */
  onArrived: (url: string, file: File) => void;
  /** Nothing is on its way any more; how many arrived, and what failed last. */
  onQuiet?: (arrived: number, failure: unknown) => void;
}

/** A share of the way is making a picture small, the rest is sending it. */
const PREPARED = 0.3;

/**
 * Files on their way to the server, one after the other, each with its progress, to be cancelled or tried again. They go
 * on behind another tab; who leaves for good calls `cancelAll`.
 */
export function useUploads(options: Options) {
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const queue = useRef<Waiting[]>([]);
  const isWorking = useRef(false);
  const running = useRef<{ id: number; abort: AbortController } | null>(null);
  const failed = useRef(new Map<number, Waiting>());

  const patch = (id: number, values: Partial<Upload>) =>
    setUploads((all) => all.map((it) => (it.id === id ? { ...it, ...values } : it)));
  const drop = (id: number) => setUploads((all) => all.filter((it) => it.id !== id));

  async function send({ id, file, key, onArrived }: Waiting): Promise<void> {
    const { path, prepare } = latest.current;
    const abort = new AbortController();
    running.current = { id, abort };
    const body = prepare ? await prepare(file, abort.signal) : file;
    const from = prepare ? PREPARED : 0;
    patch(id, { share: from });
    const { url } = await uploadFile<{ url: string }>(path, body, file.name, {
      key,
      signal: abort.signal,
      onProgress: (share) => patch(id, { share: from + share * (1 - from) }),
    });
    drop(id);
    onArrived(url, file);
  }

  async function work(): Promise<void> {
    if (isWorking.current) return;
    isWorking.current = true;
    let arrived = 0;
    let failure: unknown = null;
    for (let next = queue.current.shift(); next; next = queue.current.shift()) {
      const { id } = next;
      try {
        await send(next);
        arrived += 1;
      } catch (error) {
        if (isCancelled(error)) drop(id);
        else {
          failure = error;
          failed.current.set(id, next);
          patch(id, { failure: error, share: 0 });
        }
      }
    }
    running.current = null;
    isWorking.current = false;
    latest.current.onQuiet?.(arrived, failure);
  }

  const start = (files: readonly Waiting[]) => {
    queue.current.push(...files);
    void work();
  };

  return {
    uploads,
    add: (files: readonly File[]) => {
      const { onArrived } = latest.current;
      const waiting = files.map((file) => ({ id: nextId(), file, key: newKey(), onArrived }));
      setUploads((all) => [...all, ...waiting.map(({ id, file }) => ({ id, file, share: 0, failure: null }))]);
      start(waiting);
    },
    retry: (id: number) => {
      const it = failed.current.get(id);
      if (!it) return;
      failed.current.delete(id);
      patch(id, { failure: null, share: 0 });
      start([{ ...it, key: newKey() }]);
    },
    cancel: (id: number) => {
      queue.current = queue.current.filter((it) => it.id !== id);
      failed.current.delete(id);
      if (running.current?.id === id) running.current.abort.abort();
      else drop(id);
    },
    cancelAll: () => {
      queue.current = [];
      running.current?.abort.abort();
    },
  };
}

interface Waiting {
  id: number;
  file: File;
  key: string;
  onArrived: (url: string, file: File) => void;
}

let lastId = 0;
const nextId = () => (lastId += 1);

/** Why it is too early to submit: some are on their way, or have not arrived and are neither tried again nor cancelled. */
export function useWhyOpen(): (uploads: readonly Upload[]) => string {
  const translate = useTranslate();
  return (uploads) => {
    const failed = uploads.find((it) => it.failure !== null);
    if (failed) return translate('stations.picture.notArrived', { name: failed.file.name });
    return uploads.length > 0 ? translate('stations.picture.wait') : '';
  };
}

/** What the server said of a failure, if it said anything; the end of the session is told by the sign-in. */
export const serverMessageOf = (failure: unknown): string =>
  failure instanceof CallError && failure.key !== 'noSession' ? failure.msg : '';
