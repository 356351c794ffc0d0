// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { Choice } from '#app/parts/Choice.tsx';
import { FailedReads } from '#app/parts/FailedReads.tsx';
import { openPage, refuses } from '#app/parts/openPage.tsx';
import { ReadFailure } from '#app/parts/ReadFailure.tsx';
import { useLookup } from '#app/parts/useLookup.ts';
import { loadUserSites } from '#domain/lookups.ts';

function Sites() {
  const { data } = useLookup(loadUserSites, {});
  const options = (data?.items ?? []).map((it) => ({ value: it.siteId, label: it.siteName }));
  return <Choice label="Site" value="" options={options} onChange={() => undefined} />;
}

const page = (
  <>
    <FailedReads />
    <Sites />
  </>
);
const broken = () => new Response('<h1>down</h1>', { status: 500 });
const sites = { items: [{ siteId: 'SZ', siteName: 'Shenzhen' }] };

describe('what could not be read without a place of its own to say so', () => {
  it.each([
    ['en', 'Part of this could not be read.', 'Try again', 'The options cannot be read'],
    ['zh', '部分内容未能读取。', '重试', '选项读取失败'],
  ] as const)('is told and read anew (%s)', async (lang, said, again, unread) => {
    let answer: () => unknown = broken;
    const { user, callsTo } = await openPage(page, { lang, answers: { [loadUserSites.path]: () => answer() } });
    expect((await screen.findByText(said, { exact: false })).textContent).toContain('HTTP 500');
    await user.click(screen.getByRole('combobox', { name: 'Site' }));
    expect((await screen.findByRole('option')).textContent).toContain(unread);
    await user.keyboard('{Escape}');
    answer = () => sites;
    await user.click(await screen.findByRole('button', { name: again }));
    await waitFor(() => expect(screen.queryByText(said, { exact: false })).toBeNull());
    expect(callsTo(loadUserSites.path)).toHaveLength(2);
    await user.click(screen.getByRole('combobox', { name: 'Site' }));
    expect(await screen.findByRole('option', { name: 'Shenzhen' })).toBeTruthy();
  });

  it('is not told of an answer', async () => {
    const { callsTo } = await openPage(page, {
      lang: 'en',
      answers: { [loadUserSites.path]: refuses('noRight', 'No') },
    });
    await waitFor(() => expect(callsTo(loadUserSites.path)).toHaveLength(1));
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });

  it('is left to the page that tells that it could not be read itself, and read anew with it', async () => {
    const failure = <ReadFailure text="The bill" reason="down" onAgain={() => undefined} />;
    let answer: () => unknown = broken;
    const { user, callsTo } = await openPage(
      <>
        {page}
        {failure}
      </>,
      { lang: 'en', answers: { [loadUserSites.path]: () => answer() } },
    );
    await user.click(screen.getByRole('combobox', { name: 'Site' }));
    await screen.findByRole('option', { name: /The options cannot be read/ });
    await user.keyboard('{Escape}');
    answer = () => sites;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(callsTo(loadUserSites.path)).toHaveLength(2));
  });
});
