// @vitest-environment jsdom
import { useState } from 'react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { CoreAdminContext } from 'ra-core';
import { act, renderHook, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { DraftStatus } from '#domain/enums.ts';
import { refusals } from '#domain/refusal.ts';
import { i18nProvider } from '#app/i18nProvider.ts';
import { openPage } from '#app/parts/openPage.tsx';
import { useLookup } from '#app/parts/useLookup.ts';
import { currentUser } from '#app/session.ts';
import { publishingOf } from '#tests/support/toldPublishing.ts';
import { checkDraft, publishDraft, readDraft, readPublishing, saveChange } from './contract.ts';
import DraftPage from './DraftPage.tsx';
import { useDraftChange } from './useDraftChange.ts';

afterEach(() => vi.unstubAllGlobals());

const draftId = () => Promise.resolve(7);
const change = { label: { zh: '检测', en: 'First test' } };

it('has saved what was typed a moment before the page is left or loaded anew', async () => {
  const sent: { keepalive: unknown; body: unknown }[] = [];
  vi.stubGlobal('fetch', (_: string, { keepalive, body }: RequestInit) => {
    sent.push({ keepalive, body: JSON.parse(String(body)) });
    return Promise.resolve(Response.json({ code: '000000', msg: '', data: { version: 4 } }));
  });
  const client = new QueryClient();
  const { result } = renderHook(() => useDraftChange({ module: 'rmaCheckBill', version: 3, change: {}, draftId }), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
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

it('lets a draft be published once what was typed a moment before is saved, and publishes it as it is then', async () => {
  let version = 1;
  let arrive = () => undefined as void;
  const saved = new Promise<void>((resolve) => (arrive = resolve));
  const part = { module: 'rmaCheckBill', change, version: 1, updateBy: 'anna', updateTime: 0 };
  const before = { definition: null, options: {}, menu: [], rights: {} };
  const { user, callsTo } = await openPage(<EditorThenDraft />, {
    lang: 'en',
    answers: {
      [readDraft.path]: () => ({
        ...{ id: 7, name: 'Mine', version, status: DraftStatus.Open, publishId: null },
        parts: [{ ...part, before }],
        names: { modules: {}, fields: {}, roles: {}, standard: {} },
      }),
      [checkDraft.path]: { problems: [], warnings: [], contents: [], statements: [], broken: [], uses: [] },
      [saveChange.path]: async () => {
        await saved;
        version = 2;
        return { version: 4 };
      },
      [publishDraft.path]: publishingOf({ state: 'done', id: 5 }),
      [readPublishing.path]: { last: null },
    },
  });
  act(() => currentUser.set({ ...currentUser.get(), access: ['sysDraft:publish'] } as never));
  await user.click(screen.getByRole('button', { name: 'type' }));
  await user.click(screen.getByRole('button', { name: 'review' }));
  const publish = await screen.findByRole('button', { name: 'Publish' });
  await screen.findByText(/^Nothing: tables/);
  expect(publish).toHaveProperty('disabled', true);
  expect(callsTo(saveChange.path)).toHaveLength(1);
  arrive();
  await waitFor(() => expect(publish).toHaveProperty('disabled', false));
  await user.click(publish);
  await user.type(await screen.findByRole('textbox'), 'why');
  await user.click(screen.getAllByRole('button', { name: 'Publish' }).at(-1) as HTMLElement);
  await waitFor(() => expect(callsTo(publishDraft.path)[0]?.input).toMatchObject({ id: 7, version: 2 }));
});

it('says either that nothing is wrong, or what is to be made sure of, and that only of a draft without problems', async () => {
  const told = (rule: string) => ({ kind: 'Slip', rule, module: 'rmaCheckBill', path: '', name: 'rmaCheckBill' });
  const part = { module: 'rmaCheckBill', change, version: 1, updateBy: 'anna', updateTime: 0 };
  const before = { definition: null, options: {}, menu: [], rights: {} };
  const says = async (problems: string[], warnings: string[]) => {
    const { unmount } = await openPage(<DraftPage menuNo="sysDraftList" id="7" />, {
      lang: 'en',
      answers: {
        [readDraft.path]: {
          ...{ id: 7, name: 'Mine', version: 1, status: DraftStatus.Open, publishId: null },
          parts: [{ ...part, before }],
          names: { modules: {}, fields: {}, roles: {}, standard: {} },
        },
        [checkDraft.path]: {
          ...{ problems: problems.map(told), warnings: warnings.map(told) },
          ...{ statements: [], broken: [], uses: [], contents: [] },
        },
      },
    });
    await screen.findByText(/^Nothing: tables|is in the way/);
    const texts = [...document.querySelectorAll('.MuiAlert-message')].map((it) => it.firstChild?.textContent);
    unmount();
    return texts;
  };
  expect(await says([], [])).toEqual(['Nothing is wrong: the draft can be published.']);
  expect(await says([], ['changesNothing'])).toEqual([
    '1 thing to make sure of; the draft can be published all the same:',
  ]);
  expect(await says(['optionSwapped'], ['changesNothing'])).toEqual([
    expect.stringMatching(/^1 problem/),
    '1 more thing to make sure of:',
  ]);
});

it('says no more that a draft can be published once it is, nor of one that changes nothing', async () => {
  let status: string = DraftStatus.Open;
  const part = { module: 'rmaCheckBill', change, version: 1, updateBy: 'anna', updateTime: 0 };
  let parts = [{ ...part, before: { definition: null, options: {}, menu: [], rights: {} } }];
  const warnings = [{ kind: 'Slip', rule: 'changesNothing', module: 'rmaCheckBill', path: '', name: 'rmaCheckBill' }];
  const { user } = await openPage(<DraftPage menuNo="sysDraftList" id="7" />, {
    lang: 'en',
    answers: {
      [readDraft.path]: () => ({
        ...{ id: 7, name: 'Mine', version: 1, status, publishId: status === DraftStatus.Open ? null : 5, parts },
        names: { modules: {}, fields: {}, roles: {}, standard: {} },
      }),
      [checkDraft.path]: { problems: [], warnings, contents: [], statements: [], broken: [], uses: [] },
      [publishDraft.path]: () => {
        status = DraftStatus.Published;
        parts = [];
        return publishingOf({ state: 'done', id: 5 });
      },
      [readPublishing.path]: { last: null },
    },
  });
  act(() => currentUser.set({ ...currentUser.get(), access: ['sysDraft:publish'] } as never));
  await screen.findByText(/can be published all the same/);
  expect(screen.getByText(/This part changes nothing/)).toBeDefined();
  const publish = screen.getByRole('button', { name: 'Publish' });
  await waitFor(() => expect(publish).toHaveProperty('disabled', false));
  await user.click(publish);
  await user.type(await screen.findByRole('textbox'), 'why');
  await user.click(screen.getAllByRole('button', { name: 'Publish' }).at(-1) as HTMLElement);
  await screen.findByText(/publish 5$/);
  expect(screen.queryByText(/can be published/)).toBeNull();
});

it('goes on with what somebody else saved, once it is chosen, and has it checked for the preview', async () => {
  const theirs = { label: { zh: '初检', en: 'Their first test' } };
  let checks = 0;
  vi.stubGlobal('fetch', (url: string) => {
    if (url.includes(checkDraft.path)) {
      checks++;
      const nothing = { problems: [], warnings: [], contents: [], statements: [], broken: [], uses: [] };
      return Promise.resolve(Response.json({ code: '000000', msg: '', data: nothing }));
    }
    const { code } = refusals.stale;
    const problems = [{ key: 'stale', msg: 'saved by another' }];
    return Promise.resolve(Response.json({ code, msg: 'x', data: { version: 5, change: theirs, problems } }));
  });
  const client = new QueryClient();
  const { result } = renderHook(
    () => {
      useLookup(checkDraft, { id: 7 }, { staleTime: 0 });
      return useDraftChange({ module: 'rmaCheckBill', version: 3, change: {}, draftId });
    },
    {
      wrapper: ({ children }) => (
        <CoreAdminContext i18nProvider={i18nProvider}>
          <QueryClientProvider client={client}>{children}</QueryClientProvider>
        </CoreAdminContext>
      ),
    },
  );
  await waitFor(() => expect(checks).toBe(1));
  act(() => result.current.edit(change));
  await waitFor(() => expect(result.current.conflict).toMatchObject({ version: 5, change: theirs }));
  const before = checks;
  expect(result.current.savedAt).toBe(0);
  act(() => result.current.settle('theirs'));
  expect(result.current).toMatchObject({ change: theirs, conflict: null });
  expect(result.current.savedAt).toBeGreaterThan(0);
  await waitFor(() => expect(checks).toBe(before + 1));
});

it('says with each save who the roles are, as they were shown when their rights were set', async () => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', (_: string, { body }: RequestInit) => {
    sent.push((JSON.parse(String(body)) as { roles: unknown }).roles);
    return Promise.resolve(Response.json({ code: '000000', msg: '', data: { version: 4 + sent.length } }));
  });
  const client = new QueryClient();
  const given = { rights: { deck: ['list'] } };
  const { result, rerender } = renderHook(
    (roles: { roleId: string; id: number }[]) =>
      useDraftChange({ module: 'rmaCheckBill', version: 3, change: given, meant: { deck: 5 }, roles, draftId }),
    {
      initialProps: [
        { roleId: 'deck', id: 9 },
        { roleId: 'crew', id: 6 },
      ],
      wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
    },
  );
  const edit = async (rights: Record<string, string[]>) => {
    const before = sent.length;
    act(() => result.current.edit({ ...change, rights }));
    await waitFor(() => expect(sent).toHaveLength(before + 1));
    return sent.at(-1);
  };
  expect(await edit({ deck: ['list'], crew: ['list'] })).toEqual({ deck: 5, crew: 6 });
  rerender([
    { roleId: 'deck', id: 9 },
    { roleId: 'crew', id: 12 },
  ]);
  expect(await edit({ deck: ['list', 'add'], crew: ['list'] })).toEqual({ deck: 9, crew: 6 });
  expect(await edit({ crew: [] })).toEqual({ crew: 12 });
});

function EditorThenDraft() {
  const [isReviewing, setReviewing] = useState(false);
  if (isReviewing) return <DraftPage menuNo="sysDraftList" id="7" />;
  return (
    <>
      <Typing />
      <button onClick={() => setReviewing(true)}>review</button>
    </>
  );
}
function Typing() {
  const { edit } = useDraftChange({ module: 'rmaCheckBill', version: 3, change: {}, draftId });
  return <button onClick={() => edit(change)}>type</button>;
}
