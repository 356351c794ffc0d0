/**
 * A calendar day of the workshop: SQL `date`, on the wire epoch ms of its midnight in the workshop's time zone.
 * Rule: wire#days.
 */
export const DAY_MS = 86_400_000;

const formatters = new Map<string, Intl.DateTimeFormat>();

function createFormatter(timeZone: string): Intl.DateTimeFormat {
  let it = formatters.get(timeZone);
  if (!it) {
    it = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    });
    formatters.set(timeZone, it);
  }
  return it;
}

/** The parts of a moment as the workshop's clock shows it, each as digits. */
function clockOf(
  ms: number,
  timeZone: string,
): Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', string> {
  const parts = Object.fromEntries(
    createFormatter(timeZone)
      .formatToParts(ms)
      .map((it) => [it.type, it.value]),
  );
  return {
    year: parts['year'] ?? '',
    month: parts['month'] ?? '',
    day: parts['day'] ?? '',
    hour: parts['hour'] ?? '',
    minute: parts['minute'] ?? '',
    second: parts['second'] ?? '',
  };
}

/** `2026-11-21`, the day on which the moment falls there. */
export function dayOf(ms: number, timeZone: string): string {
  const { year, month, day } = clockOf(ms, timeZone);
  return `${year}-${month}-${day}`;
}

/** `2026-11-21 09:30:00`, the moment as the workshop's clock shows it. */
export const momentText = (ms: number, timeZone: string): string =>
  new Date(ms + offsetAt(ms, timeZone)).toISOString().slice(0, 19).replace('T', ' ');

/** A day of the workshop with the parts that are asked for, as a language writes it: `Nov 26`. */
export const dayWords = (ms: number, timeZone: string, language: string, parts: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(language, { ...parts, timeZone }).format(ms);

/** `20261121130405`, the moment as the workshop's clock shows it: the end of a file's name. */
export function stampOf(ms: number, timeZone: string): string {
  const { year, month, day, hour, minute, second } = clockOf(ms, timeZone);
  return `${year}${month}${day}${hour}${minute}${second}`;
}

/** Epoch ms of the midnight with which `2026-11-21` begins there. */
export function dayFromSql(day: string, timeZone: string): number {
  return momentFromClock(`${day} 00:00:00`, timeZone);
}

/** Epoch ms of the midnight with which `2026-11-21` ends there, and the next day begins. */
export const endOfDay = (day: string, timeZone: string): number => dayFromSql(dayAfter(day), timeZone);

/** `2026-11-22` after `2026-11-21`. */
function dayAfter(day: string): string {
  const next = new Date(`${day}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return next.toISOString().slice(0, 10);
}

/**
 * Epoch ms of the moment after what was asked for: a whole second, as it is typed and as the specification writes the end
 * of a day, means all of that second; what is finer means that millisecond. Rule: lists#moments.
 */
export const momentAfter = (ms: number): number => ms + (ms % 1000 === 0 ? 1000 : 1);

/** The offset at the start of each UTC day that was asked for, by zone: asking the zone's clock takes microseconds. */
const offsets = new Map<string, Map<number, number>>();
const MAX_OFFSETS = 20_000;

/** The UTC day that was asked for last, where the clock is as far ahead all day: moments that follow each other are near. */
let last = { timeZone: '', day: NaN, offset: 0 };

/** How far the zone's clock is ahead of UTC at that moment, in ms. */
export function offsetAt(ms: number, timeZone: string): number {
  const day = Math.floor(ms / DAY_MS);
  if (day === last.day && timeZone === last.timeZone) return last.offset;
  const offset = offsetAtStart(day, timeZone);
  // A day at whose ends the clock is as far ahead has no change in it.
  if (offset !== offsetAtStart(day + 1, timeZone)) return readOffset(ms, timeZone);
  last = { timeZone, day, offset };
  return offset;
}

function offsetAtStart(day: number, timeZone: string): number {
  let known = offsets.get(timeZone);
  if (!known || known.size >= MAX_OFFSETS) offsets.set(timeZone, (known = new Map()));
  let offset = known.get(day);
  if (offset === undefined) known.set(day, (offset = readOffset(day * DAY_MS, timeZone)));
  return offset;
}

function readOffset(ms: number, timeZone: string): number {
  const { year, month, day, hour, minute, second } = clockOf(ms, timeZone);
  const whole = Math.floor(ms / 1000) * 1000;
  return Date.UTC(+year, +month - 1, +day, +hour, +minute, +second) - whole;
}

/** Epoch ms at which a clock there shows `2026-11-21 08:30:00`; where a clock is put forward, the moment after the gap. */
export function momentFromClock(clock: string, timeZone: string): number {
  const guess = Date.parse(`${clock.replace(' ', 'T')}Z`);
  const ahead = offsetAt(guess - offsetAt(guess, timeZone), timeZone);
  // West of UTC the first is that of after the gap, and the clock showed another time then.
  return guess - Math.min(ahead, offsetAt(guess - ahead, timeZone));
}

/** Whether a text is a day of the calendar, `2026-11-21`. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(momentFromText(`${text} 00:00:00`, 'UTC'));

/** Epoch ms of a moment that was typed as `2026-11-21 08:30:00`; NaN when it is none, such as the 30th of February. */
export function momentFromText(text: string, timeZone: string): number {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text)) return NaN;
  const utc = Date.parse(`${text.replace(' ', 'T')}Z`);
  const isOnCalendar = !Number.isNaN(utc) && new Date(utc).toISOString().startsWith(text.replace(' ', 'T'));
  return isOnCalendar ? momentFromClock(text, timeZone) : NaN;
}
