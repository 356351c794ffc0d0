// @vitest-environment jsdom
import '#app/testing/indexedDb.ts';
import { act, renderHook, waitFor } from '@testing-library/react';
import { forceCloseDatabase } from 'fake-indexeddb';
import { unwrap } from 'idb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { notesIn, openNoteStore } from '#app/parts/scan/noteStore.ts';
import { scansIn } from '#app/parts/scan/savedScans.ts';
import { scanDatabase, type StationScope } from '#app/parts/scan/scanDatabase.ts';
import { usePersistedState } from '#app/parts/scan/usePersistedState.ts';

const scope: StationScope = { userId: 'li', userName: 'Li', siteId: 'SZ', station: 'receive-setting', bill: '' };
type Notes = Readonly<Record<string, string>>;
let databases = 0;

/** The same note in two windows of one browser. */
async function twoWindows() {
  databases += 1;
  const name = `kept-${databases}`;
  const opens = async () => {
    const notes = openNoteStore(name);
    const hook = renderHook(() => usePersistedState<Notes>(scope, 'notes', {}, notes));
    await waitFor(() => expect(hook.result.current.loaded).toBe(true));
    return { ...hook, notes };
  };
  return [await opens(), await opens()] as const;
}

describe('what a form holds', () => {
  it('is the same in every window: each goes on with what the other wrote', async () => {
    const [one, two] = await twoWindows();
    act(() => one.result.current.set((now) => ({ ...now, k1: 'AR01' })));
    await waitFor(() => expect(two.result.current.value).toEqual({ k1: 'AR01' }));
    act(() => two.result.current.set((now) => ({ ...now, k2: 'AR02' })));
    await waitFor(() => expect(one.result.current.value).toEqual({ k1: 'AR01', k2: 'AR02' }));
    expect(await one.notes.read(scope, 'notes')).toEqual({ k1: 'AR01', k2: 'AR02' });
  });

  it('grows by each change, also by those of one moment', async () => {
    const [one] = await twoWindows();
    const { set } = one.result.current;
    act(() => {
      set((now) => ({ ...now, a: '1' }));
      set((now) => ({ ...now, b: '2' }));
    });
    expect(one.result.current.value).toEqual({ a: '1', b: '2' });
  });

  it('is forgotten everywhere', async () => {
    const [one, two] = await twoWindows();
    act(() => one.result.current.set({ k1: 'AR01' }));
    await waitFor(() => expect(two.result.current.value).toEqual({ k1: 'AR01' }));
    act(() => one.result.current.set({}));
    await waitFor(() => expect(two.result.current.value).toEqual({}));
  });
});

describe('what the disk of the browser refused', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  /** The disk is full for one note. */
  const refuseOnce = () =>
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementationOnce(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });

  it('is read as it was written here, and is on disk once another note is', async () => {
    const notes = openNoteStore('refused-note');
    await notes.write(scope, 'bill', 'MTB1');
    refuseOnce();
    await expect(notes.write(scope, 'bill', 'MTB2')).rejects.toThrow('full');
    expect(await notes.read(scope, 'bill')).toBe('MTB2');
    const afterReload = openNoteStore('refused-note');
    expect(await afterReload.read(scope, 'bill')).toBe('MTB1');
    await notes.write(scope, 'shipNo', 'SF2');
    await waitFor(async () => expect(await afterReload.read(scope, 'bill')).toBe('MTB2'));
  });

  it('is on disk once a scan is, and never in place of what another window wrote since', async () => {
    const database = scanDatabase('refused-note-beside');
    const [notes, scans] = [notesIn(database), scansIn(database)];
    const other = openNoteStore('refused-note-beside');
    refuseOnce();
    await expect(notes.write(scope, 'bill', 'MTB2')).rejects.toThrow('full');
    const claim = { scope, holder: 'here' };
    await scans.claim(claim);
    await scans.put(claim, { key: 'k1', sn: 'SN1', state: 'ok', at: 1 });
    await waitFor(async () => expect(await other.read(scope, 'bill')).toBe('MTB2'));

    refuseOnce();
    await expect(notes.write(scope, 'bill', 'MTB3')).rejects.toThrow('full');
    await other.write(scope, 'bill', 'MTB4');
    await waitFor(async () => expect(await notes.read(scope, 'bill')).toBe('MTB4'));
    await scans.put(claim, { key: 'k2', sn: 'SN2', state: 'ok', at: 2 });
    await notes.write(scope, 'shipNo', 'SF2');
    expect(await other.read(scope, 'bill')).toBe('MTB4');
  });

  it('can be written again where the browser had closed its database, or could not open it', async () => {
    const database = scanDatabase('closed');
    forceCloseDatabase(unwrap(await database.open()) as never);
    expect(await (await database.open()).count('scans')).toBe(0);

    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
    const open = vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => {
      throw new DOMException('Internal error opening backing store', 'UnknownError');
    });
    const broken = scanDatabase('broken');
    const opened = broken.open().catch((it: unknown) => String(it));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await opened).toContain('backing store');
    // Who scans is told at once.
    await expect(broken.open()).rejects.toThrow('backing store');
    open.mockRestore();
    expect(await (await broken.open()).count('scans')).toBe(0);
  });
});
