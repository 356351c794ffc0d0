import { choiceOf } from '#app/store.ts';

export const pageSizes = ['10', '50', '100', '150', '200'] as const;

/** How many rows a page has: 10 until the user chooses another size, then that in every list. */
export const pageSize = choiceOf('pageSize', pageSizes, '10');
