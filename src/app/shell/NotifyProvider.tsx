import { useCallback, type ReactNode } from 'react';
import {
  AddNotificationContext,
  type NotificationPayload,
  useEvent,
  useTakeUndoableMutation,
  useTranslate,
} from 'ra-core';
import { notices } from '#app/notify.ts';

/** What react-admin's `useNotify` says is a notice like every other. Rule: screens#notices. */
export function NotifyProvider({ children }: { children: ReactNode }) {
  const translate = useTranslate();
  const takeMutation = useTakeUndoableMutation();
  const settle = useEvent((isUndo: boolean) => takeMutation()?.({ isUndo }));
  const notify = useCallback(
    ({ message, type, notificationOptions = {} }: NotificationPayload) => {
      const { messageArgs, autoHideDuration: duration, undoable } = notificationOptions;
      notices.show({
        kind: type,
        title:
          typeof message === 'string'
            ? translate(message, { _: message, ...(messageArgs as object | undefined) })
            : message,
        duration,
        settle: undoable ? settle : undefined,
      });
    },
    [translate, settle],
  );
  return <AddNotificationContext value={notify}>{children}</AddNotificationContext>;
}
