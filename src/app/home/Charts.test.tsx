// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';
import { renderApp, user } from '#app/testing/renderApp.tsx';
import { is, searchOf } from '#domain/drill.ts';

// What draws needs a real browser: a button for each part of each bar.
vi.mock('#app/parts/Chart.tsx', () => ({
  default: ({ label, onPick }: { label: string; onPick?: (index: number, series: number) => void }) => (
    <div role="img" aria-label={label}>
      {[0, 1].flatMap((index) =>
        [0, 1].map((series) => (
          <button key={`${index} ${series}`} onClick={() => onPick?.(index, series)}>
            {`${label} ${index} ${series}`}
          </button>
        )),
      )}
    </div>
  ),
}));

const received = (value: string) => ({ module: 'rmaReceivedUnit', rules: [is('continues', value)] });
const returns = [
  { from: Date.parse('2026-10-01T00:00:00+08:00'), first: 5, again: 0, drills: { first: received('0') } },
  {
    from: Date.parse('2026-11-01T00:00:00+08:00'),
    first: 7,
    again: 2,
    drills: { first: received('0'), again: received('1') },
  },
];
const title = 'Units received from customers: what comes back';
const addressOf = (value: string) =>
  `/rmaReceivedUnitList?${new URLSearchParams({ filter: JSON.stringify({ advanced: JSON.stringify(searchOf(received(value))) }) })}`;

const open = (module: string) =>
  renderApp('/home', {
    answers: {
      '/api/userInfo.json': {
        data: { ...user, access: ['rmaInventory:list', `${module}:list`], timeZone: 'Asia/Shanghai' },
      },
      '/api/sysMenu/queryTree.json': {
        data: { items: [{ menuNo: `${module}List`, menuName: module, module, children: [] }] },
      },
      '/api/dashBoard.json': { data: { coins: [], hashRate: null, cards: [], turnaround: [], returns } },
      '/api/rmaInventory/searchItems.json': { data: { items: [] } },
      '/api/rmaReceivedUnit/searchItems.json': { data: { items: [] } },
      '/api/rmaReceivedUnit/toAdvancedSearch.json': { data: { title: {}, relations: {}, columns: [] } },
      '/api/rmaReceivedUnit/advancedSearch.json': {
        data: { title: {}, items: [], itemTotal: 0, tableName: 'Received units' },
      },
    },
  });

// To two of the browsers these months have begun a day before.
it.each(['Asia/Shanghai', 'Europe/Berlin', 'America/Los_Angeles'])(
  'in a browser in %s each figure of a chart says what it counts and opens just that; one that counts nothing is none',
  async (zone) => {
    vi.stubEnv('TZ', zone);
    expect(new Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(zone);
    onTestFinished(() => void vi.unstubAllEnvs());
    await open('rmaReceivedUnit');
    const chart = within(await screen.findByRole('region', { name: title }));
    const links = (await chart.findAllByRole('link')).map((it) => [it.textContent, it.getAttribute('href')]);
    expect(links).toEqual([
      ['Oct 26, First time: 5 units received', addressOf('0')],
      ['Nov 26, First time: 7 units received', addressOf('0')],
      ['Nov 26, Back within weeks: 2 units received', addressOf('1')],
    ]);
  },
);

it('each part of a bar opens what it counts', async () => {
  const { person, path, server } = await open('rmaReceivedUnit');
  await person.click(await screen.findByRole('button', { name: `${title} 0 1` }));
  expect(path()).toBe('/home');
  await person.click(screen.getByRole('button', { name: `${title} 1 1` }));
  expect(path()).toBe('/rmaReceivedUnitList');
  const asked = () => server.calls('/api/rmaReceivedUnit/advancedSearch.json').at(-1);
  await waitFor(() =>
    expect(asked()?.body).toBe(JSON.stringify({ adminAdvancedSearchGroup: searchOf(received('1')) })),
  );
});

it('whose menu does not have the list is told the figure alone', async () => {
  await open('rmaCheckBill');
  const chart = within(await screen.findByRole('region', { name: title }));
  expect(await chart.findByText('Oct 26, First time: 5 units received')).toBeTruthy();
  expect(chart.queryAllByRole('link')).toEqual([]);
});
