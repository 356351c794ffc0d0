import { createStoredChoice } from '#app/observable.ts';

export const pageSizes = ['10', '50', '100', '150', '200'] as const;

/** How many rows a page has: 10 until the user chooses another size, then that in every list. */
export const pageSize = createStoredChoice('pageSize', pageSizes, '10');
