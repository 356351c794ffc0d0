import { createObservable } from '#app/observable.ts';

/** The number of the last publish that a stream beside its own news has told this window. */
export const toldPublish = createObservable<number | undefined>(undefined);
/** How many streams of this window tell it now: it needs no other one for that meanwhile. */
export const publishTellers = createObservable(0);

/** Reads a stream that tells of publishes beside its own news. Rule: wire#streams. */
export async function readWithPublishes(read: (tell: (last: number) => void) => Promise<void>): Promise<void> {
  let isTelling = false;
  try {
    await read((last) => {
      toldPublish.set(last);
      if (!isTelling) publishTellers.set(publishTellers.get() + 1);
      isTelling = true;
    });
  } finally {
    if (isTelling) publishTellers.set(publishTellers.get() - 1);
  }
}
