import { useTranslate } from 'ra-core';
import type { Call, InputOf } from '#domain/call.ts';
import { useNotices } from '#app/notify.ts';
import type { DialogProps } from '#app/parts/dialog.ts';
import { useSubmit } from '#app/parts/useSubmit.ts';

/** The one submit of a dialog over a list: when it is done, that is said, the list is read again and the dialog closes. */
export function useDialogSubmit<C extends Call>(
  call: C,
  { button, onDone, onClose }: Pick<DialogProps, 'button' | 'onDone' | 'onClose'>,
  failed?: (error: unknown) => unknown,
) {
  const translate = useTranslate();
  const notices = useNotices();
  const { submit, sending, problem } = useSubmit(call, failed);
  const submitAndClose = async (input: InputOf<C>) => {
    if (!(await submit(input))) return;
    notices.success(translate('shell.rowAction.finished', { action: button.btnName }));
    onDone();
    onClose();
  };
  return { submit: submitAndClose, sending, problem };
}
