// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { useDraftChange } from './useDraftChange.ts';

afterEach(() => vi.unstubAllGlobals());

it('has saved what was typed a moment before the page is left or loaded anew', async () => {
  const sent: { keepalive: unknown; body: unknown }[] = [];
  vi.stubGlobal('fetch', (_: string, { keepalive, body }: RequestInit) => {
    sent.push({ keepalive, body: JSON.parse(String(body)) });
    return Promise.resolve(Response.json({ code: '000000', msg: '', data: { version: 4 } }));
  });
  const draftId = () => Promise.resolve(7);
  const { result } = renderHook(() => useDraftChange({ module: 'rmaCheckBill', version: 3, change: {}, draftId }));
  const change = { label: { zh: '检测', en: 'First test' } };
  act(() => result.current.edit(change));
  expect(sent).toEqual([]);
  await act(async () => {
    window.dispatchEvent(new Event('pagehide'));
    await vi.waitFor(() => expect(sent).toHaveLength(1));
  });
  const body = { draftId: 7, module: 'rmaCheckBill', version: 3, change };
  expect(sent).toEqual([{ keepalive: true, body: expect.objectContaining(body) }]);
  await act(async () => window.dispatchEvent(new Event('pagehide')));
  expect(sent).toHaveLength(1);
});
