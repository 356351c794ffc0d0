import type { ComponentType } from 'react';
import type { PageProps } from '#app/parts/page.ts';

/** Pages that features bring themselves, by `module:script`; each is loaded when it is first opened. */
export const pages: Record<string, () => Promise<{ default: ComponentType<PageProps> }>> = {};
