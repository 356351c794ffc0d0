/** The export of the wafer WIP list. Rule: exports-and-jobs#list-exports. */
export const MAX_WIP_COLUMNS = 48;

/** What is wrong with the columns that are checked; only the wafer WIP list has a bound. */
export function validateColumns(checked: readonly string[], isWip: boolean): 'least' | 'most' | null {
  if (checked.length === 0) return 'least';
  return isWip && checked.length > MAX_WIP_COLUMNS ? 'most' : null;
}
