import { describe, expect, it } from 'vitest';
import { lastToUndo, nextToCheck, scanQueue, type Scan, type ScanEvent } from '#app/parts/scan/scanQueue.ts';

const after = (...events: ScanEvent[]) => events.reduce<readonly Scan[]>(scanQueue, []);
const scanned = (key: string, sn = key, at = 0): ScanEvent => ({ type: 'scanned', key, sn, at });
const states = (scans: readonly Scan[]) => scans.map((it) => it.state);

describe('the scan queue', () => {
  it('asks about the scans in their order, and about none twice', () => {
    const three = after(scanned('a'), scanned('b'), scanned('c'));
    expect(nextToCheck(three)?.key).toBe('a');
    const busy = scanQueue(three, { type: 'checking', key: 'a' });
    expect(nextToCheck(busy)?.key).toBe('b');
    const passed = scanQueue(busy, { type: 'passed', key: 'a', data: 1 });
    expect(nextToCheck(passed)?.key).toBe('b');
  });

  it('leaves the others waiting while a one-unit station works on its unit', () => {
    const asked = after(scanned('a'), scanned('b'), { type: 'checking', key: 'a' });
    expect(nextToCheck(asked, 1)).toBeUndefined();
    const scans = scanQueue(asked, { type: 'passed', key: 'a', data: 1 });
    expect(nextToCheck(scans, 1)).toBeUndefined();
    const done = scanQueue(scans, { type: 'submitted', keys: ['a'], cleared: [] });
    expect(nextToCheck(done, 1)?.key).toBe('b');
  });

  it.each(['queued', 'checking', 'ok'] as const)('never counts an SN twice while its first scan is %s', (state) => {
    const first = after(scanned('a', 'SN1'));
    const living: readonly Scan[] = first.map((it) => ({ ...it, state }));
    expect(states(scanQueue(living, scanned('b', 'SN1')))).toEqual([state, 'duplicate']);
  });

  it('takes an SN again after it was refused, taken back or submitted', () => {
    const refused = after(scanned('a', 'SN1'), { type: 'failed', key: 'a', state: 'refused', reason: 'no' });
    expect(states(scanQueue(refused, scanned('b', 'SN1')))).toEqual(['refused', 'queued']);
    const removed = after(scanned('a', 'SN1'), { type: 'removed', keys: ['a'] }, scanned('b', 'SN1'));
    expect(states(removed)).toEqual(['queued']);
    const submitted = after(scanned('a', 'SN1'), { type: 'submitted', keys: ['a'], cleared: [] }, scanned('b', 'SN1'));
    expect(states(submitted)).toEqual(['submitted', 'queued']);
  });

  it('keeps a scan that the network did not reach, with why', () => {
    const scans = after(scanned('a'), { type: 'checking', key: 'a' }, { type: 'waiting', key: 'a', reason: 'offline' });
    expect(scans[0]).toMatchObject({ state: 'queued', reason: 'offline' });
    expect(nextToCheck(scans)?.key).toBe('a');
  });

  it('asks again for what was being checked when the page went, and keeps the order of scanning', () => {
    const kept: Scan[] = [
      { key: 'old1', sn: 'A', at: 1, state: 'ok' },
      { key: 'old2', sn: 'B', at: 2, state: 'checking' },
    ];
    const scans = after(scanned('new', 'C', 3), { type: 'restored', scans: kept });
    expect(scans.map((it) => it.key)).toEqual(['old1', 'old2', 'new']);
    expect(states(scans)).toEqual(['ok', 'queued', 'queued']);
    expect(scanQueue(scans, { type: 'restored', scans: kept })).toHaveLength(3);
  });

  it('forgets the units of an earlier submit when the next one is done', () => {
    const once = after(scanned('a'), { type: 'submitted', keys: ['a'], cleared: [] }, scanned('b'));
    const twice = scanQueue(once, { type: 'submitted', keys: ['b'], cleared: [] });
    expect(twice.map((it) => it.key)).toEqual(['b']);
  });

  it('takes back the newest that is not on its way', () => {
    const scans = after(scanned('a'), scanned('b'), scanned('c'));
    expect(lastToUndo(scans)?.key).toBe('c');
    expect(lastToUndo(scans, ['c', 'b'])?.key).toBe('a');
    expect(lastToUndo(after(scanned('a'), { type: 'submitted', keys: ['a'], cleared: [] }))).toBeUndefined();
  });
});
