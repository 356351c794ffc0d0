import type { Problem } from '#domain/refusal.ts';

/**
 * What is wrong with the name of a new account: it is made of plain letters, digits and . _ - @ alone, beginning with a
 * letter or a digit, so that no letter of another script and nothing unseen makes it look like somebody else's. Two
 * names that look alike all the same (`ADMIN`, `adm1n`) the database tells apart: see `account_skeleton`.
 */
export const validateAccountName = (name: string, field: string): Problem[] =>
  /^[A-Za-z0-9][A-Za-z0-9._@-]*$/.test(name) ? [] : [{ key: 'accountName', field }];
