/** The ids as they travel, joined by `|`. Rule: rights#role-tree. */
export const joined = (ids: Iterable<string>): string => [...ids].join('|');
export const parted = (rightIds: string): string[] => [
  ...new Set(
    rightIds
      .split('|')
      .map((it) => it.trim())
      .filter(Boolean),
  ),
];
