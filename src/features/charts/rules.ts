/** How finely a hash rate is drawn, and how far back. Rule: hash-rate#spans, hash-rate#points. */
export const intervals = ['minute', 'hour', 'day'] as const;
export type Interval = (typeof intervals)[number];

/** How many of them a chart shows: a day, a week, 90 days. */
export const spans: Record<Interval, number> = { minute: 24 * 60, hour: 7 * 24, day: 90 };

export interface Point {
  timestamp: number;
  hashRate: number | null;
}

/** TH/s, and PH/s for what goes above 1000 of them. */
export function inUnit(points: readonly Point[]): { unit: string; point: Point[] } {
  const isLarge = points.some((it) => (it.hashRate ?? 0) > 1000);
  const by = isLarge ? 1000 : 1;
  const point = points.map(({ timestamp, hashRate }) => ({
    timestamp,
    hashRate: hashRate === null ? null : Math.round((hashRate / by) * 1000) / 1000,
  }));
  return { unit: isLarge ? 'PH/s' : 'TH/s', point };
}
