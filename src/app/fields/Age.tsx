import { momentOf } from '#app/fields/format.ts';
import { useAge } from '#app/parts/useAge.ts';

/** How long ago, in sight; since when, for who points at it. */
export default function Age({ since }: { since: unknown }) {
  const age = useAge();
  return <span title={momentOf(since)}>{age(Number(since))}</span>;
}
