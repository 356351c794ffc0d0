import { dayFromSql, endOfDay, momentAfter, momentFromText } from '#domain/day.ts';
import { monthAfter } from '#domain/period.ts';
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
  return {
    startDate,
    endDate,
    from: new Date(from),
    // What was done after the moment that is asked about had not happened.
    until: earlier(new Date(isDated ? endOf(endDate, formOf(kind).range, timeZone) : Date.now()), endOfMoment(asOf)),
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

/** What was done in the second that was typed had happened as of it. */
export const endOfMoment = (asOf: Date | null): Date | null => asOf && new Date(momentAfter(asOf.getTime()));

const earlier = (moment: Date, other: Date | null): Date => (other && other < moment ? other : moment);

/** With what the period ends: of months, the whole last one counts. Rule: reports#range. */
const endOf = (day: string, range: string, timeZone: string): number =>
  range === 'months' ? dayFromSql(`${monthAfter(day.slice(0, 7))}-01`, timeZone) : endOfDay(day, timeZone);
