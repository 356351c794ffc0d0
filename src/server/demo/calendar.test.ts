import { describe, expect, it } from 'vitest';
import { createCalendar } from './calendar.ts';

describe('the working time of a site', () => {
  it.each([
    ['at night', '2026-11-24T18:00:00Z'],
    ['before it opens', '2026-11-25T00:05:00Z'],
    ['a minute after it has opened', '2026-11-25T00:31:00Z'],
    ['at noon', '2026-11-25T04:00:00Z'],
    ['after it has closed', '2026-11-25T12:00:00Z'],
    ['on a Sunday', '2026-11-22T04:00:00Z'],
  ])('ends before now %s', (_, now) => {
    const { end, momentOf } = createCalendar(Date.parse(now), 'Asia/Shanghai', 20);
    const left = Date.parse(now) - momentOf(end + 1000);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(16 * 3_600_000);
  });
});
