import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToSlots } from '#server/hashRate.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { expectNo } from '#tests/support/guard.ts';
import { userSpeedChart, userWorkerSpeedChart } from './contract.ts';
import { inUnit, spans } from './rules.ts';

let testApp: TestApp;
/** When the hour began in which they reported. */
let hour: number;
beforeAll(async () => {
  testApp = await startTestApp();
  const { rows } = await sql<{ hour: number }>`SELECT date_trunc('hour', now()) - interval '2 hours' AS hour`.execute(
    testApp.db,
  );
  hour = (rows[0] as { hour: number }).hour;
  await testApp.db
    .insertInto('user_speed')
    .values([
      { userOid: 'RACK', name: 'Rack', siteId: 'SZ' },
      { userOid: 'FAR', name: 'Far', siteId: 'NB' },
    ])
    .execute();
  await testApp.db
    .insertInto('user_worker')
    .values([
      { workerId: 'W1', userOid: 'RACK', siteId: 'SZ' },
      { workerId: 'W2', userOid: 'RACK', siteId: 'SZ' },
      { workerId: 'W9', userOid: 'FAR', siteId: 'NB' },
    ])
    .execute();
  await sql`
    INSERT INTO hash_rate_sample ("userOid", "workerId", at, "hashRate") VALUES
      ('RACK', 'W1', ${new Date(hour)}::timestamptz + interval '5 minutes', 100),
      ('RACK', 'W1', ${new Date(hour)}::timestamptz + interval '6 minutes', 200),
      ('RACK', 'W2', ${new Date(hour)}::timestamptz + interval '7 minutes', 50),
      ('RACK', 'W1', now() - interval '100 days', 9999),
      ('FAR', 'W9', now() - interval '1 hour', 1500)`.execute(testApp.db);
  await addToSlots(sql`hash_rate_sample`, testApp.config.timeZone).execute(testApp.db);
});
afterAll(() => testApp.close());

const tech = { as: 'tech' };

describe('a chart of hash rates', () => {
  it('is for whoever has its button, of accounts and machines that they see', async () => {
    await expectNo('401', () => testApp.send(userSpeedChart, { userOid: 'RACK' }));
    await expectNo('100013', () => testApp.send(userSpeedChart, { userOid: 'RACK' }, { as: 'planner' }));
    await expectNo('100013', () => testApp.send(userWorkerSpeedChart, { workerId: 'W1' }, { as: 'planner' }));
    await expectNo('100002', () => testApp.send(userSpeedChart, { userOid: 'NOBODY' }, tech));
    await expectNo('100002', () => testApp.send(userSpeedChart, { userOid: 'FAR' }, tech));
    await expectNo('100002', () => testApp.send(userWorkerSpeedChart, { workerId: 'W9' }, tech));
    await expectNo('100002', () => testApp.send(userWorkerSpeedChart, { workerId: 'W1', userOid: 'FAR' }, tech));
    await expectNo('100015', () =>
      testApp.ask('GET', userSpeedChart.path, { userOid: 'RACK', interval: 'year' }, tech),
    );
  });

  it('of an account adds up the means of its workers, hour by hour, with gaps where nobody reported [P-CHT-01, P-CHT-02]', async () => {
    const { data } = await testApp.send(userSpeedChart, { userOid: 'RACK' }, tech);
    expect(data.unit).toBe('TH/s');
    expect(data.point).toHaveLength(spans.hour);
    const known = data.point.filter((it) => it.hashRate !== null);
    expect(known).toEqual([{ timestamp: hour, hashRate: 200 }]);
    const [first, second] = data.point;
    expect((second?.timestamp ?? 0) - (first?.timestamp ?? 0)).toBe(3_600_000);
  });

  it('of a machine shows it alone, by the minute or the day [P-CHT-01]', async () => {
    const minutes = (
      await testApp.send(userWorkerSpeedChart, { workerId: 'W1', userOid: 'RACK', interval: 'minute' }, tech)
    ).data;
    expect(minutes.point.flatMap((it) => it.hashRate ?? [])).toEqual([100, 200]);
    const days = (await testApp.send(userWorkerSpeedChart, { workerId: 'W1', interval: 'day' }, tech)).data;
    expect(days.point).toHaveLength(spans.day);
    expect(days.point.flatMap((it) => it.hashRate ?? [])).toEqual([150]);
  });

  it('says PH/s above a thousand TH/s', async () => {
    const { data } = await testApp.send(userSpeedChart, { userOid: 'FAR' }, { as: 'admin' });
    expect(data.unit).toBe('PH/s');
    expect(data.point.flatMap((it) => it.hashRate ?? [])).toEqual([1.5]);
    expect(inUnit([{ timestamp: 1, hashRate: 1000 }]).unit).toBe('TH/s');
  });
});
