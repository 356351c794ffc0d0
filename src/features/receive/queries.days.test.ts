import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Node } from '#domain/nodes.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { unitOnBill } from '#tests/support/factories.ts';
import { knownSns, readPast } from './queries.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
});
afterAll(() => testApp.close());

/** At every moment it is another day in one of the first two than at the database. */
it.each(['Pacific/Kiritimati', 'Etc/GMT+12', 'Asia/Shanghai'])(
  'a warranty ends with its day in %s, and the 90 days of the repair warranty go by days',
  async (timeZone) => {
    // In one transaction the database’s clock stands.
    await testApp.db.transaction().execute(async (db) => {
      const ctx = { db, config: { ...testApp.config, timeZone } };
      const { rows } = await sql<{ days: string[]; moments: string[] }>`
        SELECT ARRAY[(d.today - 1)::text, d.today::text] AS days,
               ARRAY[((d.today - 90) + time '00:00:01') AT TIME ZONE ${timeZone},
                     ((d.today - 91) + time '23:59:59') AT TIME ZONE ${timeZone}]::text[] AS moments
          FROM (SELECT (now() AT TIME ZONE ${timeZone})::date AS today) AS d`.execute(db);
      const { days = [], moments = [] } = rows[0] ?? {};
      const archived = days.map((warrantyUntil, i) => ({
        ...{ sn: `RX19WARRANTY${i}`, itemId: 1, salesCode: 'RX19', itemName: 'RX19', type: '0', origin: '1' },
        warrantyUntil,
      }));
      await db.insertInto('ubs_item_object').values(archived).execute();
      const sns = archived.map((it) => it.sn);
      const known = await knownSns(ctx, sns);
      expect(sns.map((it) => known.get(it)?.inWarranty)).toEqual([false, true]);
      const sent = [];
      for (const deliverTime of moments)
        sent.push(await unitOnBill(db, { node: Node.Shipped, item: { deliverTime, deliverStatus: '2' } }));
      const past = await readPast(
        ctx,
        sent.map((it) => it.sn),
      );
      expect(sent.map((it) => past.get(it.sn)?.recently)).toEqual([true, false]);
      await sql`DELETE FROM ubs_item_object WHERE sn = ANY(${sns})`.execute(db);
    });
  },
);
