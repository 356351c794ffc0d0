/** The known name that is at most three letters off. */
export function nearest(name: string, among: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = 4;
  for (const it of among) {
    const distance = lettersApart(name.toLowerCase(), it.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [it, distance];
  }
  return best;
}

/** Levenshtein's distance, one row at a time. */
function lettersApart(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
