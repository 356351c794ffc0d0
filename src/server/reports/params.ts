import { DAY_MS, dayFromSql, momentFromText } from '#domain/day.ts';
import { formOf, type Kind, type ReportInput, ReportType } from '#domain/reports.ts';
import type { Context } from '#server/context.ts';
import type { Params } from './report.ts';

/** A checked input as the queries need it; whoever asks sees the rows of their own sites, whatever sites were asked for. */
export function createParams(kind: Kind, input: ReportInput, { currentUser, lang, config }: Context): Params {
  const { timeZone } = config;
  const { startDate = '', endDate = '' } = input;
  const isDated = startDate !== '' && endDate !== '';
  const from = isDated ? dayFromSql(startDate, timeZone) : 0;
  const asOf =
    formOf(kind).inputs.includes('asOf') && input.asOf ? new Date(momentFromText(input.asOf, timeZone)) : null;
  const last = formOf(kind).range === 'months' ? monthAfter(endDate) : dayAfter(endDate);
  return {
    startDate,
    endDate,
    from: new Date(from),
    // What was done after the moment that is asked about had not happened.
    until: earlier(isDated ? new Date(dayFromSql(last, timeZone)) : new Date(Date.now()), asOf),
    asOf,
    sites: sitesOf(currentUser.sites, input),
    lang,
    timeZone,
    reportType: (input.reportType ?? ReportType.Receive) as ReportType,
    salesCodeDesc: (input.salesCodeDesc ?? '').trim(),
    mtbId: (input.mtbId ?? '').trim(),
    btmMtbId: (input.btmMtbId ?? '').trim(),
    btmUserId: (input.btmUserId ?? '').trim(),
  };
}

/** Those that were asked for and may be seen; asked for none, all that may be seen. Rule: reports#sites. */
export function sitesOf(seen: 'all' | readonly string[], { siteId, repairSiteIds }: ReportInput): Params['sites'] {
  const asked = [siteId, ...(repairSiteIds ?? '').split(',')].flatMap((it) => it?.trim() || []);
  if (asked.length === 0) return seen;
  return seen === 'all' ? asked : asked.filter((it) => seen.includes(it));
}

const earlier = (moment: Date, other: Date | null): Date => (other && other < moment ? other : moment);
const utc = (day: string) => Date.parse(`${day}T00:00:00Z`);
const text = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const dayAfter = (day: string) => (day === '' ? '' : text(utc(day) + DAY_MS));

/** The whole last month counts. Rule: reports#range. */
function monthAfter(day: string): string {
  if (day === '') return '';
  const it = new Date(utc(day));
  return text(Date.UTC(it.getUTCFullYear(), it.getUTCMonth() + 1, 1));
}
