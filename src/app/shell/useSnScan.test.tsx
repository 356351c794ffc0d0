// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderApp, tree, user } from '#app/testing/renderApp.tsx';

const inventory = { menuNo: 'rmaInventoryList', menuName: 'Inventory', module: 'rmaInventory', children: [] };
const found = (text: string) =>
  ['rmaInventoryList', 'ubsItemObjectList'].map((menuNo, i) => ({ kind: 'sn', menuNo, id: i, text, label: menuNo }));

async function open(right = 'rmaInventory:viewHistory', at = '/home') {
  const it = await renderApp(at, {
    answers: {
      '/api/userInfo.json': { data: { ...user, access: [...user.access, right] } },
      '/api/sysMenu/queryTree.json': { data: { items: [...tree.en, inventory] } },
      '/api/find.json': ({ query }) => ({ data: { items: found(query['text']?.toUpperCase() ?? '') } }),
      '/api/rmaInventory/toolbar.json': { data: { items: [] } },
      '/api/rmaInventory/searchItems.json': { data: { items: [] } },
      '/api/sysBtn/queryByMenuNo.json': { data: { items: [] } },
      '/api/rmaMaintainBill/viewHistory.json': { code: '100002', msg: 'not there' },
    },
  });
  await screen.findByText('Hello, Li Wei');
  return it;
}

/** Types as a scanner does, each key so many milliseconds after the one before; gives which keys the page never saw. */
function type(text: string, gap = 5, target: Element = document.body): boolean[] {
  let at = performance.now() + 10_000;
  const kept: boolean[] = [];
  act(() => {
    for (const key of [...text, 'Enter']) {
      const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
      Object.defineProperty(event, 'timeStamp', { value: (at += gap) });
      target.dispatchEvent(event);
      kept.push(event.defaultPrevented);
    }
  });
  return kept;
}
const page = (sn: string) => `/rmaInventoryList/viewHistory/${sn}`;

describe('a scan where nothing expects it', () => {
  it('opens the page of the SN, and keeps its letters from the page it was scanned on', async () => {
    const { path } = await open();
    expect(type('rx19x')).toEqual([false, true, true, true, true, true]);
    await waitFor(() => expect(path()).toBe(page('RX19X')));
  });

  it.each([
    ['typed by a hand', 'RX190001', 90],
    ['that is no SN', 'RX19 0001!', 5],
  ])('is none when it is something %s', async (_, text, gap) => {
    const { path } = await open();
    type(text, gap);
    expect(path()).toBe('/home');
  });

  it('opens nothing for who may not see it', async () => {
    const { path } = await open('rmaInventory:list');
    type('RX190001');
    expect(path()).toBe('/home');
  });

  it('belongs to a field, a station or a dialog where there is one', async () => {
    const { path } = await open();
    const inFront = document.createElement('div');
    document.body.append(inFront);
    inFront.innerHTML = '<input type="text">';
    type('RX190001', 5, inFront.firstElementChild as Element);
    inFront.innerHTML = '<input data-scan="field">';
    type('RX190002');
    inFront.innerHTML = '<div role="dialog"></div>';
    type('RX190003');
    expect(path()).toBe('/home');
    inFront.remove();
    type('RX190004');
    await waitFor(() => expect(path()).toBe(page('RX190004')));
  });
});

describe('an SN in the palette', () => {
  it('leads to its page by Enter, once however many lists have it, written as a scanner or an input method writes it', async () => {
    const { path, person } = await open();
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    const field = await screen.findByRole('combobox', { name: /A screen/ });
    await person.type(field, 'ＲＸ19-7');
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(1));
    await person.type(field, '{Enter}');
    await waitFor(() => expect(path()).toBe(page('RX19-7')));
  });
});
