// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openPage, refuses } from '#app/parts/openPage.tsx';
import LotTreePage from './LotTreePage.tsx';
import type { Tree, TreeLot } from './rules.ts';

const path = '/api/icopWip/lotTree.json';
const lot = (wipId: string, stage: string, comeQty: number, more: Partial<TreeLot> = {}): TreeLot => ({
  ...{ id: 1, wipId, waferLotId: `LOT-${wipId}`, stage, part: 'P1', supplierName: 'One', siteName: 'Shenzhen' },
  ...{ parents: [], workOrderNo: null, comeQty, takenQty: 0, mergedQty: 0, stockQty: comeQty, takenBy: [], ...more },
});
const counts = { inputQty: 60, outputQty: 40, lossQty: 5 };
const tree: Tree & { wipId: string } = {
  wipId: 'W2',
  isCut: false,
  lots: [
    lot('W1', '1', 100, {
      workOrderNo: 'WWO1',
      takenQty: 60,
      stockQty: 40,
      takenBy: [{ workOrderNo: 'BCO1', qty: 60 }],
    }),
    lot('W2', '5', 40, { parents: ['W1'], workOrderNo: 'BCO1' }),
  ],
  orders: [{ id: 3, workOrderNo: 'BCO1', module: 'icopBumpingCpWorkOrder', billStatus: '2', ...counts, said: counts }],
};
const opens = (data: object, lang: 'zh' | 'en' = 'en') =>
  openPage(<LotTreePage menuNo="icopWipList" id="7" />, { lang, answers: { [path]: data } });
const cellsOf = (name: string) =>
  within(screen.getByRole('row', { name: new RegExp(name) }))
    .getAllByRole('cell')
    .map((it) => it.textContent);

describe("the page of a lot's tree", () => {
  it('says in one sentence where the dies are, and by lot and order what came, went on, and lies there', async () => {
    const { callsTo } = await opens(tree);
    const verdict = await screen.findByText(/^All 100/);
    expect(verdict.textContent).toBe('All 100 dies are accounted for: finished 0, in stock 80, in process 15, loss 5');
    expect(callsTo(path)[0]?.input).toMatchObject({ id: '7' });
    const rows = screen.getAllByRole('row').slice(1);
    expect(rows.map((it) => it.getAttribute('aria-current'))).toEqual([null, null, 'true']);
    expect(cellsOf('LOT-W1').slice(2, 7)).toEqual(['100', '60', '', '', '40']);
    expect(cellsOf('of this lot 60').slice(1, 7)).toEqual(['In process', '60', '40', '5', '15', '']);
    expect(cellsOf('LOT-W2').slice(2, 7)).toEqual(['40', '0', '', '', '40']);
    expect(screen.getAllByTitle('Adds up')).toHaveLength(3);
    const entries = screen.getByRole('link', { name: 'Entries of W1' });
    expect(decodeURIComponent(entries.getAttribute('href') ?? '')).toBe('/icopTransactionList?filter={"wipId":"W1"}');
  });

  it('names what does not add up, with the difference', async () => {
    const [first, second] = tree.lots as [TreeLot, TreeLot];
    await opens({ ...tree, lots: [first, { ...second, stockQty: 33 }] });
    const alert = await screen.findByText(/^Of 100 dies/);
    expect(alert.textContent).toContain('Of 100 dies 7 are missing');
    expect(alert.textContent).toContain('1 row does not add up: W2');
    expect(cellsOf('LOT-W2')[7]).toBe('−7');
  });

  it('claims no sum where an order holds others as well, says that there are more lots, and speaks Chinese', async () => {
    const [order] = tree.orders;
    const more = { ...counts, inputQty: 90, outputQty: 60 };
    await opens({ ...tree, isCut: true, orders: [{ ...order, ...more, said: more }] }, 'zh');
    expect(await screen.findByText(/只按每一行核对/)).toBeTruthy();
    expect(screen.getByText('批次太多，仅显示前 500 个')).toBeTruthy();
  });

  it('says why there is nothing to see', async () => {
    await opens(refuses('notFound', 'WIP list 7 does not exist'));
    expect((await screen.findByRole('alert')).textContent).toContain('does not exist');
  });
});
