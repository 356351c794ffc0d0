import { afterAll, beforeAll, expect, it } from 'vitest';
import { Node } from '#domain/nodes.ts';
import { nobody, type Context } from '#server/context.ts';
import { moveUnits } from '#server/workflow/moves.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';

/** The last guard, behind the locks: a unit is moved only from where its submit saw it. */
let testApp: TestApp;
let ctx: Context;
beforeAll(async () => {
  testApp = await startTestApp();
  const currentUser = { ...nobody, userId: 'tech', siteId: 'SZ' };
  ctx = { db: testApp.db, currentUser } as Context;
  await testApp.db
    .insertInto('rma_inventory')
    .values(['SN1', 'SN2'].map((sn) => ({ sn, type: '0', siteId: 'SZ', ivyId: Node.AwaitingTest })))
    .execute();
});
afterAll(() => testApp.close());

const move = (sn: string, ivyId: Node | null, to: Node) => ({ unit: { sn, mtbId: null, mtbliId: null, ivyId }, to });
const nodes = async () => {
  const rows = await testApp.db.selectFrom('rma_inventory').select('ivyId').orderBy('sn').execute();
  return rows.map((it) => it.ivyId);
};
const events = async () => (await testApp.db.selectFrom('rma_transaction').select('sn').execute()).length;

it('a unit that is no longer where it was seen refuses the whole submit, also when it is in no house', async () => {
  for (const seenAt of [Node.AwaitingRepair, Node.Shipped, null]) {
    const both = [
      move('SN1', Node.AwaitingTest, Node.AwaitingInspection),
      move('SN2', seenAt, Node.AwaitingInspection),
    ];
    const submit = testApp.db.transaction().execute((db) => moveUnits({ ...ctx, db }, both, 'aging', 'BNB1'));
    await expect(submit).rejects.toMatchObject({ problems: [{ key: 'stale' }] });
    expect(await nodes()).toEqual([Node.AwaitingTest, Node.AwaitingTest]);
    expect(await events()).toBe(0);
  }
});

it('units that are where they were seen go their ways, each with a line of its history', async () => {
  const both = [
    move('SN1', Node.AwaitingTest, Node.AwaitingInspection),
    move('SN2', Node.AwaitingTest, Node.AwaitingRepair),
  ];
  await moveUnits(ctx, both, 'aging', 'BNB1');
  expect(await nodes()).toEqual([Node.AwaitingInspection, Node.AwaitingRepair]);
  expect(await events()).toBe(2);
});
