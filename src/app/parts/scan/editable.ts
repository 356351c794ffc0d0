import { findVisible } from '#app/parts/visibleElements.ts';

const kindsWithoutText = ['button', 'checkbox', 'radio', 'submit', 'reset', 'file', 'range', 'color', 'image'];

export type TextField = HTMLInputElement | HTMLTextAreaElement;

/** Whether letters typed here become text. */
export function isTextField(target: EventTarget | null): target is TextField {
  if (target instanceof HTMLTextAreaElement) return true;
  return target instanceof HTMLInputElement && !kindsWithoutText.includes(target.type) && !target.readOnly;
}

/** A field that is meant to be scanned into takes its own bursts: the scan field, codes, part SNs. */
export const takesScans = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.dataset.scan !== undefined;

/** What lies over the page and holds the focus, whatever is drawn on it: the paper of a menu is no menu itself. */
const OVERLAYS = '.MuiModal-root:not(.MuiModal-hidden),[role=dialog],[role=menu],[role=listbox]';

/** Something floats above the page, or a choice is open: keys belong to it. */
export const isInOverlay = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest(OVERLAYS) !== null;

export const hasOverlay = (): boolean => findVisible(OVERLAYS) !== undefined;

/** Sets the text of a field that React controls, as if it had been typed. */
export function writeText(field: TextField, text: string): void {
  const prototype = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Where the focus belongs: on what must be filled in before anything can be scanned, else on the scan field. */
export const findScanTarget = (field: HTMLInputElement | null | undefined): HTMLInputElement | null =>
  findVisible<HTMLInputElement>('input[data-first]') ?? field ?? null;
