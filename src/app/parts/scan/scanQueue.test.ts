import { describe, expect, it } from 'vitest';
import {
  changed,
  lastToUndo,
  newScan,
  nextToCheck,
  removed,
  restored,
  submitted,
  type Scan,
} from '#app/parts/scan/scanQueue.ts';

const scanned = (scans: readonly Scan[], key: string, sn = key) => [...scans, newScan(scans, { key, sn })];
const after = (...keys: string[]) => keys.reduce<readonly Scan[]>((scans, key) => scanned(scans, key), []);
const states = (scans: readonly Scan[]) => scans.map((it) => it.state);

describe('the scan queue', () => {
  it('asks about the scans in their order, and about none twice', () => {
    const three = after('a', 'b', 'c');
    expect(nextToCheck(three)?.key).toBe('a');
    const busy = changed(three, 'a', { state: 'checking' });
    expect(nextToCheck(busy)?.key).toBe('b');
    const passed = changed(busy, 'a', { state: 'ok', data: 1 });
    expect(nextToCheck(passed)?.key).toBe('b');
  });

  it('leaves the others waiting while a one-unit station works on its unit', () => {
    const asked = changed(after('a', 'b'), 'a', { state: 'checking' });
    expect(nextToCheck(asked, 1)).toBeUndefined();
    const scans = changed(asked, 'a', { state: 'ok', data: 1 });
    expect(nextToCheck(scans, 1)).toBeUndefined();
    const done = submitted(scans, ['a'], []);
    expect(nextToCheck(done, 1)?.key).toBe('b');
  });

  it.each(['queued', 'checking', 'ok'] as const)('never counts an SN twice while its first scan is %s', (state) => {
    const first = scanned([], 'a', 'SN1');
    const living: readonly Scan[] = first.map((it) => ({ ...it, state }));
    expect(states(scanned(living, 'b', 'SN1'))).toEqual([state, 'duplicate']);
  });

  it('takes an SN again after it was refused, taken back or submitted', () => {
    const refused = changed(scanned([], 'a', 'SN1'), 'a', { state: 'refused', reason: 'no' });
    expect(states(scanned(refused, 'b', 'SN1'))).toEqual(['refused', 'queued']);
    const rest = removed(scanned([], 'a', 'SN1'), ['a']);
    expect(states(scanned(rest, 'b', 'SN1'))).toEqual(['queued']);
    const done = submitted(scanned([], 'a', 'SN1'), ['a'], []);
    expect(states(scanned(done, 'b', 'SN1'))).toEqual(['submitted', 'queued']);
  });

  it('keeps a scan that the network did not reach, with why', () => {
    const scans = changed(after('a'), 'a', { state: 'queued', reason: 'offline' });
    expect(scans[0]).toMatchObject({ state: 'queued', reason: 'offline' });
    expect(nextToCheck(scans)?.key).toBe('a');
  });

  it('asks again for what was being checked when the page went, and keeps the order of scanning', () => {
    const persisted: Scan[] = [
      { key: 'old1', sn: 'A', at: 1, state: 'ok' },
      { key: 'old2', sn: 'B', at: 2, state: 'checking' },
    ];
    const scans = restored(scanned([], 'new', 'C'), persisted);
    expect(scans.map((it) => it.key)).toEqual(['old1', 'old2', 'new']);
    expect(states(scans)).toEqual(['ok', 'queued', 'queued']);
    expect(restored(scans, persisted)).toHaveLength(3);
  });

  it('changes nothing of a scan that was taken back', () => {
    const undone = changed(after('a'), 'a', { state: 'undone' });
    expect(states(changed(undone, 'a', { state: 'ok' }))).toEqual(['undone']);
  });

  it('forgets the units of an earlier submit when the next one is done', () => {
    const once = scanned(submitted(after('a'), ['a'], []), 'b');
    const twice = submitted(once, ['b'], []);
    expect(twice.map((it) => it.key)).toEqual(['b']);
  });

  it('takes back the newest that is not on its way', () => {
    const scans = after('a', 'b', 'c');
    expect(lastToUndo(scans)?.key).toBe('c');
    expect(lastToUndo(scans, ['c', 'b'])?.key).toBe('a');
    expect(lastToUndo(submitted(after('a'), ['a'], []))).toBeUndefined();
  });
});
