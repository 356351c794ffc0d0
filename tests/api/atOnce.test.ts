import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { receiveWafers } from '#features/order-output/contract.ts';
import { sendSwitch } from '#features/work-order-actions/contract.ts';
import { createBumpingCpOrder, createWaferOrder } from '#features/work-orders/contract.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { bumpingHead, chipParts, findChipFaults, foundryHead } from '#tests/support/chips.ts';
import { bothAtOnce, withoutGuards } from '#tests/support/faults.ts';
import { isLockWaited } from '#tests/support/locks.ts';
import { readCodeIds } from '#tests/support/guard.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { rivalClaims, rivalStations, rivalWords, type Place, type Submission } from '#tests/support/rivals.ts';

/**
 * Two people do the same thing, or the opposite, at the same moment: what the first one does is written and not kept yet
 * when the second one comes. `npm run chaos -- races` leaves to chance how close they come.
 */
let testApp: TestApp;
let place: Place;
beforeAll(async () => {
  testApp = await startTestApp();
  await chipParts(testApp.db);
  const send: Place['send'] = ({ as, path, input }) => testApp.ask('POST', `/api/${path}.json`, input, { as });
  place = { db: testApp.db, send, codes: await readCodeIds(testApp) };
});
afterAll(() => testApp.close());

const ask = ({ as, path, input }: Submission) =>
  testApp.ask('POST', `/api/${path}.json`, input, { as }).then((it) => it.code);

const together = (one: Submission, other: Submission) =>
  bothAtOnce(
    () => isLockWaited(testApp.db),
    () => ask(one),
    () => ask(other),
  );

const meetings = { ...rivalStations, ...rivalWords, ...rivalClaims };

describe('two at the same moment', () => {
  it.each(Object.entries(meetings))('are told apart, whoever is first: %s', async (_, meet) => {
    const { one, other, after, isVain } = await meet(place);
    const codes = await together(one, other);
    expect(codes[0]).toBe('000000');
    await after(codes);
    if (isVain) return;
    const again = await meet(place);
    const [second, first] = await together(again.other, again.one);
    expect(second).toBe('000000');
    await again.after([first, second]);
  });

  it('do not both get one wafer', async () => {
    const head = { ...bumpingHead, waferPn: 'P1' };
    const { data } = await testApp.send(
      createWaferOrder,
      { ...foundryHead, waferPn: 'P1', waferQty: 25 },
      { as: 'planner' },
    );
    const id = String(data.id);
    await testApp.send(sendSwitch('icopWaferWorkOrder'), { id }, { as: 'planner' });
    const lot = { id, waferLotId: 'RACE', waferIds: '01', dies: 50 };
    const { wipId } = (await testApp.send(receiveWafers, lot, { as: 'planner' })).data;
    const input = { ...head, processType: '1', waferList: [{ wipId: wipId ?? '', waferId: '01', inputQty: 30 }] };
    const order = (as: string) => () => testApp.send(createBumpingCpOrder, input, { as }).then((it) => it.code);
    expect(await bothAtOnce(() => isLockWaited(testApp.db), order('planner'), order('admin'))).toEqual([
      '000000',
      '100042',
    ]);
    expect(await findChipFaults(testApp.db)).toEqual([]);
  });

  it('leave nothing that contradicts itself', async () => {
    expect(await brokenInvariants(testApp.db)).toEqual([]);
  });
});

// Last, as what is written breaks the invariants.
describe('two at the same moment at a server that neither locks nor looks again as it writes', () => {
  it.each([
    ...Object.entries(rivalWords),
    ...['a transfer that takes what a delivery takes', 'a transfer that is signed for twice'].map(
      (it) => [it, meetings[it] as (typeof meetings)[string]] as const,
    ),
  ])('are both told that it is done, which shows that lock and guard are what decides: %s', async (_, meet) => {
    const { one, other } = await meet(place);
    const codes = await withoutGuards(() => together(one, other));
    expect(codes).toEqual(['000000', '000000']);
  });
});
