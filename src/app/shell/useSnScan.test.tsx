// @vitest-environment jsdom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { labelRules } from '#app/parts/scan/labels.ts';
import type { Answer } from '#app/testing/fakeServer.ts';
import { renderApp, tree, user } from '#app/testing/renderApp.tsx';
import { LabelKind } from '#domain/labelRule.ts';

const inventory = { menuNo: 'rmaInventoryList', menuName: 'Inventory', module: 'rmaInventory', children: [] };
const found = (text: string) =>
  ['rmaInventoryList', 'ubsItemObjectList'].map((menuNo, i) => ({ kind: 'sn', menuNo, id: i, text, label: menuNo }));

const rules = [
  { id: 1, name: 'QR', kind: LabelKind.Template, template: 'https://qr.example.com/d/{sn}*', snLength: null },
  { id: 2, name: 'S', kind: LabelKind.Template, template: 'SF{sn}', snLength: 12 },
];

async function open(right = 'rmaInventory:viewHistory', at = '/home', labels: Answer = { data: { items: rules } }) {
  const it = await renderApp(at, {
    answers: {
      '/api/userInfo.json': { data: { ...user, access: [...user.access, right] } },
      '/api/sysMenu/queryTree.json': { data: { items: [...tree.en, inventory] } },
      '/api/find.json': ({ query }) => ({ data: { items: found(query['text']?.toUpperCase() ?? '') } }),
      '/api/ubsLabelRule/ofSite.json': labels,
      '/api/rmaInventory/toolbar.json': { data: { items: [] } },
      ...Object.fromEntries(
        ['rmaInventory', 'rmaArrivalBill', 'rmaMaintainBill', 'rmaStockupBill', 'ubsItemObject'].map((it) => [
          `/api/${it}/searchItems.json`,
          { data: { items: [] } },
        ]),
      ),
      '/api/sysBtn/queryByMenuNo.json': { data: { items: [] } },
      '/api/ubsItemObject/queryById.json': { data: {} },
      '/api/rmaMaintainBill/viewHistory.json': { key: 'notFound', msg: 'not there' },
    },
  });
  await screen.findByText('Hello, Li Wei');
  return it;
}

/** Types as a scanner does, each key so many milliseconds after the one before; gives which keys the page never saw. */
function type(text: string, gap = 5, target: Element = document.body): boolean[] {
  let at = performance.now() + 10_000;
  const prevented: boolean[] = [];
  act(() => {
    for (const key of [...text, 'Enter']) {
      const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
      Object.defineProperty(event, 'timeStamp', { value: (at += gap) });
      target.dispatchEvent(event);
      prevented.push(event.defaultPrevented);
    }
  });
  return prevented;
}
async function closePalette(): Promise<void> {
  fireEvent.keyDown(await screen.findByRole('combobox', { name: /A screen/ }), { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('combobox', { name: /A screen/ })).toBeNull());
}
const page = (sn: string) => `/rmaInventoryList/viewHistory/${sn}`;

