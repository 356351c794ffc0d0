/** A work in steps: between two of them somebody else may be served. */
export type Steps<T> = Generator<undefined, T>;

/** Does all of it at once. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
