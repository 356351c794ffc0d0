/** Set by `npm run chaos`: `long`, or `short`. */
const { CHAOS, SEED } = (globalThis as { process?: { env: Record<string, string | undefined> } }).process?.env ?? {};
const TIMES = { long: 20, short: 4 };
const SAME = 20261128;

/**
 * How often a property is tried. `npm test` tries it `runs` times, each time with the same values: what it finds, it finds
 * again. `npm run chaos -- properties` tries others, and more of them; fast-check names the seed of what fails.
 */
export function tries(runs = 50): { numRuns: number; seed?: number } {
  if (CHAOS !== 'long' && CHAOS !== 'short') return { numRuns: runs, seed: SAME };
  return { numRuns: TIMES[CHAOS] * runs, ...(SEED && { seed: Number(SEED) }) };
}

const isLong = CHAOS === 'long' || CHAOS === 'short';

/**
 * Of what a walk could try at each of its places, what is this place's turn: with a `share` of four, four places one after
 * another try all of it. `npm run chaos -- properties` tries all of it at each.
 */
export const turnOf = <It>(all: readonly It[], place: number, share: number): readonly It[] =>
  isLong ? all : all.filter((_, i) => (i + place) % share === 0);
