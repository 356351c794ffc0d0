import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Node } from '#domain/nodes.ts';
import { routes } from '#features/routes.ts';
import { documentScripts } from '#server/uploads/documents.ts';
import { actions, ask, begun, excepted, openActions, testApp, unit } from '#tests/support/actions.ts';
import { newKey } from '#tests/support/app.ts';
import { withFault, withRaised } from '#tests/support/faults.ts';
import { genericActions } from '#tests/support/features.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { takeSnapshot } from '#tests/support/snapshot.ts';

/**
 * All that a submit wrote goes wrong at its very end, with its COMMIT: the answer says so, nothing is half written, and the
 * same submit with the same key is then done. `npm run chaos -- statements` lets each statement go wrong.
 */
beforeAll(openActions);
afterAll(() => testApp.close());

/** As of a division by zero: a fault of the program. */
const FAULT = '22012';
const isCommit = (text: string) => /^commit/i.test(text);

describe('a submit that goes wrong at its end', () => {
  it.each(Object.entries(actions))('leaves nothing half written: %s', async (_, action) => {
    const submit = await begun(action);
    const key = newKey();
    const before = await takeSnapshot(testApp.db);
    const answer = await withRaised(FAULT, isCommit, () => ask(submit, key));
    expect([answer.status, answer.code], answer.msg).toEqual([500, '000500']);
    expect(await takeSnapshot(testApp.db)).toEqual(before);
    const again = await ask(submit, key);
    expect(again, again.msg).toMatchObject({ code: '000000' });
    expect(await ask(submit, key)).toEqual(again);
  });

  it('leaves nothing that contradicts itself', async () => {
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });

  it('is tried in every writing call of the chain, and in every generic one', () => {
    const paths = new Set(Object.values(actions).map((it) => it.path));
    const writing = routes.filter((it) => it.call.writes).map((it) => it.call.path.replace(/^\/api\/|\.json$/g, ''));
    const left = [...new Set(writing)].filter((it) => !paths.has(it));
    expect(left.filter((it) => !excepted.some(([calls]) => calls.test(it)))).toEqual([]);
    expect(excepted.filter(([calls]) => !left.some((it) => calls.test(it)))).toEqual([]);
    const names = new Set([...paths].map((it) => it.split('/')[1]));
    const generic = [...genericActions.filter((it) => it.writes).map((it) => it.name), ...documentScripts];
    expect(generic.filter((it) => !names.has(it))).toEqual([]);
  });

  it('is told from one that leaves half of the work, which shows that the snapshot sees it', async () => {
    const { sn } = await unit(Node.AwaitingTest);
    const before = await takeSnapshot(testApp.db);
    const careless = async () => {
      await testApp.db.updateTable('rma_inventory').set({ ivyId: '80' }).where('sn', '=', sn).execute();
      await testApp.db
        .insertInto('rma_transaction')
        .values({ sn, siteId: 'SZ', step: 'aging', toNode: '80', operateStatus: 'Normal', eventTime: new Date() })
        .execute();
    };
    await expect(withFault('refused', 2, careless)).rejects.toThrow(/division by zero/);
    expect(await takeSnapshot(testApp.db)).not.toEqual(before);
    await testApp.db.updateTable('rma_inventory').set({ ivyId: '70' }).where('sn', '=', sn).execute();
  });
});
