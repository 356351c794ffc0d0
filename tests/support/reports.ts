import { dayOf } from '#domain/day.ts';
import type { Kind, ReportInput } from '#domain/reports.ts';
import { createParams } from '#server/reports/params.ts';
import { columnsOf, type Row } from '#server/reports/report.ts';
import { reportOf } from '#server/reports/reportOf.ts';
import type { TestApp } from '#tests/support/app.ts';

export interface Asked extends ReportInput {
  /** So many days ago until so many days ago. */
  days?: [from: number, to: number];
  /** What the asker may see. */
  sites?: 'all' | string[];
}

/** The rows of a report by its query, each with exactly the columns that the report has, and without what only a drill asks. */
export async function readRows(
  app: TestApp,
  kind: Kind,
  asked: Asked,
  part: 'rows' | 'footer' = 'rows',
): Promise<Row[]> {
  const { days, sites = 'all', ...input } = asked;
  const { timeZone } = app.config;
  const dayBefore = (n: number) => dayOf(Date.now() - n * 86_400_000, timeZone);
  const range = days ? { startDate: dayBefore(days[0]), endDate: dayBefore(days[1]) } : {};
  const ctx = { currentUser: { sites }, lang: 'en', config: app.config } as Parameters<typeof createParams>[2];
  const params = createParams(kind, { ...range, ...input }, ctx);
  const report = reportOf(kind);
  const { rows } = (await report[part]?.(params).execute(app.db)) ?? { rows: [] };
  const keys = columnsOf(report, params).map((it) => it.key);
  const more = part === 'rows' ? (report.drill?.keys ?? []) : [];
  const whole = [...keys, ...more];
  const stray = rows.flatMap((it) => Object.keys(it)).filter((it) => !whole.includes(it));
  const missing = part === 'rows' && !report.footer && rows[0] ? whole.filter((it) => !(it in (rows[0] as Row))) : [];
  if (stray.length + missing.length > 0) throw new Error(`${kind}: stray ${stray.join()}, missing ${missing.join()}`);
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([key]) => !more.includes(key))));
}
