// @vitest-environment jsdom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { listScreens, searchScreens, type Goal } from '#app/palette/finding.ts';
import { recentGoals, rememberGoal } from '#app/palette/recent.ts';
import { scanOn } from '#app/testing/keys.ts';
import { renderApp } from '#app/testing/renderApp.tsx';

beforeEach(() => localStorage.removeItem('palette.li'));

const found = (text: string) => ({
  items: text.startsWith('SN-')
    ? [
        { kind: 'sn', menuNo: 'rmaCheckBillList', id: 7, text: 'SN-77', label: 'Inventory' },
        { kind: 'sn', menuNo: 'rmaCheckBillList', id: 8, text: 'SN-778', label: 'Inventory' },
      ]
    : [],
});
const view = { module: 'rmaCheckBill', label: 'Check bills', fields: [], lines: {}, labels: {} };
const open = () =>
  renderApp('/home', {
    answers: {
      '/api/find.json': ({ query }) => ({ data: found(query['text'] ?? '') }),
      // The detail that a find leads to asks for its record, sooner or later.
      '/api/rmaCheckBill/queryById.json': { data: { id: 8, view } },
      // So does a list, for what stands above its rows and for them.
      ...Object.fromEntries(
        ['adminUser', 'ubsIssueCode'].flatMap((module) => [
          [`/api/${module}/searchItems.json`, { data: { items: [] } }],
          [
            `/api/${module}/pager.json`,
            { data: { title: {}, items: [], itemTotal: 0, tableName: module, columns: [] } },
          ],
        ]),
      ),
      '/api/sysBtn/queryByMenuNo.json': { data: { items: [] } },
    },
  });
const field = () => screen.findByRole('combobox', { name: 'A screen, an SN, a bill or a parcel' });
const options = () =>
  screen
    .queryAllByRole('option')
    .map((it) => [...it.querySelectorAll('span')].map((part) => part.textContent).join(' · '));

describe('the screens that are found', () => {
  const leaf = {
    ...{ menuNo: 'rmaCheckBillList', menuName: 'Check bills', otherName: '初检单', module: 'rmaCheckBill' },
    actions: { check: ['First check', '初检'], create: ['New bill', '新建'], sort: ['Sort it', '排序'] },
  } as const;
  const menu = [{ menuNo: 'work', menuName: 'Workflow', children: [leaf] }];
  const screens = listScreens(menu, [leaf], ['rmaCheckBill:check']);

  it('are pages, their stations and what their toolbar makes, by their names in both languages', () => {
    expect(screens.map((it) => it.address)).toEqual([
      '/rmaCheckBillList',
      '/rmaCheckBillList/check',
      '/rmaCheckBillList/create',
    ]);
    const found = (text: string) => searchScreens(text, screens).map((it) => it.text);
    expect(found('first')).toEqual(['First check']);
    expect(found('初检')).toEqual(['First check', 'Check bills']);
    expect(found('新建')).toEqual(['New bill']);
    expect(found('\u200bnew\u00a0bill')).toEqual(['New bill']);
  });
});

describe('the palette', () => {
  it('opens by Ctrl+K wherever the focus is, and by its button; Esc closes it', async () => {
    const { person } = await open();
    await screen.findByText('Hello, Li Wei');
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    await field();
    await person.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('combobox')).toBeNull());
    await person.click(screen.getByRole('button', { name: /^Go to…/ }));
    expect(document.activeElement).toBe(await field());
  });

  it('finds screens by any part of their name or of their groups, and goes there by the keys', async () => {
    const { person, path } = await open();
    await screen.findByText('Hello, Li Wei');
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    await person.type(await field(), 'co');
    await waitFor(() => expect(options()).toEqual(['Issue codes · Repair workflow / Codes']));
    await person.clear(await field());
    await person.type(await field(), 's');
    await waitFor(() => expect(options()).toHaveLength(3));
    const chosen = () => screen.getAllByRole('option').findIndex((it) => it.getAttribute('aria-selected') === 'true');
    expect(chosen()).toBe(0);
    await person.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowUp}');
    expect(chosen()).toBe(2);
    const input = await field();
    expect(input.getAttribute('aria-activedescendant')).toBe(screen.getByRole('option', { selected: true }).id);
    await person.keyboard('{Enter}');
    await waitFor(() => expect(path()).not.toBe('/home'));
    expect(screen.queryByRole('combobox', { name: /A screen/ })).toBeNull();
  });

  it('asks the server from three letters on and goes to the number that is the whole text, however fast Enter comes', async () => {
    const { person, path, server } = await open();
    await screen.findByText('Hello, Li Wei');
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    await person.type(await field(), 'SN');
    expect(server.calls('/api/find.json')).toEqual([]);
    await person.type(await field(), '-77{Enter}');
    await waitFor(() => expect(path()).toBe('/rmaCheckBillList/detail/7'));
  });

  it('chooses nothing by the Enter that ends a word of an input method, in either order', async () => {
    const { path } = await open();
    await screen.findByText('Hello, Li Wei');
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    const input = await field();
    fireEvent.compositionStart(input);
    fireEvent.change(input, { target: { value: 'co' } });
    await waitFor(() => expect(options()).toHaveLength(1));
    fireEvent.keyDown(input, { key: 'Enter', isComposing: true, keyCode: 229 });
    // Safari ends it first.
    fireEvent.compositionEnd(input);
    fireEvent.keyDown(input, { key: 'Enter', keyCode: 229 });
    expect(path()).toBe('/home');
    fireEvent.keyDown(input, { key: 'Enter', keyCode: 13 });
    await waitFor(() => expect(path()).not.toBe('/home'));
  });

  it('takes what is scanned while something else in it has the focus', async () => {
    await open();
    await screen.findByText('Hello, Li Wei');
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    const input = await field();
    input.blur();
    expect(document.activeElement).not.toBe(input);
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'S' });
    expect(document.activeElement).toBe(input);
  });

  it('goes nowhere by an Enter after which the text changed, also where the same stands there again', async () => {
    const { path } = await open();
    await screen.findByText('Hello, Li Wei');
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    const input = await field();
    const write = (value: string) => fireEvent.change(input, { target: { value } });
    write('SN-7');
    fireEvent.keyDown(input, { key: 'Enter' });
    write('SN-778');
    write('SN-7');
    expect(await screen.findByText('SN-778')).toBeTruthy();
    expect(path()).toBe('/home');
    write('SN-77');
    fireEvent.keyDown(input, { key: 'Enter' });
    await waitFor(() => expect(path()).toBe('/rmaCheckBillList/detail/7'));
  });

  it('says when nothing is found, and when it cannot ask', async () => {
    const { person, server } = await open();
    await screen.findByText('Hello, Li Wei');
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    await person.type(await field(), 'zzzz');
    expect(await screen.findByText('No matches')).toBeTruthy();
    server.answer({ '/api/find.json': 'network' });
    await person.type(await field(), 'y');
    expect(await screen.findByText('The numbers cannot be searched now')).toBeTruthy();
  });

  it('offers where this user went by it last', async () => {
    const { person, path } = await open();
    await screen.findByText('Hello, Li Wei');
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    await person.type(await field(), 'SN-77');
    await screen.findByText('SN-778');
    await person.click(screen.getByText('SN-778'));
    await waitFor(() => expect(path()).toBe('/rmaCheckBillList/detail/8'));
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    await field();
    expect(screen.getByText('Recently opened')).toBeTruthy();
    expect(options()).toEqual(['SN-778 · Inventory']);
    expect(recentGoals('wang')).toEqual([]);
  });
});

