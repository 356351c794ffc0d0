import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actions, ask, begun, openActions, testApp, undoings } from '#tests/support/actions.ts';
import { newKey } from '#tests/support/app.ts';
import { withFault, type Fault } from '#tests/support/faults.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { takeSnapshot } from '#tests/support/snapshot.ts';

/**
 * Each statement of each handler goes wrong in turn: the answer says so, nothing is half written, and the same submit
 * with the same key is then done, once. `npm run chaos -- statements` tries every statement in both ways.
 */
const FAULTS: readonly Fault[] = ['refused', 'gone'];
/** A statement that the database refuses is a fault of the program; a connection that is gone is not. */
const ANSWERS: Record<Fault, { code: string; status: number }> = {
  refused: { code: '000500', status: 500 },
  gone: { code: '000503', status: 503 },
};
const IS_LONG = process.env['CHAOS'] === 'long';
/** In the short run one of so many statements goes wrong; the first of them are the session's. */
const [FIRST, STRIDE] = IS_LONG ? [1, 1] : [6, 13];
beforeAll(openActions);
afterAll(() => testApp.close());

/** Until the pool has noticed that a connection is gone. */
async function settled(): Promise<void> {
  for (let tries = 0; tries < 50; tries++) {
    const isUp = await sql`SELECT 1`.execute(testApp.db).then(
      () => true,
      () => false,
    );
    if (isUp) return;
  }
  throw new Error('the database does not come back');
}

describe('a statement that goes wrong', () => {
  it.each(Object.entries(IS_LONG ? { ...actions, ...undoings } : actions))(
    'in %s leaves nothing half written',
    { timeout: 300_000 },
    async (_, action) => {
      let tried = 0;
      for (const fault of FAULTS) {
        for (let nth = FIRST; ; nth += STRIDE) {
          const submit = await begun(action);
          const key = newKey();
          const before = await takeSnapshot(testApp.db);
          const [answer, happened] = await withFault(fault, nth, () => ask(submit, key));
          if (!happened) {
            expect(answer, answer.msg).toMatchObject({ code: '000000' });
            break;
          }
          const where = `${fault} at statement ${nth}`;
          tried += 1;
          await settled();
          if (answer.code !== '000000') {
            expect({ where, code: answer.code, status: answer.status }).toEqual({ where, ...ANSWERS[fault] });
            expect(await takeSnapshot(testApp.db), where).toEqual(before);
          }
          const again = await ask(submit, key);
          expect(again, `${where}, then again: ${again.msg}`).toMatchObject({ code: '000000' });
          const snapshot = await takeSnapshot(testApp.db);
          expect(await ask(submit, key), where).toEqual(again);
          expect(await takeSnapshot(testApp.db), `${where}, repeated under its key`).toEqual(snapshot);
        }
      }
      expect(tried).toBeGreaterThanOrEqual(FAULTS.length);
      expect(await brokenInvariants(testApp.db)).toEqual([]);
    },
  );
});
