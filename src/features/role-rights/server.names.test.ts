import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { expectRefused } from '#tests/support/guard.ts';

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  await testApp.openToken('admin');
});
afterAll(() => testApp.close());

const admin = { as: 'admin' };

describe('what a role is called', () => {
  const names = ['roleId', 'name', 'nameEn'] as const;
  const other = { roleId: 'nightshift', name: '夜班', nameEn: 'Night shift', allSites: '0' };
  const create = (values: object) => testApp.ask('POST', '/api/adminRole/create.json', { ...other, ...values }, admin);
  const rowOf = (roleId: string) =>
    testApp.db.selectFrom('admin_role').selectAll().where('roleId', '=', roleId).executeTakeFirstOrThrow();
  const cyrillic: Readonly<Record<string, string>> = { a: 'а', e: 'е', o: 'о', i: 'і' };
  /** Another text that looks the same, or nearly so. */
  const alike = (text: string) => text.replace(/[aeoi]/, (it) => cyrillic[it] ?? it).replace(/^(\p{sc=Han}+)$/u, '$1 ');

  it('reads like no code and no name of another, in letters that look alike, capitals or blanks', async () => {
    const roles = await testApp.db.selectFrom('admin_role').select(names).execute();
    let tried = 0;
    for (const role of roles)
      for (const [i, from] of names.entries()) {
        // As the name of another kind as well.
        const field = names[(i + tried) % 3] as (typeof names)[number];
        if (field === 'roleId' && from === 'name') continue;
        tried += 1;
        const called = from === 'name' ? `${role.name}。` : alike(role[from]).toUpperCase();
        const answer = await expectRefused(testApp, '100007', () => create({ [field]: called }));
        expect([called, answer.data]).toMatchObject([called, { problems: [{ key: 'roleLooks', field }] }]);
      }
    expect(tried).toBeGreaterThan(25);
    for (const nameEn of ['Technlcian', 'TECHN1CIAN', '0ffice'])
      await expectRefused(testApp, '100007', () => create({ nameEn }));
    const { msg } = await expectRefused(testApp, '100007', () => create({ nameEn: 'Finаnce reviewer' }));
    expect(msg).toBe(
      '“Finаnce reviewer” looks like the role 财务审核 / Finance reviewer (finance), which exists already; choose another one',
    );
  });

  it('may look like what it is called itself, and is asked about where it is called anew', async () => {
    expect((await create({})).code).toBe('000000');
    const modify = async (values: object) =>
      testApp.ask('POST', '/api/adminRole/modifyById.json', { ...(await rowOf('nightshift')), ...values }, admin);
    expect((await modify({ name: 'Night Shift', nameEn: 'NIGHT SHIFT' })).code).toBe('000000');
    await expectRefused(testApp, '100007', () => modify({ nameEn: 'Tеchnician' }));
    // What was there before stays.
    await testApp.db
      .updateTable('admin_role')
      .set({ nameEn: 'Technician' })
      .where('roleId', '=', 'nightshift')
      .execute();
    expect((await modify({ name: '晚班' })).code).toBe('000000');
  });

  it('is one name of two that ask for it at once', async () => {
    const waiting = async () =>
      (
        await sql`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
                     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`.execute(
          testApp.db,
        )
      ).rows.length;
    const early = { ...other, roleId: 'early', name: '早班', nameEn: 'Early shift', createBy: 'admin' };
    const second = await testApp.db.transaction().execute(async (db) => {
      await sql`SELECT pg_advisory_xact_lock(hashtextextended('names of roles', 0))`.execute(db);
      await db.insertInto('admin_role').values(early).execute();
      const asked = create({ roleId: 'morning', name: '早 班', nameEn: 'Morning shift' });
      await expect.poll(waiting).toBe(1);
      return { asked };
    });
    expect((await second.asked).code).toBe('100007');
  });
});
