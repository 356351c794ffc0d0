import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { isLockWaited } from '#tests/support/locks.ts';

let testApp: TestApp;
beforeAll(async () => void (testApp = await startTestApp()));
afterAll(() => testApp.close());

const archive = async (sn: string) => {
  const row = { sn, type: '0', origin: '2' };
  return testApp.db.insertInto('ubs_item_object').values(row).returning('id').executeTakeFirstOrThrow();
};

describe('a former SN', () => {
  it('is its unit to each relation of the advanced search: one that finds it, and never two that exclude each other', async () => {
    const { id } = await archive('SOUGHT-NOW');
    const change = { oldSn: 'SOUGHT-ONCE', newSn: 'SOUGHT-NOW', itemObjectId: id, siteId: 'SZ', cause: '1' };
    await testApp.db
      .insertInto('ubs_sn_change_log')
      .values({ ...change, operateStatus: 'Normal' })
      .execute();
    const isFound = async (relation: string, value: string) => {
      const rules = [
        { column: 'id', relation: 'EQUAL_TO', value: id },
        { connector: 'AND', column: 'sn', relation, value },
      ];
      const body = { adminAdvancedSearchGroup: { rules } };
      const path = '/api/ubsItemObject/advancedSearch.json';
      const { data } = await testApp.ask<{ itemTotal: number }>('POST', path, body, { as: 'admin' });
      return data.itemTotal === 1;
    };
    for (const sn of ['SOUGHT-NOW', 'SOUGHT-ONCE', 'SOUGHT-NEVER']) {
      const isIts = sn !== 'SOUGHT-NEVER';
      for (const relation of ['EQUAL_TO', 'LIKE', 'IN']) {
        expect([sn, relation, await isFound(relation, sn)]).toEqual([sn, relation, isIts]);
      }
      for (const relation of ['NOT_EQUAL_TO', 'NOT_LIKE']) {
        expect([sn, relation, await isFound(relation, sn)]).toEqual([sn, relation, !isIts]);
      }
    }
    expect(await isFound('IN', 'SOUGHT-NEVER, SOUGHT-ONCE')).toBe(true);
  });

  it('is given to nothing else by the database itself, and is free when its change was taken back', async () => {
    const { id } = await archive('CALLED-NOW');
    const change = { oldSn: 'CALLED-ONCE', newSn: 'CALLED-NOW', itemObjectId: id, siteId: 'SZ', cause: '1' };
    await testApp.db
      .insertInto('ubs_sn_change_log')
      .values({ ...change, operateStatus: 'Normal' })
      .execute();
    await expect(archive('CALLED-ONCE')).rejects.toMatchObject({ code: '23505' });
    const other = await archive('ANOTHER');
    const rename = (of: number, sn: string) =>
      testApp.db.updateTable('ubs_item_object').set({ sn }).where('id', '=', of).execute();
    await expect(rename(other.id, 'CALLED-ONCE')).rejects.toMatchObject({ code: '23505' });
    // Its own former one may come back.
    await rename(id, 'CALLED-ONCE');
    await rename(id, 'CALLED-NOW');
    await testApp.db.updateTable('ubs_sn_change_log').set({ operateStatus: 'Rollbacked' }).execute();
    await rename(other.id, 'CALLED-ONCE');
  });

  it('is given to nobody who asks for it while it is being left; without the trigger it is', async () => {
    /** Somebody archives an SN at the moment at which a unit is changed away from it. */
    const overtaken = async (oldSn: string) => {
      const { id } = await archive(oldSn);
      const change = { oldSn, newSn: `${oldSn}-NEW`, itemObjectId: id, siteId: 'SZ', cause: '1' };
      let asked: Promise<unknown> = Promise.resolve();
      let isAnswered = false;
      await testApp.db.transaction().execute(async (db) => {
        await db.updateTable('ubs_item_object').set({ sn: change.newSn }).where('id', '=', id).execute();
        await db
          .insertInto('ubs_sn_change_log')
          .values({ ...change, operateStatus: 'Normal' })
          .execute();
        asked = archive(oldSn)
          .catch((error: unknown) => error)
          .finally(() => (isAnswered = true));
        while (!isAnswered && !(await isLockWaited(testApp.db)));
      });
      return asked;
    };
    expect(await overtaken('LEFT')).toMatchObject({ code: '23505' });
    await sql`ALTER TABLE ubs_item_object DISABLE TRIGGER former_sn`.execute(testApp.db);
    expect(await overtaken('LEFT-TOO')).toMatchObject({ id: expect.anything() as unknown });
  });
});
