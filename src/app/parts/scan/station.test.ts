// @vitest-environment jsdom
import '#app/testing/indexedDb.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallError } from '#app/send.ts';
import type { RefusalKey } from '#domain/refusal.ts';
import { LabelKind } from '#domain/labelRule.ts';
import { labelRules } from '#app/parts/scan/labels.ts';
import type { StationScope } from '#app/parts/scan/scanDatabase.ts';
import { openSavedScans, type Claim, type SavedScans } from '#app/parts/scan/savedScans.ts';
import { createStation, type Station } from '#app/parts/scan/station.ts';
import type { StationPorts } from '#app/parts/scan/stationContract.ts';
import { turns } from '#tests/support/turns.ts';

interface Unit {
  name: string;
}
type Ports = StationPorts<Unit & { warning?: string }, string, string>;

const li: StationScope = { userId: 'li', userName: 'Li', siteId: 'SZ', station: 'store', bill: '' };
const wu: StationScope = { ...li, userId: 'wu', userName: 'Wu' };
const noNetwork = () => new CallError({ status: 0, network: true });
const no = (key: RefusalKey) => new CallError({ status: 200, msg: `no ${key}`, problems: [{ key, msg: `no ${key}` }] });

let savedScans: SavedScans;
let opened = 0;
beforeEach(async () => {
  savedScans = await openSavedScans(`test-${(opened += 1)}`);
});
afterEach(() => vi.useRealTimers());

function portsOf(part: Partial<Ports> = {}) {
  const sounds: string[] = [];
  const told: string[] = [];
  const ports: Ports = {
    check: (sn) => Promise.resolve({ name: `unit ${sn}` }),
    onAccepted: ({ sn }) => void told.push(sn),
    submit: () => Promise.resolve('done'),
    successText: (answer) => answer,
    sound: (it) => void sounds.push(it),
    onError: (error) => {
      throw error;
    },
    reasonOf: (error) => (error as CallError).msg || 'no network',
    words: {
      accepted: 'fine',
      duplicate: 'twice',
      scanFirst: 'scan first',
      notSn: 'no SN',
      kept: 'kept',
      noAnswer: 'no answer',
      serverFails: 'server fails',
      undone: 'taken back',
      unitAwaited: 'not yet',
      nothingToUndo: 'nothing',
      submitted: 'submitted',
      elsewhere: 'elsewhere',
      notPersisted: 'not kept',
    },
    ...part,
  };
  return { ports, sounds, told };
}

async function opens(part: Partial<Ports> = {}, scope = li, on = savedScans) {
  const { ports, sounds, told } = portsOf(part);
  const station = createStation<Unit, string, string>(scope, on, ports);
  await station.start();
  return { station, sounds, told };
}

/** The same in another window of the browser. */
async function opensBeside(part: Partial<Ports> = {}, change: Partial<SavedScans> = {}) {
  return opens(part, li, { ...(await openSavedScans(`test-${opened}`)), ...change });
}

const shown = (station: Station<Unit, string, string>) => station.state.get().scans.map((it) => `${it.sn} ${it.state}`);
const keysOf = (station: Station<Unit, string, string>) => station.state.get().scans.map((it) => it.key);
const settles = (station: Station<Unit, string, string>, expected: string[]) =>
  vi.waitFor(() => expect(shown(station)).toEqual(expected));

