// @vitest-environment jsdom
import '#app/testing/indexedDb.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { type Answers, openPage, refuses } from '#app/parts/openPage.tsx';
import FindManyPage from './FindManyPage.tsx';

const calls = { find: '/api/rmaInventory/findMany.json', file: '/api/rmaInventory/exportMany.json' };
const none = {
  ...{ now: null, node: null, siteName: null, mtbId: null, customer: null, salesCode: null, itemName: null },
  ...{ subinventoryCode: null, holdKind: null, since: null },
};
const items = [
  {
    ...none,
    asked: 'A1',
    place: '1',
    node: '30',
    siteName: 'Shenzhen',
    mtbId: 'MTB1',
    now: 'A9',
    since: 1_790_000_000_000,
  },
  { ...none, asked: 'A2', place: '4' },
];

const opens = async (more: Answers = {}) => {
  const page = await openPage(<FindManyPage menuNo="rmaInventoryList" />, {
    lang: 'en',
    answers: { [calls.find]: { items }, [calls.file]: { jobId: 1 }, ...more },
    address: '/rmaInventoryList/findMany',
  });
  const paste = async (text: string) => {
    await page.user.click(screen.getByLabelText(/^SNs, one below/));
    await page.user.paste(text);
  };
  return { ...page, paste };
};
const table = () => screen.getByRole('table');

describe('the look-up of many SNs', () => {
  it('counts what was pasted and asks for each once', async () => {
    const { user, paste, callsTo } = await opens();
    await paste('A1\nA2\na1');
    screen.getByText('2 SNs · 1 was there again and is told once');
    await user.click(screen.getByRole('button', { name: 'Look up' }));
    await screen.findByRole('table');
    expect(callsTo(calls.find)[0]?.input).toEqual({ sns: ['A1', 'A2'] });
    const [, first, second] = within(table()).getAllByRole('row');
    expect(first?.textContent).toContain('A1now A9');
    expect(first?.textContent).toContain('MTB1');
    expect(second?.textContent).toContain('Unknown');
  });

  it('shows what is at one kind of place alone, and how many those are', async () => {
    const { user, paste } = await opens();
    await paste('A1 A2');
    await user.keyboard('{Control>}{Enter}{/Control}');
    await user.click(await screen.findByRole('button', { name: 'Unknown 1' }));
    expect(within(table()).getAllByRole('row')).toHaveLength(2);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'At another site 0' }).disabled).toBe(true);
  });

  it('says what is wrong, keeps what was pasted, and exports what was found', async () => {
    const { user, paste, callsTo } = await opens({ [calls.find]: refuses('searchSlow', 'Too slow') });
    await user.click(screen.getByRole('button', { name: 'Look up' }));
    screen.getAllByText('The required fields must not be empty');
    expect(callsTo(calls.find)).toEqual([]);
    await paste('A1');
    await user.click(screen.getByRole('button', { name: 'Look up' }));
    await screen.findByText('Too slow');
    expect(screen.getByLabelText<HTMLTextAreaElement>(/^SNs, one below/).value).toBe('A1');
    expect(screen.queryByRole('button', { name: 'Export' })).toBeNull();
  });

  it('makes a workbook of them by a job', async () => {
    const { user, paste, callsTo } = await opens();
    await paste('A1');
    await user.click(screen.getByRole('button', { name: 'Look up' }));
    await user.click(await screen.findByRole('button', { name: 'Export' }));
    await waitFor(() => expect(callsTo(calls.file)[0]?.input).toEqual({ sns: ['A1'] }));
  });
});
