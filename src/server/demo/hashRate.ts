import { sql, type Kysely } from 'kysely';
import { DAY_MS } from '#domain/day.ts';
import { ServiceTokenStatus } from '#domain/enums.ts';
import { INGEST } from '#domain/hashRate.ts';
import { Node } from '#domain/nodes.ts';
import type { Tables } from '#server/db/tables.ts';
import { addToSlots } from '#server/hashRate.ts';
import { stamp, type World } from './world.ts';

const accounts = [
  { userOid: 'RACK-SZ', name: '深圳老化机架', siteId: 'SZ', coin: 'BTC' },
  { userOid: 'RACK-NB', name: '宁波老化机架', siteId: 'NB', coin: 'BTC' },
  { userOid: 'RACK-US', name: 'Houston burn-in rack', siteId: 'US', coin: 'LTC' },
];

/** The burn-in racks of the sites, with machines of the workshop on them, and the tokens of their collectors, which nobody can use. */
export function addRacks(world: World): void {
  const { rows, now } = world;
  for (const account of accounts) {
    const units = [...world.units.values()]
      .filter((it) => it.site.siteId === account.siteId && it.machine.model && it.row.ivyId !== Node.Shipped)
      .slice(0, 5);
    const rates = units.map(({ machine }) => Number(/(\d+)[TG]$/.exec(machine.item.salesCode)?.[1] ?? 100));
    rows.add('user_speed', {
      ...account,
      currentRate: rates.reduce((sum, it) => sum + it, 0),
      workersOnline: units.length,
      workerCount: units.length + 1,
      lastSeenTime: new Date(now),
      ...stamp(now - 90 * DAY_MS, 'admin'),
    });
    units.forEach(({ machine }, i) =>
      rows.add('user_worker', {
        workerId: `${account.userOid}-${String(i + 1).padStart(2, '0')}`,
        userOid: account.userOid,
        sn: machine.sn,
        siteId: account.siteId,
        currentRate: rates[i] ?? 0,
        lastSeenTime: new Date(now),
        ...stamp(now - 90 * DAY_MS, 'admin'),
      }),
    );
    rows.add('service_token', {
      name: account.siteId === 'US' ? 'Houston rack collector' : `${account.name}采集器`,
      scope: INGEST,
      siteId: account.siteId,
      userOid: account.userOid,
      // Of Houston's somebody left the company.
      status: account.siteId === 'US' ? ServiceTokenStatus.Revoked : ServiceTokenStatus.Valid,
      expireTime: new Date(now + 275 * DAY_MS),
      lastUsedTime: new Date(now),
      ...stamp(now - 90 * DAY_MS, 'admin'),
    });
  }
}

/** What they reported: every 6 hours for 90 days, every 30 minutes for a week, every minute for a day; one stood still. */
export async function addSamples(db: Kysely<Tables>, now: number, timeZone: string): Promise<void> {
  await sql`
    INSERT INTO hash_rate_sample ("userOid", "workerId", at, "hashRate")
    SELECT w."userOid", w."workerId", t.at,
           round((w."currentRate" * (1 + 0.03 * sin(extract(epoch FROM t.at) / 9000 + w.id)
             + 0.02 * cos(extract(epoch FROM t.at) / 700 * (1 + w.id % 3))))::numeric, 2)
      FROM user_worker AS w
      CROSS JOIN (
        SELECT generate_series(n.now - interval '90 days', n.now - interval '7 days', interval '6 hours') AS at
          FROM (SELECT to_timestamp(${now} / 1000.0) AS now) AS n
        UNION ALL
        SELECT generate_series(n.now - interval '7 days' + interval '30 minutes', n.now - interval '1 day', interval '30 minutes')
          FROM (SELECT to_timestamp(${now} / 1000.0) AS now) AS n
        UNION ALL
        SELECT generate_series(n.now - interval '1 day' + interval '1 minute', n.now, interval '1 minute')
          FROM (SELECT to_timestamp(${now} / 1000.0) AS now) AS n
      ) AS t
     WHERE NOT (w."workerId" LIKE '%-02' AND t.at BETWEEN to_timestamp(${now} / 1000.0) - interval '9 hours'
                                                      AND to_timestamp(${now} / 1000.0) - interval '6 hours')`.execute(
    db,
  );
  await sql`${addToSlots(sql`hash_rate_sample`, timeZone)}`.execute(db);
}