describe('a station', () => {
  it('asks about three scans at once, and gives the verdicts in their order whichever answer comes first', async () => {
    const answers = new Map<string, () => void>();
    const check = (sn: string) => new Promise<Unit>((done) => answers.set(sn, () => done({ name: sn })));
    const { station, told } = await opens({ check });
    for (const sn of ['sn-1', 'sn-2', 'sn-3', 'sn-4']) station.scan(sn);
    await vi.waitFor(() => expect([...answers.keys()]).toEqual(['SN-1', 'SN-2', 'SN-3']));
    answers.get('SN-3')?.();
    answers.get('SN-2')?.();
    await Promise.resolve();
    expect(shown(station)).toEqual(['SN-1 checking', 'SN-2 checking', 'SN-3 checking', 'SN-4 queued']);
    answers.get('SN-1')?.();
    await vi.waitFor(() => expect(answers.has('SN-4')).toBe(true));
    answers.get('SN-4')?.();
    await settles(station, ['SN-1 ok', 'SN-2 ok', 'SN-3 ok', 'SN-4 ok']);
    expect(told).toEqual(['SN-1', 'SN-2', 'SN-3', 'SN-4']);
  });

  it('tells last what came of the last scan, also where that needs no answer and the others still wait for theirs', async () => {
    for (const last of ['sn-1', '?']) {
      const answers: (() => void)[] = [];
      const check = (sn: string) => new Promise<Unit>((done) => answers.push(() => done({ name: sn })));
      const { station, sounds } = await opens({ check }, { ...li, bill: last });
      for (const sn of ['sn-1', 'sn-2', last]) station.scan(sn);
      await vi.waitFor(() => expect(answers).toHaveLength(2));
      for (const answer of answers) answer();
      const kind = last === '?' ? 'wrong' : 'duplicate';
      await vi.waitFor(() => expect(sounds).toEqual(['ok', 'ok', kind]));
      expect(station.state.get().verdict).toMatchObject({ kind, sn: last.toUpperCase() });
    }
  });

  it('asks about all of them again, in their order, when the network went before the first had its answer', async () => {
    const asked: string[] = [];
    let isCut = true;
    const check = async (sn: string) => {
      asked.push(sn);
      // The first hears of the cut last; what the others were answered meanwhile counts for nothing.
      if (isCut && sn === 'SN-1') {
        await vi.waitUntil(() => asked.length === 3);
        await turns();
      }
      if (isCut && sn !== 'SN-3') throw noNetwork();
      return { name: sn };
    };
    const { station, told } = await opens({ check });
    for (const sn of ['sn-1', 'sn-2', 'sn-3']) station.scan(sn);
    await settles(station, ['SN-1 queued', 'SN-2 queued', 'SN-3 queued']);
    expect(told).toEqual([]);
    isCut = false;
    station.retry();
    await settles(station, ['SN-1 ok', 'SN-2 ok', 'SN-3 ok']);
    expect(told).toEqual(['SN-1', 'SN-2', 'SN-3']);
    expect(asked).toEqual(['SN-1', 'SN-2', 'SN-3', 'SN-1', 'SN-2', 'SN-3']);
  });

  it('makes full-width letters plain, trims and writes them large', async () => {
    const { station } = await opens();
    station.scan('  ｓｎ００１ ');
    await settles(station, ['SN001 ok']);
  });

  it('reads the SN on a label, by what every label may have and by the rules of the site', async () => {
    const rule = {
      id: 1,
      name: 'QR',
      kind: LabelKind.Template,
      template: 'https://qr.example.com/d/{sn}',
      snLength: null,
    };
    labelRules.set([rule]);
    const { station } = await opens();
    for (const it of [']C0sn-1', '(21)SN-2', 'https://qr.example.com/d/sn-3', 'https://qr.example.org/d/sn-4']) {
      station.scan(it);
    }
    await settles(station, ['SN-1 ok', 'SN-2 ok', 'SN-3 ok', 'HTTPS://QR.EXAMPLE.ORG/D/SN-4 wrong']);
    labelRules.set([]);
  });

  it('takes a code as it is, whatever the rules of the site would make of it', async () => {
    labelRules.set([{ id: 1, name: 'F', kind: LabelKind.Template, template: 'F{sn}', snLength: 8 }]);
    const taken: string[] = [];
    const { station } = await opens({ onText: (text) => taken.push(text) > 0 && text === 'FX1234567' });
    station.scan(']C0fx1234567');
    station.scan('fx7654321');
    await settles(station, ['X7654321 ok']);
    expect(taken).toEqual(['FX1234567', 'FX7654321']);
    labelRules.set([]);
  });

  it('tells of an accepted scan what to look out for, as a warning', async () => {
    const check = (sn: string) => Promise.resolve({ name: sn, ...(sn === 'SN2' && { warning: 'no parts' }) });
    const { station } = await opens({ check });
    station.scan('SN1');
    await settles(station, ['SN1 ok']);
    expect(station.state.get().verdict).toEqual({ kind: 'ok', sn: 'SN1', text: 'fine' });
    station.scan('SN2');
    await settles(station, ['SN1 ok', 'SN2 ok']);
    expect(station.state.get().verdict).toEqual({ kind: 'ok', sn: 'SN2', text: 'no parts', isWarning: true });
  });

  it('gives each verdict its own sound', async () => {
    const check = (sn: string) => {
      if (sn === 'STRANGE') return Promise.reject(no('notFound'));
      if (sn === 'HELD1') return Promise.reject(no('held'));
      return Promise.resolve({ name: sn });
    };
    const { station, sounds } = await opens({ check });
    station.scan('SN1');
    station.scan('SN1');
    station.scan('STRANGE');
    station.scan('HELD1');
    await settles(station, ['SN1 ok', 'SN1 duplicate', 'STRANGE wrong', 'HELD1 refused']);
    expect(new Set(sounds)).toEqual(new Set(['ok', 'duplicate', 'wrong', 'refused']));
    expect(station.state.get().verdict).toEqual({ kind: 'refused', sn: 'HELD1', text: 'no held' });
  });

  it.each([
    ['officialSn', 'wrong'],
    ['alreadyRegistered', 'wrong'],
    ['notTogether', 'refused'],
    ['fixed', 'refused'],
    ['duplicateSn', 'duplicate'],
  ] as const)('tells %s as %s, whatever shares its code', async (key, kind) => {
    const { station, sounds } = await opens({ check: () => Promise.reject(no(key)) });
    station.scan('SN1');
    await settles(station, [`SN1 ${kind}`]);
    expect(sounds).toEqual([kind]);
    expect(station.state.get().verdict).toEqual({ kind, sn: 'SN1', text: `no ${key}` });
  });

  it('asks for an SN when Enter comes with nothing, but not for the second Enter of a scanner', async () => {
    const { station } = await opens();
    station.scan('SN1');
    station.scan('');
    await settles(station, ['SN1 ok']);
    expect(station.state.get().verdict?.kind).toBe('ok');
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 10_000);
    station.scan('');
    expect(station.state.get().verdict).toMatchObject({ kind: 'wrong', text: 'scan first' });
    clock.mockRestore();
  });

  it('checks an SN with what was chosen when it was scanned, not with what is chosen later', async () => {
    let chosen = 'pass';
    const asked: unknown[] = [];
    const check = (sn: string, with_: unknown) => {
      asked.push([sn, with_]);
      return Promise.resolve({ name: sn });
    };
    const { station } = await opens({ check, chosen: () => chosen });
    station.scan('SN1');
    station.scan('SN2');
    chosen = 'fail';
    await settles(station, ['SN1 ok', 'SN2 ok']);
    expect(asked).toEqual([
      ['SN1', 'pass'],
      ['SN2', 'pass'],
    ]);
  });

  it('has a scan on disk before the sound that accepts it, and brings it back after a reload', async () => {
    let onDisk: string[] = [];
    const sound = async () => {
      onDisk = (await savedScans.load(li)).scans.map((it) => `${it.sn} ${it.state}`);
    };
    const { station } = await opens({ sound: () => void sound() });
    station.scan('SN1');
    await vi.waitFor(() => expect(onDisk).toHaveLength(1));
    expect(onDisk[0]).toMatch(/^SN1 (queued|ok)$/);
    station.stop();
    const again = await opens();
    await settles(again.station, ['SN1 ok']);
  });

  it('keeps scans that wait for the network, and checks them when it is back', async () => {
    let online = false;
    const check = (sn: string) => (online ? Promise.resolve({ name: sn }) : Promise.reject(noNetwork()));
    const { station } = await opens({ check });
    station.scan('SN1');
    station.scan('SN2');
    await vi.waitFor(() => expect(station.state.get().scans[0]?.reason).toBe('no answer'));
    expect((await savedScans.load(li)).scans.map((it) => it.sn)).toEqual(['SN1', 'SN2']);
    online = true;
    station.retry();
    await settles(station, ['SN1 ok', 'SN2 ok']);
  });

  it('tells of each scan that it is kept, once the server is silent, and of none that waits for the bench', async () => {
    let online = false;
    const check = (sn: string) => (online ? Promise.resolve({ name: sn }) : Promise.reject(noNetwork()));
    const { station, sounds } = await opens({ check, limit: 1 });
    station.scan('SN1');
    await vi.waitFor(() => expect(sounds).toEqual(['kept']));
    expect(station.state.get().verdict).toEqual({ kind: 'kept', sn: 'SN1', text: 'kept' });
    station.scan('SN2');
    await vi.waitFor(() => expect(sounds).toEqual(['kept', 'kept']));
    expect((await savedScans.load(li)).scans.map((it) => it.sn)).toEqual(['SN1', 'SN2']);
    station.retry();
    await vi.waitFor(() => expect(station.state.get().scans[0]?.reason).toBe('no answer'));
    online = true;
    station.retry();
    await settles(station, ['SN1 ok', 'SN2 queued']);
    station.scan('SN3');
    await vi.waitFor(async () => expect((await savedScans.load(li)).scans).toHaveLength(3));
    expect(sounds).toEqual(['kept', 'kept', 'ok']);
  });

  it('tells that a submit is kept, once, and says nothing of it aloud', async () => {
    let tries = 0;
    const submit = () => {
      tries += 1;
      return tries < 3 ? Promise.reject(noNetwork()) : Promise.resolve('stored');
    };
    const speak = vi.fn();
    const { station, sounds } = await opens({ submit, speak });
    station.scan('SN1');
    await settles(station, ['SN1 ok']);
    station.submit('store them', keysOf(station));
    await vi.waitFor(() => expect(sounds).toEqual(['ok', 'kept']));
    station.retry();
    await vi.waitFor(() => expect(tries).toBe(2));
    await vi.waitFor(() => expect(station.state.get().sending?.unsent).toBe('no answer'));
    station.retry();
    await vi.waitFor(() => expect(sounds).toEqual(['ok', 'kept', 'ok']));
    expect(speak.mock.calls).toEqual([['stored']]);
  });

  it('repeats a submit under its key until there is a verdict, through a reload as well', async () => {
    const keys: string[] = [];
    const fails = (_: string, key: string) => {
      keys.push(key);
      return Promise.reject(noNetwork());
    };
    const { station } = await opens({ submit: fails });
    station.scan('SN1');
    await settles(station, ['SN1 ok']);
    station.submit('store them', keysOf(station));
    await vi.waitFor(() => expect(station.state.get().sending?.unsent).toBe('no answer'));
    station.stop();

    const inputs: string[] = [];
    const works = (input: string, key: string) => {
      inputs.push(input);
      keys.push(key);
      return Promise.resolve('done');
    };
    const again = await opens({ submit: works });
    await settles(again.station, ['SN1 submitted']);
    expect(inputs).toEqual(['store them']);
    expect(keys[1]).toBe(keys[0]);
    expect((await savedScans.load(li)).scans).toEqual([]);
    expect((await savedScans.load(li)).submission).toBeUndefined();
  });

  it('keeps the list when a submit is refused, and sends the next try under a new key', async () => {
    const keys: string[] = [];
    const submit = (_: string, key: string) => {
      keys.push(key);
      return keys.length === 1 ? Promise.reject(no('wrongNode')) : Promise.resolve('done');
    };
    const { station, sounds } = await opens({ submit });
    station.scan('SN1');
    await settles(station, ['SN1 ok']);
    station.submit('x', keysOf(station));
    await vi.waitFor(() => expect(station.state.get().verdict?.text).toBe('no wrongNode'));
    expect(sounds.at(-1)).toBe('refused');
    expect(shown(station)).toEqual(['SN1 ok']);
    station.submit('x', keysOf(station));
    await settles(station, ['SN1 submitted']);
    expect(keys[1]).not.toBe(keys[0]);
  });

  it('marks what a refused submit names, keeps it on the list until it is removed, and says so no longer than that', async () => {
    const msg = 'SN-2 is held: ask who holds it';
    const submit = vi
      .fn(() => Promise.resolve('done'))
      .mockRejectedValueOnce(new CallError({ status: 200, msg, problems: [{ key: 'held', msg }] }));
    const { station } = await opens({ submit });
    for (const it of ['SN-1', 'SN-2', 'SN-22']) station.scan(it);
    await settles(station, ['SN-1 ok', 'SN-2 ok', 'SN-22 ok']);
    const [first = '', second = '', third = ''] = keysOf(station);
    station.submit('x', keysOf(station));
    await vi.waitFor(() => expect(station.state.get().rejected).toEqual({ [second]: msg }));
    expect(station.state.get().verdict).toMatchObject({ kind: 'refused', text: msg });
    expect(keysOf(station)).toEqual([first, second, third]);
    station.remove([second]);
    expect(station.state.get()).toMatchObject({ rejected: {}, verdict: null });
    station.submit('x', keysOf(station));
    await vi.waitFor(() => expect(station.state.get().verdict).toMatchObject({ kind: 'ok', text: 'done' }));
    expect(station.state.get().scans.map((it) => it.state)).toEqual(['submitted', 'submitted']);
  });

  it('takes back what it said once that is resolved', async () => {
    let missing: string | undefined = 'choose a result first';
    const { ports } = portsOf({
      blockedBy: () => missing,
      check: (sn) => (sn === 'BAD' ? Promise.reject(no('held')) : Promise.resolve({ name: sn })),
    });
    const { station } = await opens(ports);
    station.scan('SN-1');
    await vi.waitFor(() => expect(station.state.get().verdict?.text).toBe(missing));
    station.connect(ports);
    expect(station.state.get().verdict?.text).toBe(missing);
    missing = undefined;
    station.connect(ports);
    expect(station.state.get().verdict).toBeNull();
    station.scan('BAD');
    await vi.waitFor(() => expect(station.state.get().verdict?.kind).toBe('refused'));
    station.entered();
    expect(station.state.get().verdict?.kind).toBe('refused');
    station.remove(station.state.get().scans.map((it) => it.key));
    expect(station.state.get().verdict).toBeNull();
    station.showVerdict({ kind: 'wrong', sn: '', text: 'a code is missing' });
    station.entered();
    expect(station.state.get().verdict).toBeNull();
  });

  it('does not submit twice while the first is on its way, and locks what it holds', async () => {
    let calls = 0;
    let done = (_: string) => {};
    const submit = () => {
      calls += 1;
      return new Promise<string>((it) => (done = it));
    };
    const { station } = await opens({ submit });
    station.scan('SN1');
    await settles(station, ['SN1 ok']);
    station.submit('x', keysOf(station));
    station.submit('x', keysOf(station));
    station.undo();
    await vi.waitFor(() => expect(calls).toBe(1));
    expect(shown(station)).toEqual(['SN1 ok']);
    station.scan('SN2');
    await settles(station, ['SN1 ok', 'SN2 ok']);
    done('fine');
    await settles(station, ['SN1 submitted', 'SN2 ok']);
    expect((await savedScans.load(li)).scans.map((it) => it.sn)).toEqual(['SN2']);
  });

  it('works on one unit at a time where it must, and takes the next when that is submitted', async () => {
    const { station } = await opens({ limit: 1 });
    station.scan('SN1');
    station.scan('SN2');
    await settles(station, ['SN1 ok', 'SN2 queued']);
    station.submit('x', keysOf(station).slice(0, 1));
    await settles(station, ['SN1 submitted', 'SN2 ok']);
  });

  it('says at once of what waits for the unit on the bench that it can not come, and asks again about what can', async () => {
    const asked: string[] = [];
    const check = (sn: string) => {
      asked.push(sn);
      return sn.startsWith('BAD') ? Promise.reject(no('wrongNode')) : Promise.resolve({ name: sn });
    };
    const { station, sounds } = await opens({ check, limit: 1 });
    for (const sn of ['SN1', 'BAD1', 'SN2', 'BAD2']) station.scan(sn);
    await settles(station, ['SN1 ok', 'BAD1 refused', 'SN2 queued', 'BAD2 refused']);
    expect([asked, sounds]).toEqual([
      ['SN1', 'BAD1', 'SN2', 'BAD2'],
      ['ok', 'refused', 'refused'],
    ]);
    station.submit('x', keysOf(station).slice(0, 1));
    await settles(station, ['SN1 submitted', 'SN2 ok']);
    expect(asked.slice(4)).toEqual(['SN2']);
  });

  describe('of units that others are scanned behind', () => {
    /** A unit is submitted, and before the answer comes, the next one is scanned and two parts of that. */
    async function scansBehind(answer: () => Promise<string>) {
      const parts: string[] = [];
      let settle: () => void = () => undefined;
      const settled = new Promise<void>((done) => (settle = done));
      const { station } = await opens({
        ...{ limit: 1, isFollowed: true },
        submit: () => settled.then(answer),
        // Each unit has room for all that is scanned behind it.
        onText: (text): boolean => station.state.get().accepted.length > 0 && parts.push(text) > 0,
      });
      station.scan('SN1');
      await settles(station, ['SN1 ok']);
      station.submit('x', keysOf(station));
      for (const it of ['SN2', 'P1', 'P2']) station.scan(it);
      await turns();
      expect([parts, shown(station)]).toEqual([[], ['SN1 ok', 'SN2 queued']]);
      settle();
      return { station, parts };
    }

    it('keeps for the next one what is scanned behind it while the one before is being submitted', async () => {
      const { station, parts } = await scansBehind(() => Promise.resolve('done'));
      await vi.waitFor(() => expect(parts).toEqual(['P1', 'P2']));
      expect(shown(station)).toEqual(['SN1 submitted', 'SN2 ok']);
    });

    it.each([
      ['is refused', () => Promise.reject(no('notFound'))],
      ['has no answer', () => Promise.reject(noNetwork())],
    ])('refuses aloud what is scanned behind the next one where the submit before it %s', async (_, answer) => {
      const { station, parts } = await scansBehind(answer);
      await vi.waitFor(() =>
        expect(station.state.get().verdict).toEqual({ kind: 'refused', sn: 'P2', text: 'not yet' }),
      );
      expect([parts, shown(station)]).toEqual([[], ['SN1 ok', 'SN2 queued']]);
    });

    it('says after a reload what waited for a unit, once, and takes none of it for a unit', async () => {
      const ports: Partial<Ports> = { limit: 1, isFollowed: true };
      const first = await opens({ ...ports, check: () => new Promise<Unit>(() => {}) });
      for (const it of ['SN1', 'P1', 'P2']) first.station.scan(it);
      await vi.waitFor(async () => expect((await savedScans.load(li)).behind).toEqual(['P1', 'P2']));
      first.station.stop();
      const { station } = await opens(ports);
      await settles(station, ['SN1 ok']);
      await vi.waitFor(() =>
        expect(station.state.get().verdict).toEqual({ kind: 'refused', sn: 'P1, P2', text: 'not yet' }),
      );
      await vi.waitFor(async () => expect((await savedScans.load(li)).behind).toEqual([]));
      station.stop();
      const again = await opens(ports);
      await settles(again.station, ['SN1 ok']);
      expect(again.station.state.get().verdict).toBeNull();
    });

    it('takes none of it for a unit of another window, which has gone on with the list', async () => {
      const parts: string[] = [];
      const onText = (text: string) => text.startsWith('P') && parts.push(text) > 0;
      const never = () => new Promise<Unit>(() => {});
      const first = await opens({ limit: 1, isFollowed: true, check: never });
      for (const it of ['SN1', 'P1']) first.station.scan(it);
      await vi.waitFor(async () => expect((await savedScans.load(li)).behind).toEqual(['P1']));
      const second = await opensBeside({ limit: 1, isFollowed: true });
      await settles(second.station, ['SN1 ok']);
      await vi.waitFor(() => expect(first.station.state.get().list).toBe('elsewhere'));
      first.station.connect(portsOf({ limit: 1, isFollowed: true, onText }).ports);
      first.station.resume();
      await settles(first.station, ['SN1 ok']);
      await vi.waitFor(() => expect(first.station.state.get().list).toBe('here'));
      first.station.scan('P2');
      await vi.waitFor(() => expect(parts).toEqual(['P2']));
      expect((await savedScans.load(li)).behind).toEqual([]);
    });

    it('takes the next for a unit where the one before it is refused', async () => {
      const parts: string[] = [];
      const check = (sn: string) => (sn === 'SN1' ? Promise.reject(no('notFound')) : Promise.resolve({ name: sn }));
      const { station } = await opens({
        ...{ check, limit: 1, isFollowed: true },
        onText: (text): boolean => station.state.get().accepted.length > 0 && parts.push(text) > 0,
      });
      for (const it of ['SN1', 'SN2', 'P1']) station.scan(it);
      await settles(station, ['SN1 wrong', 'SN2 ok']);
      await vi.waitFor(() => expect(parts).toEqual(['P1']));
    });
  });

  it('tells how many scans of another user wait, and neither shows nor sends them', async () => {
    const first = await opens();
    first.station.scan('SN1');
    first.station.scan('SN2');
    await settles(first.station, ['SN1 ok', 'SN2 ok']);
    const submit = vi.fn(() => Promise.resolve('done'));
    const second = await opens({ submit }, wu);
    expect(second.station.state.get().others).toEqual([{ userName: 'Li', count: 2 }]);
    expect(shown(second.station)).toEqual([]);
    expect(submit).not.toHaveBeenCalled();
  });

  it('knows whether anything of anybody waits in this browser', async () => {
    expect(await savedScans.isWaiting()).toBe(false);
    const { station } = await opens();
    station.scan('SN1');
    await settles(station, ['SN1 ok']);
    expect(await savedScans.isWaiting()).toBe(true);
    station.submit('x', keysOf(station));
    await settles(station, ['SN1 submitted']);
    expect(await savedScans.isWaiting()).toBe(false);
  });

  it('keeps the scans of each bill apart', async () => {
    const bill1 = await opens({}, { ...li, bill: 'MTB1' });
    bill1.station.scan('SN1');
    await settles(bill1.station, ['SN1 ok']);
    expect(shown((await opens({}, { ...li, bill: 'MTB2' })).station)).toEqual([]);
    expect(shown((await opens({}, { ...li, bill: 'MTB1' })).station)).toEqual(['SN1 ok']);
  });

  it('takes a scan back in sight: it counts no more, stays on disk as taken back, and goes with the next submit', async () => {
    const { station } = await opens();
    station.scan('SN1');
    station.scan('SN2');
    await settles(station, ['SN1 ok', 'SN2 ok']);
    station.undo();
    expect(shown(station)).toEqual(['SN1 ok', 'SN2 undone']);
    expect(station.state.get().verdict).toEqual({ kind: 'ok', sn: 'SN2', text: 'taken back' });
    station.stop();
    const again = await opens();
    await settles(again.station, ['SN1 ok', 'SN2 undone']);
    again.station.scan('SN2');
    await settles(again.station, ['SN1 ok', 'SN2 undone', 'SN2 ok']);
    again.station.submit('x', [again.station.state.get().scans[0]?.key ?? '']);
    await settles(again.station, ['SN1 submitted', 'SN2 ok']);
    expect((await savedScans.load(li)).scans.map((it) => `${it.sn} ${it.state}`)).toEqual(['SN2 ok']);
    again.station.undo();
    again.station.undo();
    expect(again.station.state.get().verdict).toMatchObject({ kind: 'wrong', text: 'nothing' });
  });

  it('keeps a scan taken back although its answer comes later', async () => {
    let answer = (_: Unit) => {};
    const { station, sounds } = await opens({ check: () => new Promise<Unit>((it) => (answer = it)) });
    station.scan('SN1');
    await settles(station, ['SN1 checking']);
    station.undo();
    answer({ name: 'late' });
    station.scan('SN2');
    await settles(station, ['SN1 undone', 'SN2 checking']);
    expect(sounds).toEqual(['ok']);
  });

  it('has the same list of accepted scans as long as nothing of it changes', async () => {
    const { station } = await opens();
    station.scan('SN1');
    await settles(station, ['SN1 ok']);
    const before = station.state.get().accepted;
    station.scan('SN1');
    expect(station.state.get().accepted).toBe(before);
    station.scan('SN2');
    await settles(station, ['SN1 ok', 'SN1 duplicate', 'SN2 ok']);
    expect(station.state.get().accepted.map((it) => it.sn)).toEqual(['SN1', 'SN2']);
  });

  it('does what was ordered after the scans before it have been checked', async () => {
    let answer = (_: Unit) => {};
    const { station } = await opens({ check: () => new Promise<Unit>((it) => (answer = it)) });
    const seen: string[][] = [];
    station.scan('SN1');
    station.afterChecks(() => seen.push(shown(station)));
    await settles(station, ['SN1 checking']);
    expect(seen).toEqual([]);
    answer({ name: 'one' });
    await vi.waitFor(() => expect(seen).toEqual([['SN1 ok']]));
  });

  it('keeps what waits to its user and its site', async () => {
    const { station } = await opens();
    station.scan('SN1');
    await settles(station, ['SN1 ok']);
    const elsewhere = await opens({}, { ...li, siteId: 'BJ' });
    expect(shown(elsewhere.station)).toEqual([]);
    expect(elsewhere.station.state.get().others).toEqual([]);
    expect(await savedScans.readOthersWaiting({ ...wu, siteId: 'BJ' })).toEqual([]);
  });

  it('keeps scans and an unsent submit when the session ends', async () => {
    const ended = () => Promise.reject(new CallError({ status: 401, msg: 'over' }));
    const { station } = await opens({ submit: ended });
    station.scan('SN1');
    await settles(station, ['SN1 ok']);
    station.submit('x', keysOf(station));
    await vi.waitFor(() => expect(station.state.get().sending?.unsent).toBe('over'));
    station.stop();
    const kept = await savedScans.load(li);
    expect(kept.scans.map((it) => it.sn)).toEqual(['SN1']);
    expect(kept.submission?.input).toBe('x');
  });

  it('says aloud what its verdicts say, and nothing where a scan is simply fine', async () => {
    const said: string[] = [];
    const check = (sn: string) => (sn === 'HELD1' ? Promise.reject(no('held')) : Promise.resolve({ name: sn }));
    const { station } = await opens({ check, speak: (text) => void said.push(text) });
    station.scan('SN1');
    station.scan('SN1');
    station.scan('HELD1');
    await settles(station, ['SN1 ok', 'SN1 duplicate', 'HELD1 refused']);
    expect(said).toEqual(['twice', 'no held']);
  });

  it('goes on in the window that was opened last; the other hears of it and shows nothing', async () => {
    const first = await opens();
    first.station.scan('SN1');
    await settles(first.station, ['SN1 ok']);
    const second = await opensBeside();
    await settles(second.station, ['SN1 ok']);
    await vi.waitFor(() =>
      expect(first.station.state.get()).toMatchObject({ list: 'elsewhere', accepted: [], verdict: null }),
    );
    first.station.submit('x', []);
    expect(first.station.state.get().sending).toBeNull();
    first.station.resume();
    await settles(first.station, ['SN1 ok']);
    await vi.waitFor(() => expect(second.station.state.get().list).toBe('elsewhere'));
  });

  it('is lost by the first of two windows that claim it at once, and not by the other', async () => {
    const windows = await Promise.all([1, 2].map(() => openSavedScans(`test-${opened}`)));
    const lost: number[] = [];
    const claims = windows.map((_, i) => ({ scope: li, holder: `window ${i}` }));
    const stops = windows.map((it, i) => it.onClaimedElsewhere(claims[i] as Claim, () => lost.push(i)));
    await Promise.all(windows.map((it, i) => it.claim(claims[i] as Claim)));
    await vi.waitFor(() => expect(lost).toEqual([0]));
    await turns();
    expect(lost).toEqual([0]);
    for (const stop of stops) stop();
  });

  it('takes the list over by a scan, and knows what the other window has scanned', async () => {
    const first = await opens();
    const second = await opensBeside();
    second.station.scan('SN1');
    await settles(second.station, ['SN1 ok']);
    await vi.waitFor(() => expect(first.station.state.get().list).toBe('elsewhere'));
    for (const sn of ['SN1', 'SN2', 'SN3']) first.station.scan(sn);
    await settles(first.station, ['SN1 ok', 'SN1 duplicate', 'SN2 ok', 'SN3 ok']);
    expect((await savedScans.load(li)).scans.map((it) => it.sn)).toEqual(['SN1', 'SN2', 'SN3']);
  });

  it.each(['hears', 'does not hear'])('loses no scan to a window that it %s of, and submits once', async (hears) => {
    const deaf: Partial<SavedScans> = hears === 'hears' ? {} : { onClaimedElsewhere: () => () => {} };
    const submit = vi.fn(() => Promise.resolve('done'));
    const first = await opensBeside({ submit }, deaf);
    const second = await opensBeside({ submit }, deaf);
    for (const sn of ['SN1', 'SN2', 'SN1']) {
      first.station.scan(sn);
      second.station.scan(sn);
    }
    await vi.waitFor(async () => {
      const { scans } = await savedScans.load(li);
      expect(scans.map((it) => `${it.sn} ${it.state}`).sort()).toEqual(['SN1 ok', 'SN2 ok']);
    });
    const both = [first.station, second.station];
    await vi.waitFor(() => expect(both.map((it) => it.state.get().accepted.length)).toContain(2));
    for (const it of both) it.submit('x', keysOf(it));
    await vi.waitFor(async () => expect((await savedScans.load(li)).scans).toEqual([]));
    expect(submit).toHaveBeenCalledOnce();
  });

  it('does what waits for the checks after those of what was scanned before the place was taken', async () => {
    const first = await opens();
    const { ports } = portsOf();
    const station = createStation<Unit, string, string>(li, await openSavedScans(`test-${opened}`), ports);
    const seen: string[][] = [];
    station.scan('SN1');
    station.afterChecks(() => seen.push(shown(station)));
    // Refused by the disk, which the first window still holds.
    await vi.waitFor(() => expect(station.state.get().list === 'elsewhere' || shown(station).length > 0).toBe(true));
    await station.start();
    await vi.waitFor(() => expect(seen).toEqual([['SN1 ok']]));
    first.station.stop();
  });

  it('keeps what is scanned and written while its list is still being read', async () => {
    let answer = () => {};
    const asked = new Promise<void>((done) => (answer = done));
    const { ports } = portsOf();
    const readOthersWaiting = () => asked.then(() => []);
    const station = createStation<Unit, string, string>(li, { ...savedScans, readOthersWaiting }, ports);
    const started = station.start();
    for (const sn of ['SN-1', 'SN-2', 'SN-3']) station.scan(sn);
    await vi.waitFor(async () => expect((await savedScans.load(li)).scans).toHaveLength(3));
    answer();
    await started;
    await settles(station, ['SN-1 ok', 'SN-2 ok', 'SN-3 ok']);
  });

  it('shows what another window left when it comes back from behind its tab', async () => {
    const first = await opens();
    for (const sn of ['SN1', 'SN2']) first.station.scan(sn);
    await settles(first.station, ['SN1 ok', 'SN2 ok']);
    first.station.stop();
    const second = await opensBeside();
    await settles(second.station, ['SN1 ok', 'SN2 ok']);
    second.station.submit('x', keysOf(second.station).slice(0, 1));
    await settles(second.station, ['SN1 submitted', 'SN2 ok']);
    await first.station.start();
    await settles(first.station, ['SN2 ok']);
  });

  it('repeats under its key what another window had submitted without an answer', async () => {
    const keys: string[] = [];
    const never = (_: string, key: string) => {
      keys.push(key);
      return new Promise<string>(() => {});
    };
    const first = await opens({ submit: never });
    first.station.scan('SN1');
    await settles(first.station, ['SN1 ok']);
    first.station.submit('x', keysOf(first.station));
    await vi.waitFor(() => expect(keys).toHaveLength(1));
    const works = (_: string, key: string) => {
      keys.push(key);
      return Promise.resolve('done');
    };
    const second = await opensBeside({ submit: works });
    await settles(second.station, ['SN1 submitted']);
    expect(keys[1]).toBe(keys[0]);
    expect((await savedScans.load(li)).submission).toBeUndefined();
  });

  it('waits for a disk that a browser which has just crashed still holds', async () => {
    const open = vi.spyOn(IDBFactory.prototype, 'open');
    open.mockImplementationOnce(() => {
      throw new DOMException('Internal error opening backing store', 'UnknownError');
    });
    const on = await openSavedScans(`test-${opened}`);
    expect(open).toHaveBeenCalledTimes(2);
    open.mockRestore();
    const { station } = await opens({}, li, on);
    station.scan('sn-1');
    await settles(station, ['SN-1 ok']);
    expect(station.state.get().isPersisted).toBe(true);
    expect((await savedScans.load(li)).scans.map((it) => it.sn)).toEqual(['SN-1']);
  });

  it('refuses what this browser can not keep, says so, and takes it when it can again', async () => {
    let isFull = true;
    const put: SavedScans['put'] = (...it) => (isFull ? Promise.reject(new Error('full')) : savedScans.put(...it));
    const { station, sounds } = await opens({}, li, { ...savedScans, put });
    station.scan('SN1');
    await vi.waitFor(() => expect(sounds).toEqual(['refused']));
    expect(station.state.get()).toMatchObject({
      scans: [],
      isPersisted: false,
      verdict: { kind: 'refused', sn: 'SN1', text: 'not kept' },
    });
    isFull = false;
    station.scan('SN1');
    await settles(station, ['SN1 ok']);
    expect(station.state.get().isPersisted).toBe(true);
  });

  it('refuses what is scanned while the list can not even be taken over, and takes it once it can', async () => {
    const before = await opens();
    before.station.scan('SN0');
    await vi.waitFor(async () => expect((await savedScans.load(li)).scans.map((it) => it.state)).toEqual(['ok']));
    before.station.stop();
    let isFull = true;
    let claims = 0;
    const claim: SavedScans['claim'] = (it) =>
      isFull && (claims += 1) > 0 ? Promise.reject(new Error('full')) : savedScans.claim(it);
    const { station, sounds } = await opens({}, li, { ...savedScans, claim });
    station.scan('SN1');
    await vi.waitFor(() => expect(sounds).toEqual(['refused']));
    expect([shown(station), claims]).toEqual([[], 2]);
    isFull = false;
    // Judged beside what is on the list that comes back.
    station.scan('SN0');
    station.scan('SN1');
    await settles(station, ['SN0 ok', 'SN0 duplicate', 'SN1 ok']);
    expect((await savedScans.load(li)).scans.map((it) => it.sn)).toEqual(['SN0', 'SN1']);
  });

  describe('of which one write has failed', () => {
    type Read = 'claim' | 'load' | 'onClaimedElsewhere' | 'readOthersWaiting' | 'isWaiting';
    /** Of the list of a station whose units are scanned for themselves. */
    type Write = Exclude<keyof SavedScans, Read | 'rewrite' | 'putBehind'>;
    type Opened = Station<Unit, string, string>;
    /** What is done after each of these was written once, by the write that fails then. */
    const works: Readonly<Record<Write, readonly ((it: Opened) => unknown)[]>> = {
      put: [(it) => it.undo()],
      remove: [(it) => it.remove(keysOf(it).slice(0, 1))],
      begin: [(it) => it.submit('x', keysOf(it).slice(0, 1))],
      settle: [(it) => it.submit('x', keysOf(it).slice(0, 1))],
      abandon: [
        (it) => it.submit('never', keysOf(it).slice(0, 1)),
        (it) => vi.waitFor(() => expect(it.state.get().sending?.unsent).toBeTruthy()),
        (it) => it.takeBack(),
      ],
    };
    const names = Object.keys(works) as Write[];

    /** The browser's disk, which refuses the next write of this name when it is told to. */
    function failing(name: Write) {
      let isDue = false;
      const write = (...it: never[]) => {
        if (!isDue) return (savedScans[name] as (...it: never[]) => Promise<void>)(...it);
        isDue = false;
        return Promise.reject(new Error('full'));
      };
      return { on: { ...savedScans, [name]: write }, fail: () => void (isDue = true), hasFailed: () => !isDue };
    }
    const submit = (input: string, _?: unknown) =>
      input === 'never' ? Promise.reject(noNetwork()) : Promise.resolve('done');
    const lasting = (it: Opened) => shown(it).filter((row) => !row.endsWith('submitted'));

    it.each(names)('has all of its list on disk once the next write works (%s)', async (name) => {
      const { on, fail, hasFailed } = failing(name);
      const { station } = await opens({ submit }, li, on);
      for (const sn of ['SN1', 'SN2']) station.scan(sn);
      await vi.waitFor(async () =>
        expect((await savedScans.load(li)).scans.map((it) => it.state)).toEqual(['ok', 'ok']),
      );
      fail();
      for (const work of works[name]) await work(station);
      await vi.waitFor(() => expect(hasFailed()).toBe(true));
      await vi.waitFor(() => expect(station.state.get().sending).toBeNull());
      station.scan('SN3');
      await vi.waitFor(() => expect(station.state.get().isPersisted).toBe(true));
      await vi.waitFor(async () => expect((await savedScans.load(li)).scans.at(-1)?.state).toBe('ok'));
      const here = lasting(station);
      station.stop();
      const kept = await savedScans.load(li);
      expect(kept.scans.map((it) => `${it.sn} ${it.state}`)).toEqual(here);
      expect(kept.submission).toBeUndefined();
    });

    it.each(names)('goes by the list as it is here when its page is shown again (%s)', async (name) => {
      const sent: string[] = [];
      const { on, fail, hasFailed } = failing(name);
      const { station } = await opens({ submit: (input, key) => submit(input, sent.push(key)) }, li, on);
      for (const sn of ['SN1', 'SN2']) station.scan(sn);
      await vi.waitFor(async () =>
        expect((await savedScans.load(li)).scans.map((it) => it.state)).toEqual(['ok', 'ok']),
      );
      fail();
      for (const work of works[name]) await work(station);
      await vi.waitFor(() => expect(hasFailed()).toBe(true));
      await vi.waitFor(() => expect(station.state.get().sending).toBeNull());
      const [here, count] = [shown(station), sent.length];
      station.stop();
      await station.start();
      station.scan('SN3');
      await settles(station, [...here, 'SN3 ok']);
      expect(sent).toHaveLength(count);
    });

    it('has nothing on disk of a submit that was accepted, whatever of it could not be written before', async () => {
      const full = () => Promise.reject(new Error('full'));
      let isFull = false;
      const put: SavedScans['put'] = (...it) => (isFull ? full() : savedScans.put(...it));
      const { station } = await opens({}, li, { ...savedScans, put, begin: full });
      station.scan('SN1');
      station.scan('SN2');
      await vi.waitFor(async () =>
        expect((await savedScans.load(li)).scans.map((it) => it.state)).toEqual(['ok', 'ok']),
      );
      isFull = true;
      station.undo();
      await vi.waitFor(() => expect(station.state.get().isPersisted).toBe(false));
      station.submit('x', keysOf(station).slice(0, 1));
      await vi.waitFor(() => expect(station.state.get().isPersisted).toBe(true));
      await settles(station, ['SN1 submitted']);
      expect(await savedScans.load(li)).toMatchObject({ scans: [], submission: undefined });
    });

    it('says so until what failed is written as well', async () => {
      const { on, fail } = failing('put');
      let isFull = true;
      const rewrite: SavedScans['rewrite'] = (...it) =>
        isFull ? Promise.reject(new Error('full')) : savedScans.rewrite(...it);
      const { station } = await opens({}, li, { ...on, rewrite });
      station.scan('SN1');
      await vi.waitFor(async () => expect((await savedScans.load(li)).scans.map((it) => it.state)).toEqual(['ok']));
      fail();
      station.undo();
      await vi.waitFor(() => expect(station.state.get().isPersisted).toBe(false));
      station.scan('SN2');
      await vi.waitFor(async () =>
        expect((await savedScans.load(li)).scans.map((it) => it.state)).toEqual(['ok', 'ok']),
      );
      expect(station.state.get().isPersisted).toBe(false);
      isFull = false;
      station.scan('SN3');
      await vi.waitFor(() => expect(station.state.get().isPersisted).toBe(true));
      expect((await savedScans.load(li)).scans.map((it) => `${it.sn} ${it.state}`).slice(0, 2)).toEqual([
        'SN1 undone',
        'SN2 ok',
      ]);
    });
  });

  it('knows that it is cut off from the server, whatever the browser thinks', async () => {
    let isCut = true;
    const check = (sn: string) =>
      isCut
        ? Promise.reject(new CallError({ status: 0, network: true, msg: 'no network' }))
        : Promise.resolve({ name: sn });
    const { station } = await opens({ check });
    station.scan('SN1');
    await vi.waitFor(() => expect(station.state.get().isUnreachable).toBe(true));
    isCut = false;
    station.retry();
    await settles(station, ['SN1 ok']);
    expect(station.state.get().isUnreachable).toBe(false);
  });

  it('shows what an older version kept of a refusal as that version told it', async () => {
    const claim = { scope: li, holder: 'older version' };
    await savedScans.claim(claim);
    await savedScans.put(claim, { key: 'k1', sn: 'SN1', state: 'duplicate', at: 1, reason: 'belongs to the company' });
    const { station, sounds } = await opens();
    await settles(station, ['SN1 duplicate']);
    expect(station.state.get().scans[0]?.reason).toBe('belongs to the company');
    expect(sounds).toEqual([]);
  });

  it('still shows after a reload what was refused, until it is cleared or the others are submitted', async () => {
    const check = (sn: string) => (sn.startsWith('HELD') ? Promise.reject(no('held')) : Promise.resolve({ name: sn }));
    const first = await opens({ check });
    for (const sn of ['SN1', 'HELD1', 'HELD2']) first.station.scan(sn);
    await settles(first.station, ['SN1 ok', 'HELD1 refused', 'HELD2 refused']);
    first.station.stop();
    const { station } = await opens({ check });
    await settles(station, ['SN1 ok', 'HELD1 refused', 'HELD2 refused']);
    expect(station.state.get().scans[1]?.reason).toBe('no held');
    station.remove([keysOf(station)[1] as string]);
    station.submit('x', [keysOf(station)[0] as string]);
    await settles(station, ['SN1 submitted']);
    expect((await savedScans.load(li)).scans).toEqual([]);
  });
});

