/** A row of numbers that is the same on each fresh start, so that two people see the same demo. */
export interface Random {
  /** From 0 to below 1. */
  next(): number;
  /** A whole number, both ends included. */
  int(from: number, to: number): number;
  chance(share: number): boolean;
  pick<T>(of: readonly T[]): T;
  /** `count` different ones, in the order in which they stand. */
  some<T>(of: readonly T[], count: number): T[];
  digits(count: number): string;
}

/** mulberry32: small, fast, and good enough for made-up data. */
export function randomFrom(seed: number): Random {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let it = Math.imul(state ^ (state >>> 15), 1 | state);
    it = (it + Math.imul(it ^ (it >>> 7), 61 | it)) ^ it;
    return ((it ^ (it >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    int,
    chance: (share) => next() < share,
    pick: <T>(of: readonly T[]) => of[int(0, of.length - 1)] as T,
    some: <T>(of: readonly T[], count: number) => {
      const chosen = new Set<number>();
      while (chosen.size < Math.min(count, of.length)) chosen.add(int(0, of.length - 1));
      return of.filter((_, i) => chosen.has(i));
    },
    digits: (count) => Array.from({ length: count }, (_, i) => int(i === 0 ? 1 : 0, 9)).join(''),
  };
}
