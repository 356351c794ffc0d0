/**
 * The steps of a publish as its job counts them: it looks, builds indexes one after the other, writes, and sets what every
 * row holds. Rule: definitions#publishing.
 */
export const publishStepsOf = (indexes: number) => ({
  /** Once it has looked, the first index is built. */
  looked: 1,
  /** Once the indexes are there it writes; the one after it is the last step. */
  written: indexes + 1,
  all: indexes + 3,
});

type PublishStep = { name: 'look' | 'write' | 'rules' } | { name: 'index'; number: number; of: number };

/** What a publish does that has done so many of its steps. */
export function publishStepOf(done: number, all: number): PublishStep {
  const indexes = all - publishStepsOf(0).all;
  if (done <= 0 || indexes < 0) return { name: 'look' };
  if (done <= indexes) return { name: 'index', number: done, of: indexes };
  return { name: done === indexes + 1 ? 'write' : 'rules' };
}
