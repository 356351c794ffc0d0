// @vitest-environment jsdom
import { createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { ADVANCED_SEARCH, button, openList, PAGER, pager, rows, theRow, warmUp } from '#app/engine/list/testList.ts';
import { Cell } from '#app/fields/Cell.tsx';
import { styleOf } from '#app/testing/styles.ts';

vi.mock('#app/fields/Cell.tsx', async (original) => {
  const real = await original<{ Cell: () => null }>();
  return { ...real, Cell: vi.fn(real.Cell) };
});
beforeAll(warmUp);

let pressedAt = 0;
/** As a hand does, which is slower than any scanner. */
function press(key: string, more: object = {}): void {
  const target = document.activeElement as Element;
  const event = createEvent.keyDown(target, { key, ...more });
  pressedAt += 300;
  Object.defineProperty(event, 'timeStamp', { value: pressedAt });
  fireEvent(target, event);
}
const active = () => document.activeElement?.querySelector('a')?.textContent;

describe('the keyboard in a list', () => {
  it('walks the rows, of which Tab reaches one; Enter opens', async () => {
    const { path } = await openList();
    await theRow('CKB1');
    press('ArrowDown');
    expect(active()).toBe('CKB1');
    press('ArrowDown');
    expect(active()).toBe('CKB2');
    press('End');
    expect(active()).toBe('CKB3');
    press('ArrowDown');
    expect(active()).toBe('CKB3');
    press('Home');
    expect(active()).toBe('CKB1');
    press('PageDown');
    expect(active()).toBe('CKB3');
    press('PageUp');
    press('ArrowUp');
    expect(active()).toBe('CKB1');
    press('ArrowDown');
    const reached = screen.getAllByRole('row').filter((it) => it.getAttribute('tabindex') === '0');
    expect(reached.map((it) => it.querySelector('a')?.textContent)).toEqual(['CKB2']);
    press('Enter');
    await waitFor(() => expect(path()).toBe('/rmaCheckBillList/detail/2'));
  });

  it('selects by X, goes to the search by a slash, and leaves who types alone', async () => {
    const { person } = await openList();
    const row = await theRow('CKB2');
    row.focus();
    press('x');
    expect(row.getAttribute('aria-selected')).toBe('true');
    press('x');
    expect(row.getAttribute('aria-selected')).toBe('false');
    press('/');
    expect(document.activeElement).toBe(screen.getByLabelText('Bill'));
    await person.keyboard('a/b');
    expect(screen.getByLabelText<HTMLInputElement>('Bill').value).toBe('a/b');
  });

  it('that has left the list is not counted as selected, and offers no action', async () => {
    let items = rows;
    const { person } = await openList({ answers: { [PAGER]: () => ({ data: { ...pager, items } }) } });
    (await theRow('CKB2')).focus();
    press('x');
    expect(await screen.findByText('1 selected')).toBeTruthy();
    items = rows.filter((it) => it.no !== 'CKB2');
    await person.click(screen.getByRole('button', { name: 'Refresh' }));
    await waitFor(() => expect(screen.queryByText('CKB2')).toBeNull());
    await waitFor(() => expect(screen.queryByText('1 selected')).toBeNull());
  });

  it('opens what the toolbar offers for a row at that row, and does it to that row', async () => {
    const items = [button('create', 'New'), button('deleteById', 'Delete', { rows: 1 })];
    const { person } = await openList({ answers: { '/api/sysBtn/queryByMenuNo.json': { data: { items } } } });
    const row = await theRow('CKB3');
    row.focus();
    press('F10', { shiftKey: true });
    const menu = within(await screen.findByRole('menu'));
    expect(menu.getAllByRole('menuitem').map((it) => it.textContent)).toEqual(['Open', 'Preview', 'Delete']);
    await person.click(menu.getByRole('menuitem', { name: 'Delete' }));
    expect(await screen.findByText('Delete CKB3?')).toBeTruthy();
  });
});

describe('a long list', () => {
  const long = Array.from({ length: 200 }, (_, i) => ({ ...rows[0], id: i + 1, no: `CKB${i + 1}` }));
  const openLong = () => {
    const items = [button('deleteAll', 'Delete', { rows: 2 })];
    const answers = { [PAGER]: { data: { ...pager, items: long, itemTotal: 200 } } };
    return openList({ answers: { ...answers, '/api/sysBtn/queryByMenuNo.json': { data: { items } } } });
  };
  const drawn = () => screen.getAllByRole('row').filter((it) => it.hasAttribute('data-id'));

  it('draws the rows in sight alone, and says where each stands among all', async () => {
    await openLong();
    await theRow('CKB1');
    expect(drawn().length).toBeLessThan(60);
    expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('201');
    expect(drawn().map((it) => it.getAttribute('aria-rowindex'))).toEqual(drawn().map((_, i) => String(i + 2)));
  });

  it('is walked to its end and selected whole by the keyboard, whatever is drawn', async () => {
    await openLong();
    await theRow('CKB1');
    press('ArrowDown');
    press('End');
    expect(active()).toBe('CKB200');
    expect(document.activeElement?.getAttribute('aria-rowindex')).toBe('201');
    press('ArrowUp');
    expect(active()).toBe('CKB199');
    press('Home');
    expect(active()).toBe('CKB1');
    press('a', { ctrlKey: true });
    expect(await screen.findByText('200 selected')).toBeTruthy();
  });
});

describe('the preview', () => {
  it('shows a row beside the list, follows the arrows, and goes by Esc', async () => {
    const { server } = await openList();
    const row = await theRow('CKB1');
    row.focus();
    press(' ');
    const preview = within(await screen.findByRole('complementary', { name: 'Preview' }));
    expect(await preview.findByText('n1')).toBeTruthy();
    expect(preview.getByRole('link', { name: 'Open' }).getAttribute('href')).toBe('/rmaCheckBillList/detail/1');
    press('ArrowDown');
    expect(await preview.findByText('n2')).toBeTruthy();
    expect(server.calls('/api/rmaCheckBill/queryById.json').map((it) => it.query)).toEqual([
      { id: '1', lang: 'en' },
      { id: '2', lang: 'en' },
    ]);
    press('Escape');
    await waitFor(() => expect(screen.queryByRole('complementary', { name: 'Preview' })).toBeNull());
    expect(active()).toBe('CKB2');
  });

  it('opens from a row’s menu with the right button of the mouse', async () => {
    const { person } = await openList();
    fireEvent.contextMenu((await theRow('CKB2')).cells[2] as Element);
    await person.click(await screen.findByRole('menuitem', { name: 'Preview' }));
    const preview = within(await screen.findByRole('complementary', { name: 'Preview' }));
    expect(await preview.findByText('n2')).toBeTruthy();
  });
});

describe('selected rows', () => {
  const several = [button('create', 'New'), button('deleteAll', 'Delete all', { rows: 'many' })];
  const toolbar = (items: object[]) => ({ '/api/sysBtn/queryByMenuNo.json': { data: { items } } });

  it('turn the toolbar into the bulk bar; Shift takes the rows between', async () => {
    const { person } = await openList({ answers: toolbar(several) });
    await person.click(await theRow('CKB1'));
    fireEvent.click(await theRow('CKB3'), { shiftKey: true });
    expect(screen.getByText('3 selected')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'New' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Delete all' })).toBeTruthy();
    await person.click(screen.getByRole('button', { name: 'Clear selection' }));
    expect(screen.getByRole('button', { name: 'New' })).toBeTruthy();
  });

  it('become all that match where a button takes them; another selection ends that', async () => {
    const bulk = button('bulkEdit', 'Change', { rows: 'many', all: true });
    const { person } = await openList({ answers: toolbar([...several, bulk]) });
    await person.click(await theRow('CKB1'));
    await person.click(screen.getByRole('button', { name: 'Select all 120 that match' }));
    expect(screen.getByText('All 120 that match are selected')).toBeTruthy();
    const isOff = (name: string) => (screen.getByRole('button', { name }) as HTMLButtonElement).disabled;
    expect([isOff('Delete all'), isOff('Change')]).toEqual([true, false]);
    await person.click(await theRow('CKB2'));
    expect(screen.getByText('2 selected')).toBeTruthy();
  });

  it('are drawn anew alone: selecting, hovering and walking leave the other rows as they are', async () => {
    const { person } = await openList();
    const row = await theRow('CKB2');
    const drawn = vi.mocked(Cell);
    drawn.mockClear();
    await person.hover(row);
    expect(drawn).not.toHaveBeenCalled();
    await person.click(row);
    const values = new Set(drawn.mock.calls.map(([{ value }]) => value));
    expect(values.has('n2')).toBe(true);
    expect(values.has('n3')).toBe(false);
  });
});

describe('applied conditions', () => {
  const rule = (column: string, relation: string, value: string, connector = 'AND') => ({
    connector,
    column,
    relation,
    value,
  });
  const condition = {
    connector: 'AND',
    rules: [rule('status', 'EQUAL_TO', '1'), rule('count', 'GREATER_THAN', '5', 'OR')],
    groups: [{ connector: 'AND', rules: [rule('note', 'IS_NULL', '')], groups: [] }],
  };
  const address = (filter: object) => `/rmaCheckBillList?filter=${encodeURIComponent(JSON.stringify(filter))}`;

  it('of a nested search read as sentences, and each is taken off alone', async () => {
    const { server, person } = await openList({}, address({ advanced: JSON.stringify(condition) }));
    await theRow('CKB1');
    const applied = within(await screen.findByRole('group', { name: 'Applied' }));
    expect(await applied.findByText('Status equals Done')).toBeTruthy();
    expect(applied.getByText('Note is empty')).toBeTruthy();
    const chip = applied.getByText('Units is greater than 5').closest('.MuiChip-root') as HTMLElement;
    await person.click(chip.querySelector('svg') as Element);
    await waitFor(() => expect(server.calls(ADVANCED_SEARCH)).toHaveLength(2));
    expect(JSON.parse(server.calls(ADVANCED_SEARCH)[1]?.body ?? '')).toEqual({
      adminAdvancedSearchGroup: { ...condition, rules: [condition.rules[0]] },
    });
    await person.click(screen.getByRole('button', { name: 'Reset' }));
    await waitFor(() => expect(server.calls(PAGER)).toHaveLength(1));
    expect(screen.queryByRole('group', { name: 'Applied' })).toBeNull();
  });

  it.each(['{Delete}', '{Backspace}', '{Enter}'])(
    'are taken off one by one by %s, and the next has the focus, then the search',
    async (key) => {
      const { server, person } = await openList({}, address({ advanced: JSON.stringify(condition) }));
      await theRow('CKB1');
      const chipOf = async (text: string) => (await screen.findByText(text)).closest('.MuiChip-root') as HTMLElement;
      (await chipOf('Status equals Done')).focus();
      const shown = ['Units is greater than 5', 'Note is empty'];
      for (const [i, next] of shown.entries()) {
        await person.keyboard(key);
        await waitFor(() => expect(server.calls(ADVANCED_SEARCH)).toHaveLength(i + 2));
        await waitFor(async () => expect(document.activeElement).toBe(await chipOf(next)));
        expect(document.querySelectorAll('[data-conditions] .MuiChip-root')).toHaveLength(shown.length - i);
      }
      await person.keyboard(key);
      await waitFor(() => expect(document.activeElement?.closest('[role=search]')).toBeTruthy());
      expect(screen.queryByRole('group', { name: 'Applied' })).toBeNull();
    },
  );

  it('of both searches go together', async () => {
    const { server } = await openList({}, address({ no: 'CKB', advanced: JSON.stringify(condition) }));
    await theRow('CKB1');
    expect(server.calls(ADVANCED_SEARCH)[0]?.query).toMatchObject({ no: 'CKB' });
    expect(screen.getByText('Bill: CKB')).toBeTruthy();
  });

  it('that match nothing can be cleared where the rows would be', async () => {
    const empty = { data: { ...pager, items: [], itemTotal: 0 } };
    const { server, person } = await openList({ answers: { [PAGER]: empty } }, address({ no: 'X' }));
    expect(await screen.findByText('Nothing matches these conditions')).toBeTruthy();
    await person.click(screen.getByRole('button', { name: 'Clear filters' }));
    await waitFor(() => expect(server.calls(PAGER).at(-1)?.query).not.toHaveProperty('no'));
  });
});

it.each([540, 500, 550])('the table is at most %i high, what is longer scrolls [P-LST-09]', async (maxHeight) => {
  await openList({ answers: { [PAGER]: { data: { ...pager, maxHeight } } } });
  const frame = (await theRow('CKB1')).closest('table')?.parentElement as HTMLElement;
  expect(frame.style.maxHeight).toBe(`${maxHeight}px`);
  expect(styleOf(frame).overflow).toBe('auto');
});

it('on a phone each row is a card: title, first facts, selection, menu', async () => {
  const { person, server } = await openList();
  await theRow('CKB1');
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('max-width'),
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  server.answer({ [PAGER]: { data: { ...pager, items: rows.slice(0, 1), itemTotal: 1 } } });
  await person.click(screen.getByRole('button', { name: 'Refresh' }));
  const cards = within(await screen.findByRole('list', { name: 'Check bills' }));
  await waitFor(() => expect(cards.getAllByRole('listitem')).toHaveLength(1));
  expect(screen.queryByRole('grid')).toBeNull();
  expect(cards.getByRole('link', { name: 'CKB1' }).getAttribute('href')).toBe('/rmaCheckBillList/detail/1');
  expect(cards.getAllByRole('term').map((it) => it.textContent)).toEqual(['Status', 'Units', 'Note']);
  await person.click(cards.getByRole('checkbox', { name: 'Select CKB1' }));
  expect(cards.getByRole<HTMLInputElement>('checkbox', { name: 'Select CKB1' }).checked).toBe(true);
  await person.click(cards.getByRole('button', { name: 'Actions for CKB1' }));
  expect(await screen.findByRole('menuitem', { name: 'Delete' })).toBeTruthy();
});
