// @vitest-environment jsdom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { Location } from 'react-router-dom';
import { describe, expect, it, vi } from 'vitest';
import { type CachedPage, MAX_CACHED, updateCachedPages } from '#app/shell/cachedPages.ts';
import { markUnsaved, showTab } from '#app/shell/tabs.ts';
import { renderApp } from '#app/testing/renderApp.tsx';

const rows = Array.from({ length: 60 }, (_, i) => ({ id: i + 1, no: `N${i + 1}` }));
const pager = (tableName: string) => ({
  data: {
    title: { no: 'No.' },
    columns: [{ name: 'no', type: 'String', label: 'No.' }],
    items: rows.slice(0, 10),
    itemTotal: 60,
    tableName,
  },
});
const items = { data: { items: [{ name: 'No.', queryName: 'no', type: 'String' }] } };
const open = (at: string) =>
  renderApp(at, {
    answers: {
      '/api/rmaCheckBill/searchItems.json': items,
      '/api/rmaCheckBill/pager.json': pager('Check bills'),
      '/api/ubsIssueCode/searchItems.json': items,
      '/api/ubsIssueCode/pager.json': pager('Issue codes'),
      '/api/adminUser/searchItems.json': items,
      '/api/adminUser/pager.json': pager('Users'),
      '/api/sysBtn/queryByMenuNo.json': { data: { items: [] } },
    },
  });

/** The page in front: those behind it are in the document, not displayed. */
const front = () => {
  const pages = [...document.querySelectorAll<HTMLElement>('#content > div')];
  const shown = pages.filter((it) => it.style.display !== 'none');
  expect(shown).toHaveLength(1);
  return shown[0] as HTMLElement;
};
const heading = async (name: string) => {
  expect(await screen.findByRole('heading', { level: 1, name })).toBeTruthy();
  // How many there are, of the page in front.
  await waitFor(() => expect(within(front()).getByText('60 in total')).toBeTruthy());
};

describe('a page behind another tab', () => {
  it('keeps its conditions, page, selection and scroll; a menu number of each level its own [P-TAB-06]', async () => {
    const { go, path, person, server } = await open(
      '/ubsIssueCodeList?page=3&perPage=10&sort=no&order=DESC&filter=%7B%22no%22%3A%227%22%7D',
    );
    await heading('Issue codes');
    const third = front();
    await person.click(await within(third).findByText('N2'));
    await waitFor(() => expect(third.querySelectorAll('[aria-selected="true"]')).toHaveLength(1));
    const chosen = third.querySelector('[aria-selected="true"]')?.textContent;
    vi.spyOn(third, 'getClientRects').mockReturnValue([{}] as unknown as DOMRectList);
    third.scrollTop = 120;
    fireEvent.scroll(third);

    await go('/rmaCheckBillList');
    await heading('Check bills');
    expect(within(front()).queryByText(/: 7$/)).toBeNull();
    await go('/adminUserList');
    await heading('Users');
    third.scrollTop = 0;

    const tabs = within(screen.getByRole('navigation', { name: 'Opened pages' }));
    await person.click(tabs.getByRole('link', { name: 'Issue codes' }));
    await heading('Issue codes');
    expect(front()).toBe(third);
    expect(path()).toBe('/ubsIssueCodeList');
    expect(third.querySelector('[aria-selected="true"]')?.textContent).toBe(chosen);
    expect(third.scrollTop).toBe(120);
    expect(within(third).getByText(/: 7$/)).toBeTruthy();
    expect(server.calls('/api/ubsIssueCode/pager.json').at(-1)?.query).toMatchObject({
      no: '7',
      pageStart: '20',
      sortBy: 'no',
      order: 'desc',
    });
  });

  it('has an empty search form again: what was not applied is gone [P-SRC-10]', async () => {
    const { go, person } = await open('/rmaCheckBillList');
    await heading('Check bills');
    await person.type(await within(front()).findByLabelText('No.'), 'typed');
    await go('/adminUserList');
    await heading('Users');
    await go('/rmaCheckBillList');
    await heading('Check bills');
    await waitFor(() => expect(within(front()).getByLabelText<HTMLInputElement>('No.').value).toBe(''));
  });

  it('begins anew after its tab was closed, and where it is not cacheable [P-TAB-06]', async () => {
    const { go, person } = await open('/rmaCheckBillList');
    await heading('Check bills');
    const before = front();
    await go('/changePassword');
    await person.type(await screen.findByLabelText('Old password'), 'secret');
    await go('/home');
    await screen.findByText('Hello, Li Wei');
    expect(document.querySelectorAll('#content > div')).toHaveLength(2);
    await go('/changePassword');
    expect((await screen.findByLabelText<HTMLInputElement>('Old password')).value).toBe('');
    await person.click(screen.getByRole('button', { name: 'Close Check bills' }));
    expect(before.isConnected).toBe(false);
  });
});

describe('the pages to keep', () => {
  const at = (pathname: string): Location => ({ pathname, search: '', hash: '', state: null, key: pathname });
  const tabsOf = (...keys: string[]) => keys.map((key) => ({ key, address: key }));

  it('are as many as the bound allows, those shown last, in an order that never changes', () => {
    const keys = Array.from({ length: 12 }, (_, i) => `/m${i}List`);
    let pages: readonly CachedPage[] = [];
    for (const key of keys) pages = updateCachedPages(pages, at(key), tabsOf(...keys));
    expect(pages.map((it) => it.key)).toEqual(keys.slice(-MAX_CACHED));
    pages = updateCachedPages(pages, at('/m4List'), tabsOf(...keys));
    pages = updateCachedPages(pages, at('/m0List'), tabsOf(...keys));
    expect(pages.map((it) => it.key)).toEqual([...keys.slice(4, 5), ...keys.slice(6), '/m0List']);
    expect(updateCachedPages(pages, pages[0]!.location, tabsOf(...keys))).toBe(pages);
  });

  it('let one with something unsaved go last', () => {
    const keys = Array.from({ length: 9 }, (_, i) => `/u${i}List`);
    let pages: readonly CachedPage[] = [];
    for (const key of keys.slice(0, 8)) pages = updateCachedPages(pages, at(key), tabsOf(...keys));
    markUnsaved('/u0List/create', true);
    showTab('/u7List');
    markUnsaved('/u0List/create', false);
    pages = updateCachedPages(pages, at('/u8List'), tabsOf(...keys));
    expect(pages.map((it) => it.key)).toEqual(keys.filter((it) => it !== '/u1List'));
    showTab('/u0List');
    markUnsaved('/u0List/create', false);
  });
});

describe('the tab bar', () => {
  it('moves by 240 for each press of its arrows [P-TAB-05]', async () => {
    vi.spyOn(HTMLElement.prototype, 'scrollWidth', 'get').mockReturnValue(2000);
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(500);
    const moved: unknown[] = [];
    HTMLElement.prototype.scrollBy = function scrollBy(by?: unknown) {
      moved.push(by);
    };
    const { person } = await open('/home');
    await person.click(await screen.findByRole('button', { name: 'Scroll right' }));
    await person.click(screen.getByRole('button', { name: 'Scroll left' }));
    expect(moved).toEqual([{ left: 240 }, { left: -240 }]);
    vi.restoreAllMocks();
  });
});
