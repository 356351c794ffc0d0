import { type ReactNode, useMemo } from 'react';
import { useTranslate } from 'ra-core';
import { CallError, isRefusal, onServerMessage } from '#app/send.ts';
import { createObservable, useObservable } from '#app/observable.ts';

type NoticeKind = 'success' | 'info' | 'warning' | 'error';

export interface Notice {
  id: number;
  kind: NoticeKind;
  title: ReactNode;
  body: ReactNode;
  /** Milliseconds until it closes itself; null: only the user closes it. Rule: screens#notices. */
  duration: number | null;
  /** The number of the failed request, to be quoted to whoever looks after the server. */
  requestId?: string;
  /** Something is done once the notice closes, unless it is taken back before. */
  settle?: (isUndone: boolean) => void;
}

const FIVE_SECONDS = 5000;
/** Rule: screens#notices. */
const SIXTY_SECONDS = 60_000;
const openNotices = createObservable<readonly Notice[]>([]);
let lastId = 0;

export const useOpenNotices = () => useObservable(openNotices);

/** Notices from anywhere, React or not. The same words twice at once are shown once. */
export const notices = {
  success: (title: string, options: { duration?: number } = {}) =>
    show({ kind: 'success', title, body: '', duration: options.duration ?? FIVE_SECONDS }),
  warning: (title: string, options: { duration?: number } = {}) =>
    show({ kind: 'warning', title, body: '', duration: options.duration ?? FIVE_SECONDS }),
  error: (title: ReactNode, body: ReactNode = '', requestId?: string) =>
    show({ kind: 'error', title, body, duration: null, requestId }),
  /** One of any kind. What an earlier one could still undo is done first: only the newest is undone. */
  show: ({ duration, ...it }: Pick<Notice, 'kind' | 'title' | 'settle'> & { duration?: number | null }) => {
    if (it.settle) for (const { id, settle } of openNotices.get()) if (settle) notices.close(id);
    return show({ ...it, body: '', duration: duration === undefined ? usual(it.kind) : duration });
  },
  close: (id: number, isUndone = false) => {
    const closed = openNotices.get().find((it) => it.id === id);
    openNotices.set(openNotices.get().filter((it) => it !== closed));
    closed?.settle?.(isUndone);
  },
  closeAll: () => openNotices.get().forEach((it) => notices.close(it.id)),
};

onServerMessage((msg) => notices.success(msg, { duration: SIXTY_SECONDS }));

const usual = (kind: NoticeKind) => (kind === 'error' ? null : FIVE_SECONDS);

function show(notice: Omit<Notice, 'id'>): number {
  const same = openNotices
    .get()
    .find((it) => it.kind === notice.kind && it.title === notice.title && it.body === notice.body);
  if (same) return same.id;
  lastId += 1;
  openNotices.set([...openNotices.get(), { ...notice, id: lastId }]);
  return lastId;
}

/** Why a call failed, in words: the server's own, else what the transport tells. */
export function useReasonOf(): (error: unknown) => string {
  const translate = useTranslate();
  return useMemo(
    () => (error: unknown) => {
      if (!(error instanceof CallError)) return translate('shell.call.unknown');
      if (error.unreached) return translate('shell.call.network');
      if (error.msg) return error.msg;
      if (error.status > 0) return translate('shell.call.status', { status: error.status });
      return translate(error.network ? 'shell.call.late' : 'shell.call.unknown');
    },
    [translate],
  );
}

/** The same for what stands in a form: nothing where the session was lost, which the sign-in tells and who comes back knows. */
export function useProblemOf(): (error: unknown) => string {
  const reasonOf = useReasonOf();
  return useMemo(() => (error: unknown) => (isRefusal(error, 'noSession') ? '' : reasonOf(error)), [reasonOf]);
}

/**
 * What components use: plain notices, and `failed(action, error)`, which says '<action> failed' / 'Reason: msg' and
 * stays; `failedAs` is for the failures that have a title of their own. The end of a session is told elsewhere, once,
 * so it adds nothing here.
 */
export function useNotices() {
  const translate = useTranslate();
  const reasonOf = useReasonOf();
  return useMemo(() => {
    const failedAs = (title: string, error: unknown) => {
      if (isRefusal(error, 'noSession')) return;
      if (error instanceof DOMException && error.name === 'AbortError') return;
      const number = error instanceof CallError && error.status >= 500 ? error.requestId : '';
      notices.error(title, translate('shell.notice.reason', { msg: reasonOf(error) }), number || undefined);
    };
    const failed = (action: string, error: unknown) => failedAs(translate('shell.notice.failed', { action }), error);
    return { ...notices, failed, failedAs };
  }, [translate, reasonOf]);
}
