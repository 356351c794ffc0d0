// @vitest-environment jsdom
import '#app/testing/indexedDb.ts';
import { act, renderHook, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openNoteStore } from '#app/parts/scan/noteStore.ts';
import type { StationScope } from '#app/parts/scan/scanDatabase.ts';
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
