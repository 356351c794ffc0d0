import { useMemo } from 'react';
import { useTranslate } from 'ra-core';
import { type Call, type Envelope, type InputOf, SUCCESS } from '#domain/call.ts';
import { useNotices } from '#app/notify.ts';
import { buildUrl, CallError, forAsker, toCallError } from '#app/send.ts';
import { currentToken } from '#app/session.ts';

/** Longer than the server makes anybody wait; after it, the file is fetched from the report downloads. */
const PATIENCE_MS = 30_000;

/** The export goes on and its file will stand among the report downloads. */
class SlowExport extends Error {}

/**
 * Fetches what a GET answers and gives it to the user: a file is saved under the name that the server gave it, and so is
 * what a `data.path` leads to. Anything else is a CallError; HTTP 504 and no answer in time are a SlowExport.
 * Rule: exports-and-jobs#downloads.
 */
export async function download<C extends Call>(call: C, input: InputOf<C>): Promise<void> {
  const save = await forAsker(() => fetchFile(call, input));
  save();
}

/** Gives how to save what came. */
async function fetchFile<C extends Call>(call: C, input: InputOf<C>): Promise<() => void> {
  const token = currentToken.get();
  const headers = { accept: 'application/json, */*', ...(token && { token }) };
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const response = await fetch(buildUrl(call.path, input as Record<string, unknown>), { headers, signal }).catch(
    (error: unknown) => {
      if (error instanceof DOMException && error.name === 'TimeoutError') throw new SlowExport();
      throw new CallError({ status: 0, network: true });
    },
  );
  if (response.status === 504) throw new SlowExport();
  const isJson = (response.headers.get('content-type') ?? '').includes('json');
  if (response.ok && !isJson) {
    const blob = await response.blob();
    return () => saveAs(blob, nameIn(response.headers));
  }
  const envelope = isJson ? ((await response.json()) as Envelope<{ path?: string } | null>) : null;
  if (envelope?.code !== SUCCESS || !envelope.data?.path)
    throw toCallError(envelope, { status: response.status, token });
  const { path } = envelope.data;
  return () => savePath(path);
}

/** Saves the file of a path that the server answered; the server says its name. */
export const savePath = (path: string): void => follow(/^https?:/.test(path) ? path : buildUrl(path), '');

/** Saves what this page holds, under this name. */
export function saveAs(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  follow(address, name);
  // Safari reads it only when its question was answered.
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}

const KEPT_MS = 60_000;

/** A new window that is opened after an answer is a pop-up, and blocked without a word; a link that downloads is none in any browser. */
function follow(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}

/** `attachment; filename*=UTF-8''%E5%BA%93.xlsx` */
function nameIn(headers: Headers): string {
  const said = /filename\*=UTF-8''([^;]+)/i.exec(headers.get('content-disposition') ?? '')?.[1];
  return said ? decodeURIComponent(said) : 'export.xlsx';
}

/**
 * Says how an export ended. Rule: exports-and-jobs#downloads. Answers true when the user has, or will have, the file.
 */
export function useExportNotices() {
  const translate = useTranslate();
  const notices = useNotices();
  return useMemo(() => {
    const showFailure = (error: unknown): boolean => {
      if (error instanceof SlowExport) {
        notices.warning(translate('shell.download.slow'));
        return true;
      }
      if (error instanceof CallError && error.status === 404) notices.error(translate('shell.download.notFound'));
      else notices.failedAs(translate('shell.download.failed'), error);
      return false;
    };
    return (done: Promise<unknown>): Promise<boolean> =>
      done.then(() => {
        notices.success(translate('shell.download.done'));
        return true;
      }, showFailure);
  }, [translate, notices]);
}
