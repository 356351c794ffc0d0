/** One publish: its number, and which earlier ones it took back. */
export interface Publish {
  id: number;
  takesBack: readonly number[];
}

/**
 * The numbers of the publishes that count, oldest first: those that no later one took back that counts itself. So what was
 * taken back comes again when the taking back is. Rule: definitions#publishing.
 */
export function countingPublishes(publishes: readonly Publish[]): number[] {
  const takenBack = new Set<number>();
  const counting: number[] = [];
  for (const { id, takesBack } of publishes.toSorted((a, b) => b.id - a.id)) {
    if (takenBack.has(id)) continue;
    counting.push(id);
    for (const it of takesBack) takenBack.add(it);
  }
  return counting.reverse();
}