describe('what was opened lately', () => {
  const goal = (n: number): Goal => ({ kind: 'sn', address: `/x/detail/${n}`, text: `SN-${n}`, label: '' });
  it('is eight at most, each once, the last first', () => {
    for (const n of [1, 2, 3, 4, 5, 6, 7, 8, 9, 3]) rememberGoal('li', goal(n));
    expect(recentGoals('li').map((it) => it.text)).toEqual([
      'SN-3',
      'SN-9',
      'SN-8',
      'SN-7',
      'SN-6',
      'SN-5',
      'SN-4',
      'SN-2',
    ]);
  });

  it.each([
    'no json',
    '{}',
    '[1]',
    '[{"kind":"sn","text":"a","label":"","address":"//evil.example"}]',
    '[{"kind":"sn","text":"a","label":"","address":"javascript:x"}]',
  ])('is nothing where somebody else wrote %s', (stored) => {
    localStorage.setItem('palette.li', stored);
    expect(recentGoals('li')).toEqual([]);
  });
});

describe('screens by their name', () => {
  const screens = ['Check bills', 'Bills of lading', 'Price check'].map((text): Goal => ({
    kind: 'screen',
    address: `/${text}`,
    text,
    label: 'Group',
  }));
  it.each([
    ['check', ['Check bills', 'Price check']],
    ['bills check', ['Check bills']],
    ['bills', ['Bills of lading', 'Check bills']],
    ['group', ['Check bills', 'Bills of lading', 'Price check']],
    ['', []],
    ['x', []],
  ])('%j finds %j', (text, names) => {
    expect(searchScreens(text, screens).map((it) => it.text)).toEqual(names);
  });
});

describe('the sheet of shortcuts', () => {
  it('opens by ? and shows every shortcut by where it works', async () => {
    await open();
    await screen.findByText('Hello, Li Wei');
    fireEvent.keyDown(document.body, { key: '?', shiftKey: true });
    const sheet = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }));
    expect(sheet.getAllByRole('region').map((it) => it.getAttribute('aria-label'))).toEqual([
      'Everywhere',
      'In a list',
      'In a form',
      'At a review',
      'At a station',
    ]);
    expect(sheet.getAllByRole('term').map((it) => it.textContent)).not.toContain('');
  });

  it('stays closed while somebody writes, and for a question mark in a scanner’s burst', async () => {
    const { person } = await open();
    await screen.findByText('Hello, Li Wei');
    scanOn(document.body, 'HT?A');
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    await person.type(await field(), 'a?');
    await new Promise((resolve) => requestAnimationFrame(resolve));
    expect(screen.queryByRole('dialog', { name: 'Keyboard shortcuts' })).toBeNull();
  });
});

describe('the tabs by keys', () => {
  it('go round by Alt+PageDown and Alt+PageUp, and close by Alt+W; home stays', async () => {
    const { go, path } = await open();
    await screen.findByText('Hello, Li Wei');
    await go('/changePassword');
    await screen.findByLabelText('Old password');
    const press = (key: string) => fireEvent.keyDown(document.body, { key, altKey: true });
    press('PageDown');
    await waitFor(() => expect(path()).toBe('/home'));
    press('PageUp');
    await waitFor(() => expect(path()).toBe('/changePassword'));
    press('w');
    await waitFor(() => expect(path()).toBe('/home'));
    press('w');
    expect(path()).toBe('/home');
  });
});
