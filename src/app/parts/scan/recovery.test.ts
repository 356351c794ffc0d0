// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallError } from '#app/send.ts';
import { isServerDown } from '#app/parts/scan/answers.ts';
import { createRecovery } from '#app/parts/scan/serverContact.ts';
import type { SavedScans } from '#app/parts/scan/savedScans.ts';
import { createStation } from '#app/parts/scan/station.ts';
import type { StationEnvironment } from '#app/parts/scan/stationContract.ts';

const scope = { userId: 'li', userName: 'Li', siteId: 'SZ', station: 'qc', bill: '' };
const failure = (status: number) =>
  new CallError({ status, msg: `relation "x" does not exist`, network: status === 0 });
const GOAL = 3000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A server that is down until it is said to be well, and a station that scans at it. */
async function downServer({ status = 500, isProbed = true, lasts = 60_000 } = {}) {
  let isDown = true;
  let open = 0;
  const calls = { most: 0, checks: 0, submits: 0, probes: 0 };
  const answer = async <Data>(data: Data): Promise<Data> => {
    calls.most = Math.max(calls.most, (open += 1));
    await Promise.resolve();
    open -= 1;
    if (isDown) throw failure(status);
    return data;
  };
  const nothing = () => Promise.resolve();
  const savedScans = {
    claim: () => Promise.resolve({ scans: [], isNew: false }),
    onClaimedElsewhere: () => () => {},
    readOthersWaiting: () => Promise.resolve([]),
    put: nothing,
    begin: nothing,
    abandon: nothing,
    settle: nothing,
    remove: nothing,
  } as unknown as SavedScans;
  const words = new Proxy({}, { get: (_, name) => String(name) }) as StationEnvironment['words'];
  const station = createStation<object, string, string>(scope, savedScans, {
    check: (sn) => ((calls.checks += 1), answer({ sn })),
    submit: () => ((calls.submits += 1), answer('done')),
    successText: String,
    sound: () => undefined,
    onError: (error) => {
      throw error;
    },
    reasonOf: (error) => (error as CallError).message,
    isServerWell: () => ((calls.probes += 1), isProbed ? Promise.resolve(!isDown) : Promise.reject(new Error('none'))),
    words,
  });
  await station.start();
  return {
    station,
    calls,
    rows: () => station.state.get().scans.map(({ sn, state, reason = '' }) => `${sn} ${state} ${reason}`.trim()),
    isOver: async () => {
      await vi.advanceTimersByTimeAsync(lasts);
      Object.assign(calls, { most: 0, checks: 0, submits: 0, probes: 0 });
      isDown = false;
    },
    fall: () => void (isDown = true),
    rise: () => void (isDown = false),
  };
}

