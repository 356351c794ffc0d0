import type { ComponentType } from 'react';
import type { DialogProps } from '#app/parts/dialog.ts';

/** Dialogs that a toolbar button opens over its list, by `module:script` or `*:script`; each is loaded when it is first opened. */
export const dialogs: Record<string, () => Promise<{ default: ComponentType<DialogProps> }>> = {};
