import { countIn } from '#domain/numberText.ts';
import type { Position, Reported } from './rules.ts';

/** What was typed for a position, by bin, and as loss; without bins good dies stand under the empty name. */
export type Entered = ReadonlyMap<string, Readonly<Record<string, string>>>;
export const LOSS = 'loss';

/** What of it is sent: nothing of positions that nothing was typed for. */
export function reportOf(entered: Entered, bins: readonly string[]): Reported[] {
  return [...entered]
    .map(([position, values]) => ({
      position,
      outputs: (bins.length === 0 ? [null] : bins)
        .map((bin) => ({ bin, qty: countIn(values[bin ?? ''] ?? '') }))
        .filter((it) => it.qty !== 0),
      lossQty: countIn(values[LOSS] ?? ''),
    }))
    .filter((it) => it.outputs.length > 0 || it.lossQty !== 0);
}

export interface Sums {
  left: number;
  good: number;
  loss: number;
  stays: number;
}

/** What was in process, what is told of it, and what stays. */
export function sumsOf(positions: readonly Position[], entered: Entered): Sums {
  const left = positions.reduce((sum, it) => sum + it.leftQty, 0);
  let good = 0;
  let loss = 0;
  for (const values of entered.values()) {
    for (const [name, text] of Object.entries(values)) {
      if (name === LOSS) loss += countIn(text) || 0;
      else good += countIn(text) || 0;
    }
  }
  return { left, good, loss, stays: left - good - loss };
}