describe('a station whose server is down', () => {
  it.each([500, 502, 503, 504, 0])('says so in its own words, never in the server’s (%i)', async (status) => {
    const { station, rows } = await downServer({ status });
    station.scan('SN1');
    await vi.advanceTimersByTimeAsync(5000);
    for (const sn of ['SN2', 'SN3', 'SN4', 'SN5']) station.scan(sn);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(rows()).toEqual([1, 2, 3, 4, 5].map((it) => `SN${it} queued ${status === 0 ? 'noAnswer' : 'serverFails'}`));
  });

  it.each([
    [500, 33_000],
    [503, 62_000],
    [0, 95_000],
    [502, 121_500],
    [504, 600_000],
  ])('goes on within three seconds once it is well (%i for %i ms)', async (status, lasts) => {
    const { station, rows, isOver } = await downServer({ status, lasts });
    for (const sn of ['SN1', 'SN2', 'SN3', 'SN4', 'SN5']) station.scan(sn);
    await isOver();
    await vi.advanceTimersByTimeAsync(GOAL);
    expect(rows()).toEqual(['SN1 ok', 'SN2 ok', 'SN3 ok', 'SN4 ok', 'SN5 ok']);
  });

  it('sends a submit again within three seconds, although scans are answered before it', async () => {
    const { station, rows, isOver, fall, rise, calls } = await downServer();
    rise();
    station.scan('SN1');
    await vi.advanceTimersByTimeAsync(0);
    fall();
    station.submit('them', [station.state.get().scans[0]?.key ?? '']);
    station.scan('SN2');
    await vi.advanceTimersByTimeAsync(0);
    expect(station.state.get().sending?.unsent).toBe('serverFails');
    await isOver();
    await vi.advanceTimersByTimeAsync(GOAL);
    expect(rows()).toEqual(['SN1 submitted', 'SN2 ok']);
    expect(calls.submits).toBe(1);
  });

  it('is asked one thing at a time, and not more often than every second', async () => {
    const { station, calls } = await downServer();
    for (const sn of ['SN1', 'SN2', 'SN3', 'SN4', 'SN5']) station.scan(sn);
    await vi.advanceTimersByTimeAsync(60_000);
    Object.assign(calls, { most: 0, checks: 0, probes: 0 });
    await vi.advanceTimersByTimeAsync(600_000);
    expect(calls.most).toBe(1);
    expect(calls.checks).toBeLessThanOrEqual(21);
    expect(calls.probes).toBeLessThanOrEqual(501);
  });

  it('goes on where nobody may ask how it is', async () => {
    const { station, rows, isOver } = await downServer({ isProbed: false });
    station.scan('SN1');
    await isOver();
    await vi.advanceTimersByTimeAsync(31_000);
    expect(rows()).toEqual(['SN1 ok']);
  });

  it('asks nothing more once its page is left', async () => {
    const { station, calls } = await downServer();
    station.scan('SN1');
    await vi.advanceTimersByTimeAsync(100);
    station.stop();
    Object.assign(calls, { checks: 0, probes: 0 });
    await vi.advanceTimersByTimeAsync(600_000);
    expect(calls).toMatchObject({ checks: 0, probes: 0 });
  });
});

describe('what waits for a server', () => {
  it('goes on although the server is well and the call is not, about as often', async () => {
    const goOn = vi.fn(() => recovery.wait(true));
    const recovery = createRecovery(() => Promise.resolve(true), goOn);
    recovery.wait(true);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(goOn.mock.calls.length).toBeGreaterThanOrEqual(30);
    expect(goOn.mock.calls.length).toBeLessThanOrEqual(50);
    recovery.stop();
  });

  it('asks no server that has answered, only later', async () => {
    const isWell = vi.fn(() => Promise.resolve(true));
    const goOn = vi.fn();
    const recovery = createRecovery(isWell, goOn);
    recovery.wait(false);
    await vi.advanceTimersByTimeAsync(1500);
    expect(isWell).not.toHaveBeenCalled();
    expect(goOn).toHaveBeenCalledTimes(1);
  });

  it('asks at once when somebody looks', async () => {
    const isWell = vi.fn(() => Promise.resolve(true));
    const goOn = vi.fn();
    const recovery = createRecovery(isWell, goOn);
    recovery.look();
    expect(isWell).not.toHaveBeenCalled();
    recovery.wait(true);
    recovery.look();
    await vi.advanceTimersByTimeAsync(0);
    expect(goOn).toHaveBeenCalledTimes(1);
  });

  it('lets stations that fell silent together come back apart', async () => {
    const times: number[] = [];
    const start = Date.now();
    for (let i = 0; i < 50; i++) {
      createRecovery(
        () => Promise.resolve(true),
        () => times.push(Date.now() - start),
      ).wait(true);
    }
    await vi.advanceTimersByTimeAsync(5000);
    expect(times).toHaveLength(50);
    expect(new Set(times).size).toBeGreaterThan(25);
  });

  it('knows a server that is down from one that says no', () => {
    expect([0, 500, 502, 503, 504].map((it) => isServerDown(failure(it)))).toEqual(Array(5).fill(true));
    expect([200, 401, 403, 409, 429].map((it) => isServerDown(failure(it)))).toEqual(Array(5).fill(false));
  });
});
