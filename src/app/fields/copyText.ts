import { notices } from '#app/notify.ts';

/** Copies, and says so. Without https there is no clipboard, only the older way. */
export async function copyText(text: string, said: string): Promise<void> {
  if (navigator.clipboard) await navigator.clipboard.writeText(text);
  else copyBySelection(text);
  notices.success(said);
}

function copyBySelection(text: string): void {
  const field = document.createElement('textarea');
  field.value = text;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}
