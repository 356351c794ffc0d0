import { plainText } from '#domain/sn.ts';

/** What is picked or typed: a calendar day, a moment to the second, a month. As text, as it is written here. */
export type DateKind = 'day' | 'moment' | 'month';

/** What a day alone means where a moment is asked for: the beginning or the end of a range, or the whole day. */
export type Edge = 'start' | 'end' | 'whole' | undefined;

/** How each is written, in both languages. */
export const dateFormats = { day: 'yyyy-MM-dd', moment: 'yyyy-MM-dd HH:mm:ss', month: 'yyyy-MM' } as const;

const DAY = String.raw`(?<year>\d{4})(?:[-/.年](?<m>\d{1,2})[-/.月](?<d>\d{1,2})日?|(?<mm>\d\d)(?<dd>\d\d))`;
const patterns = {
  day: new RegExp(`^${DAY}$`),
  moment: new RegExp(String.raw`^${DAY}(?:[T\s]\s*(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d))?)?$`),
  month: /^(?<year>\d{4})(?:[-/.年](?<m>\d{1,2})月?|(?<mm>\d\d))$/,
};

/** What somebody means by `2026/11/3`, `20261103` or `２０２６年11月3日`: `2026-11-03`; empty while it is none. */
export function readTypedDate(kind: DateKind, text: string, edge?: Edge): string {
  const found = patterns[kind].exec(plainText(text))?.groups;
  if (!found) return '';
  const part = (...names: string[]) => (names.map((it) => found[it]).find(Boolean) ?? '').padStart(2, '0');
  const month = `${found['year']}-${part('m', 'mm')}`;
  const day = kind === 'month' ? `${month}-01` : `${month}-${part('d', 'dd')}`;
  // What is left out of an end is all of it: a day ends with its last second, and so does a minute.
  const left = edge === 'end' ? (['23', '59', '59'] as const) : (['00', '00', '00'] as const);
  const isWholeDay = found['hour'] === undefined;
  const [hour, minute] = isWholeDay ? left : [part('hour'), part('minute')];
  const clock = `${hour}:${minute}:${found['second'] ?? left[2]}`;
  if (!isOnCalendar(`${day}T${clock}`)) return '';
  if (kind === 'moment' && isWholeDay && edge === 'whole') return day;
  return { day, month, moment: `${day} ${clock}` }[kind];
}

/** There is no 30th of February, and no 25 o'clock. */
function isOnCalendar(text: string): boolean {
  const at = Date.parse(`${text}Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

export interface DateRange {
  startDate: string;
  endDate: string;
}

/** The ranges that are asked for most, as days; all end today or before. */
export const rangeNames = ['today', 'yesterday', 'last7', 'last30', 'thisMonth', 'lastMonth'] as const;
export type RangeName = (typeof rangeNames)[number];

export function rangesOf(today: string): Record<RangeName, DateRange> {
  const [year = 0, month = 1] = today.split('-').map(Number);
  const text = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const back = (days: number) => text(Date.parse(`${today}T00:00:00Z`) - days * 86_400_000);
  return {
    today: { startDate: today, endDate: today },
    yesterday: { startDate: back(1), endDate: back(1) },
    last7: { startDate: back(6), endDate: today },
    last30: { startDate: back(29), endDate: today },
    thisMonth: { startDate: text(Date.UTC(year, month - 1, 1)), endDate: today },
    lastMonth: { startDate: text(Date.UTC(year, month - 2, 1)), endDate: text(Date.UTC(year, month - 1, 0)) },
  };
}