describe('what a page gets wrong', () => {
  it('takes no scan with it: those behind are judged, and it is told', async () => {
    let sounds = 0;
    const sound = () => {
      sounds += 1;
      if (sounds <= 2) throw new Error('no audio');
    };
    const onError = vi.fn();
    const { station } = await opens({ sound, onError });
    station.scan('sn-1');
    station.scan('sn-2');
    await settles(station, ['SN-1 ok', 'SN-2 ok']);
    expect(onError).toHaveBeenCalledTimes(2);
    expect((await savedScans.load(li)).scans.map((it) => it.state)).toEqual(['ok', 'ok']);
  });

  it('is told of a submit as well, which is done all the same', async () => {
    const onError = vi.fn();
    const onSubmitted = () => {
      throw new Error('page');
    };
    const { station } = await opens({ onSubmitted, onError });
    station.scan('sn-1');
    await settles(station, ['SN-1 ok']);
    station.submit('x', keysOf(station));
    await settles(station, ['SN-1 submitted']);
    await vi.waitFor(() => expect(onError).toHaveBeenCalledOnce());
  });
});

describe('what waits for checks', () => {
  it('is done after the scans before it, and before those that came after', async () => {
    const answers = new Map<string, () => void>();
    const check = (sn: string) => new Promise<Unit>((done) => answers.set(sn, () => done({ name: sn })));
    const { station } = await opens({ check });
    const seen: string[][] = [];
    station.scan('sn-1');
    station.afterChecks(() => seen.push(shown(station)));
    station.scan('sn-2');
    station.scan('sn-3');
    await vi.waitFor(() => expect(answers.size).toBe(3));
    answers.get('SN-2')?.();
    answers.get('SN-1')?.();
    await vi.waitFor(() => expect(seen).toEqual([['SN-1 ok', 'SN-2 checking', 'SN-3 checking']]));
    answers.get('SN-3')?.();
    await settles(station, ['SN-1 ok', 'SN-2 ok', 'SN-3 ok']);
    expect(seen).toHaveLength(1);
  });

  it('is done when the scan that brought the list over was on it already', async () => {
    const one = await opens();
    one.station.scan('sn-1');
    await settles(one.station, ['SN-1 ok']);
    await opensBeside();
    await vi.waitFor(() => expect(one.station.state.get().list).toBe('elsewhere'));
    const done = vi.fn();
    one.station.scan('sn-1');
    one.station.afterChecks(done);
    await settles(one.station, ['SN-1 ok', 'SN-1 duplicate']);
    await vi.waitFor(() => expect(done).toHaveBeenCalledOnce());
  });
});

