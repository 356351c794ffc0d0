import { Refusal } from '#domain/refusal.ts';

/** Whoever finds no place tries again after about as long as one turn takes. */
const AGAIN_SECONDS = 10;

/**
 * Lets so many do a work at once, each in turn; some more wait without holding anything, and who comes beyond them is told to
 * try again.
 * @throws Refusal tooMany
 */
export function createTurns(atOnce: number, mostWaiting: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = atOnce;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else {
      if (waiting.length >= mostWaiting) throw new Refusal({ key: 'tooMany', args: { seconds: AGAIN_SECONDS } });
      await new Promise<void>((go) => waiting.push(go));
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
