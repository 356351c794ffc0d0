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

/** Whether two trees have the same rights checked: where in the menu they stand says nothing. */
export function isSameChecks(some: Iterable<string>, others: Iterable<string>): boolean {
  const [a, b] = [some, others].map((it) => new Set([...it].filter((id) => id.includes(':')))) as [
    Set<string>,
    Set<string>,
  ];
  return a.size === b.size && [...a].every((it) => b.has(it));
}

/** What is checked now, with what somebody else checked and took off in the tree as it was before. */
export function checkedAnew(
  now: Iterable<string>,
  mine: ReadonlySet<string>,
  before: ReadonlySet<string>,
): Set<string> {
  const added = [...mine].filter((it) => !before.has(it));
  return new Set([...now, ...added].filter((it) => mine.has(it) || !before.has(it)));
}
