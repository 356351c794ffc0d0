import { notices } from '#app/notify.ts';

interface Said {
  done: string;
  /** That it could not be copied; where the text stands on no screen, with the text. */
  failed: string;
}

/**
 * Copies, looks whether it is copied, and says which. What could not be is selected where it is shown, so that one key copies
 * it. Rule: screens#copies.
 */
export async function copyText(text: string, { done, failed }: Said, shown?: Element | null): Promise<void> {
  if ((await copyByClipboard(text)) || copyBySelection(text)) {
    notices.success(done);
    return;
  }
  notices.error(failed, shown ? '' : text);
  if (shown) getSelection()?.selectAllChildren(shown);
}

/** There is none without https, and one that is there may say no. */
async function copyByClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Where a dialog holds the focus, whatever is selected outside of it is not: so the text is selected inside. */
function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  (focused?.closest('[role=dialog], [role=menu]') ?? document.body).append(field);
  let isCopied = false;
  const copy = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    isCopied = event.clipboardData !== null;
  };
  document.addEventListener('copy', copy, { capture: true, once: true });
  field.focus({ preventScroll: true });
  field.select();
  const isDone = document.execCommand('copy');
  document.removeEventListener('copy', copy, { capture: true });
  field.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return isDone && isCopied;
}
