import { DAY_MS, dayFromSql, dayOf } from '#domain/day.ts';

const MINUTE_MS = 60_000;
/** A working day is 8:30 to 18:00. */
const OPENS_MS = 8.5 * 3_600_000;
export const DAY = 570;

/** The working time of a site, counted in minutes from its first day; nothing happens at night and on Sundays. */
export interface Calendar {
  /** The last minute that has passed. */
  end: number;
  momentOf(minute: number): number;
}

/** The calendar day of a moment, remembered by the quarter of an hour: asking the clock is slow. */
export function createDayFormatter(timeZone: string): (ms: number) => string {
  const known = new Map<number, string>();
  return (ms) => {
    const quarter = Math.floor(ms / (15 * MINUTE_MS));
    const day = known.get(quarter) ?? dayOf(ms, timeZone);
    known.set(quarter, day);
    return day;
  };
}

/**
 * The working days up to now. Today counts whatever its name, so that a start on a Sunday looks alive, but not before the
 * site has opened.
 */
export function createCalendar(now: number, timeZone: string, days: number): Calendar {
  const today = dayOf(now, timeZone);
  const names = new Set(Array.from({ length: days + 1 }, (_, i) => dayOf(now - (days - i) * DAY_MS, timeZone)));
  const opens = [...names]
    .filter((it) => it === today || new Date(`${it}T00:00:00Z`).getUTCDay() !== 0)
    .map((it) => dayFromSql(it, timeZone) + OPENS_MS)
    .filter((it) => it + 2 * MINUTE_MS <= now);
  const passed = Math.floor((now - (opens.at(-1) as number)) / MINUTE_MS) - 2;
  const end = (opens.length - 1) * DAY + Math.min(passed, DAY - 1);
  return {
    end,
    momentOf: (minute) => {
      const known = Math.min(Math.max(minute, 0), end);
      const day = Math.floor(known / DAY);
      return Math.round((opens[day] as number) + (known - day * DAY) * MINUTE_MS);
    },
  };
}