describe('a scan where nothing expects it', () => {
  it('opens the page of the SN, and keeps its letters from the page it was scanned on', async () => {
    const { path } = await open();
    expect(type('rx19x')).toEqual([false, true, true, true, true, true]);
    await waitFor(() => expect(path()).toBe(page('RX19X')));
  });

  it.each([
    [']C0rx190001'],
    ['(01)09521234543213(21)rx190001'],
    ['https://id.gs1.org/01/09521234543213/21/RX190001'],
    ['https://qr.example.com/d/RX190001?x=1'],
  ])('reads it from its label: %s', async (label) => {
    const { path, server } = await open();
    await waitFor(() => expect(server.calls('/api/ubsLabelRule/ofSite.json')).toHaveLength(1));
    await waitFor(() => expect(labelRules.get()).toEqual(rules));
    type(label);
    await waitFor(() => expect(path()).toBe(page('RX190001')));
  });

  it('goes by the rules that were there last, where no server answers', async () => {
    localStorage.setItem('labelRules.SZ', JSON.stringify(rules));
    labelRules.set([]);
    const { path } = await open(undefined, '/home', 'network');
    type('https://qr.example.com/d/RX190001');
    await waitFor(() => expect(path()).toBe(page('RX190001')));
  });

  it.each([
    ['typed by a hand', 'RX190001', 150],
    ['that is no SN', 'RX19 0001!', 5],
  ])('is none when it is something %s', async (_, text, gap) => {
    const { path } = await open();
    type(text, gap);
    expect(path()).toBe('/home');
  });

  it('says so of an SN of another site, and opens what every site knows of it', async () => {
    const { path, server } = await open();
    const item = {
      kind: 'sn',
      menuNo: 'ubsItemObjectList',
      id: 8,
      text: 'RX190001',
      label: 'Serials',
      elsewhere: true,
    };
    server.answer({ '/api/find.json': { data: { items: [item] } } });
    type('rx190001');
    await screen.findByText('SN RX190001 belongs to another site, not to yours');
    expect(path()).toBe('/ubsItemObjectList/detail/8');
  });

  it('is opened as an SN without a network', async () => {
    const { path, server } = await open();
    server.answer({ '/api/find.json': 'network' });
    type('RX190001');
    await waitFor(() => expect(path()).toBe(page('RX190001')));
  });

  const headers = { 'retry-after': '7' };
  it.each<[string, Answer, string]>([
    ['went wrong on the server', { key: 'unknown', msg: 'Error 12' }, 'Error 12'],
    ['was asked for too often', { key: 'tooMany', msg: 'Wait 7 seconds', headers }, 'Wait 7 seconds'],
    ['was refused', { key: 'noRight', msg: 'No right' }, 'No right'],
    ['came from a gateway', { status: 502, html: '<h1>Bad gateway</h1>' }, 'HTTP 502'],
    ['was no answer', { status: 200, html: '<h1>Hotel network</h1>' }, 'HTTP 200'],
  ])('stays in the search, which says why, where the answer %s', async (_, answer, why) => {
    const { path, server, person } = await open();
    server.answer({ '/api/find.json': answer });
    type('RX190001');
    expect((await screen.findByText(/^RX190001 could not be looked up/)).textContent).toContain(why);
    const field = (await screen.findByRole('combobox', { name: /A screen/ })) as HTMLInputElement;
    expect(field.value).toBe('RX190001');
    expect(path()).toBe('/home');
    await screen.findByText('The numbers cannot be searched now');
    server.answer({ '/api/find.json': { data: { items: found('RX190001') } } });
    await person.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findAllByRole('option')).toHaveLength(1);
    await closePalette();
  });

  it('stays in the search, which says why, where no answer came in time', async () => {
    const { path } = await open();
    const stubbed = globalThis.fetch;
    vi.stubGlobal('fetch', (address: string, init: RequestInit) =>
      address.includes('/api/find.json')
        ? Promise.reject(new DOMException('', 'TimeoutError'))
        : stubbed(address, init),
    );
    type('RX190001');
    const said = await screen.findByText(/^RX190001 could not be looked up/);
    expect(said.textContent).toContain('did not answer in time');
    expect(path()).toBe('/home');
    await closePalette();
  });

  it('opens nothing for who may not see it', async () => {
    const { path, server } = await open('rmaInventory:list');
    server.answer({ '/api/find.json': { data: { items: [] } } });
    type('RX190001');
    await screen.findByText('No SN, bill or parcel that you may see has the number RX190001');
    expect(path()).toBe('/home');
  });

  it.each([5, 45, 100])(
    'is refused aloud under what lies over the page, and presses nothing there, at %i ms',
    async (gap) => {
      const { path } = await open();
      fireEvent.click(await screen.findByRole('button', { name: /Li Wei/ }));
      const menu = await screen.findByRole('menu');
      const paper = menu.closest('.MuiPaper-root') as Element;
      const sn = `RX19M${gap}`;
      expect(type(sn, gap, paper).at(-1)).toBe(true);
      await screen.findByText(new RegExp(`^${sn} was not taken`));
      expect(path()).toBe('/home');
      expect(menu.isConnected).toBe(true);
    },
  );

  const parcel = (menuNo: string, id: number, text = 'SF2278245821442') => ({
    kind: 'parcel',
    menuNo,
    id,
    text,
    label: menuNo,
  });
  it.each([
    [
      'the bill that it became',
      [parcel('rmaArrivalBillList', 3), parcel('rmaMaintainBillList', 4)],
      '/rmaMaintainBillList/detail/4',
    ],
    ['what was signed for', [parcel('rmaArrivalBillList', 3)], '/rmaArrivalBillList/detail/3'],
    ['itself, a bill', [{ ...parcel('rmaStockupBillList', 5), kind: 'bill' }], '/rmaStockupBillList/detail/5'],
  ])(
    'leads from the number of a parcel or a bill to %s, also where the search of a list has the focus',
    async (_, items, to) => {
      const { path, server } = await open();
      server.answer({ '/api/find.json': { data: { items } } });
      const form = document.createElement('form');
      form.setAttribute('role', 'search');
      form.innerHTML = '<input type="text">';
      document.body.append(form);
      type('sf2278245821442', 5, form.firstElementChild as Element);
      await waitFor(() => expect(path()).toBe(to));
      form.remove();
    },
  );

  it('offers them where several have the number, and says so where none has', async () => {
    const { path, server } = await open();
    server.answer({
      '/api/find.json': { data: { items: [parcel('rmaMaintainBillList', 4), parcel('rmaMaintainBillList', 9)] } },
    });
    type('SF2278245821442');
    const field = (await screen.findByRole('combobox', { name: /A screen/ })) as HTMLInputElement;
    expect(field.value).toBe('SF2278245821442');
    expect(await screen.findAllByRole('option')).toHaveLength(2);
    await closePalette();
    server.answer({ '/api/find.json': { data: { items: [parcel('rmaMaintainBillList', 4, 'SF22782458214429')] } } });
    type('SF2278245821442');
    await screen.findByText('No SN, bill or parcel that you may see has the number SF2278245821442');
    expect(path()).toBe('/home');
  });

  it('belongs to a field or a station where there is one', async () => {
    const { path } = await open();
    const inFront = document.createElement('div');
    document.body.append(inFront);
    inFront.innerHTML = '<input type="text">';
    type('RX190001', 5, inFront.firstElementChild as Element);
    inFront.innerHTML = '<input data-scan="field">';
    type('RX190002');
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

  it.each([
    ['https://qr.example.com/d/RX19-7', 'RX19-7'],
    [']C0RX19-7', 'RX19-7'],
    // A parcel's number may by chance be as long as a label: here it stays what it is.
    ['SF123456789012', 'SF123456789012'],
  ])('or a number is looked for as the label says: %s', async (text, sought) => {
    const { server, person } = await open();
    await waitFor(() => expect(labelRules.get()).toEqual(rules));
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
    const field = await screen.findByRole('combobox', { name: /A screen/ });
    await person.click(field);
    await person.paste(text);
    await waitFor(() => expect(server.calls('/api/find.json').at(-1)?.query['text']).toBe(sought));
  });
});

describe('a field for an SN', () => {
  async function openFields() {
    await open();
    await waitFor(() => expect(labelRules.get()).toEqual(rules));
    const box = document.createElement('div');
    document.body.append(box);
    box.innerHTML = '<input data-sn><input><input data-sn readonly>';
    return {
      box,
      fields: [...box.querySelectorAll('input')] as [HTMLInputElement, HTMLInputElement, HTMLInputElement],
    };
  }

  it('holds the SN of a label once Enter comes or the field is left; another one holds what was entered', async () => {
    const { box, fields } = await openFields();
    const label = 'https://qr.example.com/d/rx-1';
    for (const it of fields) it.value = label;
    fields.forEach((it) => fireEvent.keyDown(it, { key: 'Enter' }));
    expect(fields.map((it) => it.value)).toEqual(['RX-1', label, label]);
    fields[0].value = 'SF123456789012';
    fireEvent.focusOut(fields[0]);
    expect(fields[0].value).toBe('123456789012');
    fields[0].value = 'rx-1 ';
    fireEvent.focusOut(fields[0]);
    expect(fields[0].value).toBe('rx-1 ');
    box.remove();
  });
});