describe('a scan that is not accepted', () => {
  it('stays in sight where it was refused while the others were being submitted', async () => {
    let end: (it: string) => void = () => undefined;
    const check = (sn: string) => (sn === 'SN-1' ? Promise.resolve({ name: sn }) : Promise.reject(no('wrongNode')));
    const { station } = await opens({ submit: () => new Promise((done) => (end = done)), check });
    station.scan('sn-0');
    station.scan('sn-1');
    await settles(station, ['SN-0 refused', 'SN-1 ok']);
    station.submit('x', keysOf(station).slice(1));
    station.scan('sn-2');
    await settles(station, ['SN-0 refused', 'SN-1 ok', 'SN-2 refused']);
    end('done');
    await settles(station, ['SN-1 submitted', 'SN-2 refused']);
    expect((await savedScans.load(li)).scans.map((it) => it.sn)).toEqual(['SN-2']);
  });

  it('asks its page what is chosen beside the scans that are there, however often, and for nothing else', async () => {
    const seen: string[] = [];
    const chosen: Ports['chosen'] = (scans) => void seen.push(scans.map((it) => it.state).join());
    const { station } = await opens({ check: () => new Promise(() => undefined), chosen });
    station.scan('sn-1');
    station.scan('sn-1');
    station.undo();
    station.scan('sn-2');
    expect(seen).toEqual(['', 'checking', 'undone,duplicate']);
  });

  it('asks its page what is chosen beside the scans that another window has left', async () => {
    const seen: string[] = [];
    const chosen: Ports['chosen'] = (scans) => void seen.push(scans.map((it) => it.sn).join());
    const { station } = await opens({ chosen });
    station.scan('sn-1');
    await settles(station, ['SN-1 ok']);
    const beside = await opensBeside();
    await vi.waitFor(() => expect(station.state.get().list).toBe('elsewhere'));
    station.scan('sn-2');
    await settles(station, ['SN-1 ok', 'SN-2 ok']);
    expect(seen).toEqual(['', 'SN-1']);
    beside.station.stop();
  });
});
