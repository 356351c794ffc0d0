// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import { DataProviderContext } from 'ra-core';
import { describe, expect, it } from 'vitest';
import { dataProvider } from '#app/dataProvider.ts';
import { openPage, refuses } from '#app/parts/openPage.tsx';
import { currentUser } from '#app/session.ts';
import { pressAlt } from '#app/testing/keys.ts';
import { turns } from '#tests/support/turns.ts';
import FinancialReviewPage from './FinancialReviewPage.tsx';
import MoneyBillPage from './MoneyBillPage.tsx';

const record = '/api/rmaPriceBill/queryById.json';
const review = '/api/rmaPriceBill/financialReview.json';
const bill = (billStatus: string) => ({
  id: 7,
  version: 3,
  prbId: 'PRB1',
  billStatus,
  view: {
    module: 'rmaPriceBill',
    label: 'Price bill',
    fields: [{ name: 'prbId', label: 'Price bill', type: 'String' }],
  },
});
const opens = (
  page: React.ReactElement,
  billStatus = '0',
  answer: unknown = { id: 7, billStatus: '2' },
  more: object = {},
) =>
  openPage(<DataProviderContext.Provider value={dataProvider}>{page}</DataProviderContext.Provider>, {
    lang: 'en',
    answers: { [record]: bill(billStatus), [review]: answer, ...more },
  });
const toReview = <FinancialReviewPage menuNo="rmaPriceBillList" id="7" />;
const button = (name: string) => screen.queryByRole('button', { name });

describe('a bill that is opened for its review', () => {
  it('has Pass and Reject, which the same bill has not where it is opened to read [P-REV-03]', async () => {
    const first = await opens(toReview);
    expect(await screen.findByRole('button', { name: 'Pass' })).toBeTruthy();
    expect(button('Reject')).toBeTruthy();
    first.unmount();
    await opens(<MoneyBillPage menuNo="rmaPriceBillList" id="7" />);
    await screen.findByRole('list', { name: 'Progress of the bill' });
    expect([button('Pass'), button('Reject')]).toEqual([null, null]);
  });

  it('is one press from the same bill that is opened to read', async () => {
    const step = {
      id: 1,
      btnNo: 'financialReview',
      btnScript: 'financialReview',
      btnName: 'Financial review',
      rows: 1,
    };
    const items = [{ ...step, when: { billStatus: ['0'] } }];
    const { user, where } = await openPage(
      <DataProviderContext.Provider value={dataProvider}>
        <MoneyBillPage menuNo="rmaPriceBillList" id="7" />
      </DataProviderContext.Provider>,
      { lang: 'en', answers: { [record]: bill('0'), '/api/sysBtn/queryByMenuNo.json': { items } } },
    );
    await user.click(await screen.findByRole('button', { name: 'Financial review' }));
    expect(where()).toBe('/rmaPriceBillList/financialReview/7');
  });

  it('sends 2 for a pass, and goes back to the list [P-REV-02]', async () => {
    const { user, callsTo, where } = await opens(toReview);
    await user.click(await screen.findByRole('button', { name: 'Pass' }));
    await waitFor(() => expect(where()).toBe('/rmaPriceBillList'));
    expect(callsTo(review).map((it) => it.input)).toEqual([{ id: 7, version: 3, result: '2', remark: null }]);
    expect(callsTo(review)[0]?.key).toBeTruthy();
  });

  it('sends with the pass of a price what was told of it, and reads that anew once it has changed', async () => {
    const { user, callsTo } = await opens(toReview, '0', refuses('foreseenChanged', 'no price is left'), {
      [earlier]: { earlier: null, cuts: [], gaps: [], clashes: [], foreseen: 'seen' },
    });
    await screen.findByText('First price for this work');
    const before = callsTo(earlier).length;
    await user.click(await screen.findByRole('button', { name: 'Pass' }));
    expect(await screen.findByText(/no price is left/)).toBeTruthy();
    expect(callsTo(review)[0]?.input).toMatchObject({ result: '2', foreseen: 'seen' });
    await waitFor(() => expect(callsTo(earlier).length).toBeGreaterThan(before));
  });

  it('asks for a reason before it sends 1 for a no [P-REV-02]', async () => {
    const { user, callsTo } = await opens(toReview, '0', { id: 7, billStatus: '1' });
    await user.click(await screen.findByRole('button', { name: 'Reject' }));
    expect(screen.getByText('Enter the reason for rejecting it')).toBeTruthy();
    expect(callsTo(review)).toEqual([]);
    await user.type(screen.getByRole('textbox', { name: 'Review remark' }), ' too dear ');
    await user.click(screen.getByRole('button', { name: 'Reject' }));
    await waitFor(() =>
      expect(callsTo(review).map((it) => it.input)).toEqual([{ id: 7, version: 3, result: '1', remark: 'too dear' }]),
    );
  });

  it('says a refusal where it was asked for, and stays', async () => {
    const { user, where } = await opens(toReview, '0', refuses('samePerson', 'Let someone else review'));
    await user.click(await screen.findByRole('button', { name: 'Pass' }));
    expect((await screen.findByRole('alert')).textContent).toContain('Let someone else review');
    expect(where()).toBe('/here');
  });

  it('has no decision for whoever changed it, and says why and when', async () => {
    const words = { people: {}, words: [], changedAt: Date.UTC(2026, 10, 24, 4, 30) };
    await opens(toReview, '0', undefined, { '/api/rmaPriceBill/reviewWords.json': words });
    const told = 'You changed this bill, its lines or its papers on 2026-11-24 ';
    expect((await screen.findByText((it) => it.startsWith(told))).textContent).toContain(
      'somebody else has to review it',
    );
    expect([button('Pass'), button('Reject')]).toEqual([null, null]);
  });

  it('that has changed since is refused with the old figure beside the new, keeps what was typed, and passes once it was looked at again', async () => {
    const fields = [
      { name: 'prbId', label: 'Price bill', type: 'String' },
      { name: 'supplierName', label: 'Supplier', type: 'select' },
      { name: 'unitPriceWithTax', label: 'Price with tax', type: 'BigDecimal' },
    ];
    const suppliers: Record<string, string> = { S1: 'Acme', S2: 'Bolt' };
    const at = (version: number, unitPriceWithTax: string, supplierName: string) => ({
      ...{
        ...bill('0'),
        version,
        unitPriceWithTax,
        supplierName,
        currency: 'CNY',
        updateBy: 'office',
        updateTime: 1_795_000_000_000,
      },
      view: { ...bill('0').view, fields, labels: { supplierName: { [supplierName]: suppliers[supplierName] } } },
    });
    let now = at(3, '100.00', 'S1');
    const judged = (input: Record<string, unknown>) =>
      input['version'] === now.version ? { id: 7, billStatus: '2' } : refuses('stale', 'Somebody else has changed it');
    const { user, callsTo, where } = await openPage(
      <DataProviderContext.Provider value={dataProvider}>{toReview}</DataProviderContext.Provider>,
      { lang: 'en', answers: { [record]: () => now, [review]: judged } },
    );
    await user.type(await screen.findByRole('textbox', { name: 'Review remark' }), 'as agreed');
    now = at(4, '9999.00', 'S2');
    await user.click(screen.getByRole('button', { name: 'Pass' }));
    const changes = within(await screen.findByRole('table', { name: /changed after you had opened it/ }));
    expect(changes.getAllByRole('cell').map((it) => it.textContent)).toEqual([
      ...['Supplier', 'Acme', 'Bolt'],
      ...['Price with tax', '¥100.00', '¥9,999.00'],
    ]);
    expect(where()).toBe('/here');
    await user.click(screen.getByRole('button', { name: 'Pass' }));
    await waitFor(() => expect(callsTo(review)).toHaveLength(2));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Pass' })).toHaveProperty('disabled', false));
    await user.click(await screen.findByRole('button', { name: 'Look again' }));
    await waitFor(() => expect(screen.queryByRole('table', { name: /changed after/ })).toBeNull());
    expect(await screen.findAllByText(/9,999\.00/)).not.toHaveLength(0);
    await user.click(screen.getByRole('button', { name: 'Pass' }));
    await waitFor(() => expect(where()).toBe('/rmaPriceBillList'));
    const word = { id: 7, result: '2', remark: 'as agreed' };
    expect(callsTo(review).map((it) => it.input)).toEqual([3, 3, 4].map((version) => ({ ...word, version })));
  });

  it('has the shape of a record and no buttons until it is read', async () => {
    let answer: (it: object) => void = () => undefined;
    await openPage(<DataProviderContext.Provider value={dataProvider}>{toReview}</DataProviderContext.Provider>, {
      lang: 'en',
      answers: { [record]: () => new Promise((done) => (answer = done)) },
    });
    expect(await screen.findByRole('status', { name: 'Reading the record' })).toBeTruthy();
    expect([button('Pass'), button('Reject')]).toEqual([null, null]);
    answer(bill('0'));
    expect(await screen.findByRole('button', { name: 'Pass' })).toBeTruthy();
    expect(screen.queryByRole('status', { name: 'Reading the record' })).toBeNull();
  });

  it('can only be read while it is not waiting for this review', async () => {
    await opens(toReview, '2');
    expect(await screen.findByText(/is not waiting for this review/)).toBeTruthy();
    expect([button('Pass'), button('Reject')]).toEqual([null, null]);
  });
});

const feeRecord = '/api/rmaRepairFeeBill/queryById.json';
const feeReview = '/api/rmaRepairFeeBill/financialReview.json';
const feeWords = '/api/rmaRepairFeeBill/reviewWords.json';
const place = '/api/workQueue/place.json';
const money = (name: string, label: string) => ({ name, label, type: 'BigDecimal', align: 'right' });
const text = (name: string, label: string) => ({ name, label, type: 'String' });
const line = (id: number, more: object = {}) => ({
  ...{ id, sn: `SN${id}`, rfbId: 'RFB1', salesCode: 'RX21', repairProject: '1', currency: 'CNY', isPriced: '1' },
  ...{ isSecondRepair: '0', unitPrice: '360.000000', includingTaxAmount: '360.000000', ...more },
});
const fee = {
  ...{
    id: 8,
    version: 3,
    rfbId: 'RFB1',
    billStatus: '3',
    siteId: 'SZ',
    currency: 'CNY',
    includingTaxAmount: '11893.000000',
  },
  ...{
    excludingTaxAmount: '10524.690000',
    taxAmount: '1368.310000',
    createBy: 'office',
    createTime: 1_795_000_000_000,
  },
  ...{ afterSalesReviewBy: 'anna', afterSalesReviewTime: 1_795_100_000_000, invoiceUrls: '/file/a.png##/file/b.pdf' },
  rmaRepairFeeBillLineList: [line(1), line(2), line(3, { unitPrice: '420.000000' }), line(4, { isPriced: '0' })],
  view: {
    module: 'rmaRepairFeeBill',
    label: 'Repair-fee bills',
    fields: [
      ...[text('rfbId', 'Bill'), text('siteId', 'Site'), money('includingTaxAmount', 'Amount incl. tax')],
      ...[money('excludingTaxAmount', 'Excl. tax'), money('taxAmount', 'Tax'), text('afterSalesReviewBy', 'Reviewer')],
      { ...text('invoiceUrls', 'Invoices'), format: 'files' },
    ],
    lines: {
      rmaRepairFeeBillLineList: {
        label: 'Lines',
        columns: [
          ...[text('sn', 'SN'), text('rfbId', 'Bill'), text('salesCode', 'Sales code')],
          ...[money('unitPrice', 'Unit price'), money('includingTaxAmount', 'Amount')],
        ],
      },
    },
    labels: { siteId: { SZ: 'Shenzhen' } },
  },
};
const said = { action: 'afterSalesReview', userId: 'anna', at: 1, result: '2', remark: 'as agreed' };
const opensFee = (more: object = {}, answers: object = {}) =>
  openPage(
    <DataProviderContext.Provider value={dataProvider}>
      <FinancialReviewPage menuNo="rmaRepairFeeBillList" id="8" />
    </DataProviderContext.Provider>,
    {
      lang: 'en',
      answers: {
        [feeRecord]: { ...fee, ...more },
        [feeReview]: { id: 8, billStatus: '4' },
        [feeWords]: { people: { office: 'Zhou Min', anna: 'Anna Liu' }, words: [said] },
        [place]: { count: 7, position: 3, next: 9 },
        ...answers,
      },
    },
  );

describe('a line', () => {
  it('leads from why it costs what it does to the whole answer, for who may ask', async () => {
    const why = { id: 1, btnNo: 'whyPrice', btnName: 'Why this price', btnScript: 'whyPrice', rows: 1 };
    const columns = [...fee.view.lines.rmaRepairFeeBillLineList.columns, text('priceReason', 'Basis')];
    const more = {
      rmaRepairFeeBillLineList: [line(1, { priceReason: 'by its price bill' })],
      view: { ...fee.view, lines: { rmaRepairFeeBillLineList: { label: 'Lines', columns } } },
    };
    const first = await opensFee(more, { '/api/sysBtn/queryByMenuNo.json': { items: [] } });
    await screen.findByText('by its price bill');
    expect(button('by its price bill')).toBeNull();
    first.unmount();
    const { user, callsTo } = await opensFee(more, {
      '/api/sysBtn/queryByMenuNo.json': { items: [why] },
      '/api/rmaRepairFeeBillLine/whyPrice.json': refuses('notFound', 'no such line'),
    });
    await user.click(await screen.findByRole('button', { name: 'by its price bill' }));
    expect(await screen.findByText(/no such line/)).toBeTruthy();
    expect(callsTo('/api/rmaRepairFeeBillLine/whyPrice.json')[0]?.input).toMatchObject({ id: '1' });
  });
});

const earlier = '/api/rmaPriceBill/earlierPrice.json';
const opensPrice = (
  before: object | null,
  more: object = {},
  cuts: object[] = [],
  gaps: object[] = [],
  clashes: object[] = [],
) => {
  const { view, ...rest } = bill('0');
  const fields = [...view.fields, money('unitPriceWithTax', 'Unit price incl. tax')];
  const price = { ...rest, unitPriceWithTax: '112.000000', currency: 'CNY', ...more, view: { ...view, fields } };
  return openPage(
    <DataProviderContext.Provider value={dataProvider}>
      <MoneyBillPage menuNo="rmaPriceBillList" id="7" />
    </DataProviderContext.Provider>,
    { lang: 'en', answers: { [record]: price, [earlier]: { earlier: before, cuts, gaps, clashes, foreseen: '' } } },
  );
};

describe('a price', () => {
  it('stands beside what the same work cost before, marked where it moved by more than a tenth', async () => {
    const first = await opensPrice({ prbId: 'PRB0', unitPriceWithTax: '100.000000' });
    expect(await screen.findByText(/^Previous: ¥100.00 \(\+12 %\)$/)).toBeTruthy();
    expect(screen.getByText('unusual')).toBeTruthy();
    first.unmount();
    const second = await opensPrice({ prbId: 'PRB0', unitPriceWithTax: '115.000000' });
    expect(await screen.findByText(/^Previous: ¥115.00 \(−2.6 %\)$/)).toBeTruthy();
    expect(screen.queryByText('unusual')).toBeNull();
    second.unmount();
    await opensPrice(null);
    expect(await screen.findByText('First price for this work')).toBeTruthy();
  });

  it('says before it passes which price it ends, on which day, and which days are left without one', async () => {
    const cut = { prbId: 'PRB0', expirationDate: '2026-12-31', until: '2026-06-30' };
    const gap = { from: '2026-08-01', until: '2026-12-31' };
    const clash = { prbId: 'PRB5', supplierName: 'Bolt', currency: 'USD', from: '2026-09-01', until: '2026-12-31' };
    await opensPrice({ prbId: 'PRB0', unitPriceWithTax: '110.000000' }, {}, [cut], [gap], [clash]);
    expect(
      await screen.findByText(/^From 2026-09-01 to 2026-12-31 PRB5 of Bolt in USD holds for the same work/),
    ).toBeTruthy();
    expect(await screen.findByText(/^From 2026-08-01 to 2026-12-31 no price for this work is left/)).toBeTruthy();
    expect(await screen.findByText('Passing ends PRB0 on 2026-06-30 instead of 2026-12-31')).toBeTruthy();
  });

  it('that was voided says so at the end of its way', async () => {
    await opensPrice(null, { billStatus: '3', financialReviewer: 'finance', updateBy: 'anna' });
    const steps = within(await screen.findByRole('list', { name: 'Progress of the bill' })).getAllByRole('listitem');
    expect(steps.map((it) => it.textContent)).toEqual(['Created', 'Financial review', 'Voided']);
  });
});

describe('a review is a decision', () => {
  it('about an amount in its own currency, with what it is made of', async () => {
    await opensFee();
    expect(await screen.findByText('¥11,893.00')).toBeTruthy();
    expect(screen.getByText('Excl. tax ¥10,524.69 · Tax ¥1,368.31')).toBeTruthy();
    expect(screen.queryByText(/\$/)).toBeNull();
    expect(screen.queryByText('Reviewer')).toBeNull();
  });

  it('on a way of steps: who said what, and what comes next', async () => {
    await opensFee();
    await screen.findByText('Anna Liu');
    const steps = within(screen.getByRole('list', { name: 'Progress of the bill' })).getAllByRole('listitem');
    expect(steps.map((it) => /^[A-Z][a-z-]+( [a-z]+)?/.exec(it.textContent ?? '')?.[0])).toEqual([
      ...['Created', 'After-sales review', 'Financial review', 'Invoices', 'Financial audit'],
    ]);
    expect(steps[0]?.textContent).toContain('Zhou Min');
    expect(steps[1]?.textContent).toContain('“as agreed”');
    expect(steps.map((it) => it.getAttribute('aria-current'))).toEqual([null, null, 'step', null, null]);
    expect(steps[2]?.textContent).toContain('Waiting for you');
  });

  it('over its lines: which each is before its prices, what is unusual in front and in words', async () => {
    const { user } = await opensFee();
    const table = await screen.findByRole('table', { name: 'Lines' });
    expect(
      within(table)
        .getAllByRole('columnheader')
        .map((it) => it.textContent),
    ).toEqual(['SN', 'Sales code', 'Amount', 'Unit price', 'Unusual']);
    const rows = () =>
      within(table)
        .getAllByRole('row')
        .slice(1)
        .map((row) => {
          const cells = within(row).getAllByRole('cell');
          return [cells[0], cells[3], cells[4]].map((it) => it?.textContent);
        });
    expect(rows()).toEqual([
      ['SN3', '¥420.00', 'usually ¥360.00'],
      ['SN4', '¥360.00', 'no price'],
      ['SN1', '¥360.00', ''],
      ['SN2', '¥360.00', ''],
    ]);
    expect(screen.getByText('2 unusual lines')).toBeTruthy();
    await user.click(screen.getByRole('switch', { name: 'Unusual only' }));
    expect(rows()).toHaveLength(2);
  });

  it('with its papers beside it, each offered by itself [S-REV-05]', async () => {
    await opensFee();
    const papers = within(await screen.findByRole('region', { name: 'Documents' }));
    expect(papers.getByRole('button', { name: 'Photo 1' })).toBeTruthy();
    expect(papers.getByRole('link', { name: /Invoices 2/ }).getAttribute('href')).toBe('/file/b.pdf?lang=en');
  });

  describe('beside the sums of its projects', () => {
    const sums = '/api/rmaRepairFeeBill/projectSums.json';
    const options = [
      { value: '1', optionName: 'Whole device' },
      { value: '6', optionName: 'Scrap check' },
    ];
    const project = { ...text('repairProject', 'Repair project'), type: 'select', options };
    const columns = [project, ...fee.view.lines.rmaRepairFeeBillLineList.columns];
    const more = { view: { ...fee.view, lines: { rmaRepairFeeBillLineList: { label: 'Lines', columns } } } };
    const answer = {
      projects: [
        { repairProject: '1', units: 31, includingTaxAmount: '11760.100000' },
        { repairProject: '6', units: 2, includingTaxAmount: '26.900000' },
      ],
      expenses: { units: 0, includingTaxAmount: '106.000000' },
      total: { units: 33, includingTaxAmount: '11893.000000' },
    };
    const cellsOf = (table: HTMLElement) =>
      within(table)
        .getAllByRole('row')
        .map((row) => [...row.children].map((it) => it.textContent));

    it('as the server adds them up, in the currency of the bill, the last line being the bill', async () => {
      const { callsTo } = await opensFee(more, { [sums]: answer });
      expect(cellsOf(await screen.findByRole('table', { name: 'By project' }))).toEqual([
        ['Repair project', 'Units', 'Amount'],
        ['Whole device', '31', '¥11,760.10'],
        ['Scrap check', '2', '¥26.90'],
        ['Expenses', '–', '¥106.00'],
        ['Total', '33', '¥11,893.00'],
      ]);
      expect(callsTo(sums)[0]?.input).toMatchObject({ id: '8' });
    });

    it('where it is only read as well, without expenses where there are none', async () => {
      await openPage(
        <DataProviderContext.Provider value={dataProvider}>
          <MoneyBillPage menuNo="rmaRepairFeeBillList" id="8" />
        </DataProviderContext.Provider>,
        { lang: 'zh', answers: { [feeRecord]: { ...fee, ...more }, [sums]: { ...answer, expenses: null } } },
      );
      const rows = cellsOf(await screen.findByRole('table', { name: '按维修项目汇总' }));
      expect(rows.map((it) => it[0])).toEqual(['Repair project', 'Whole device', 'Scrap check', '合计']);
    });

    it('or with a word that there is nothing to add up, or why it could not be', async () => {
      const none = { projects: [], expenses: null, total: { units: 0, includingTaxAmount: '0' } };
      const first = await opensFee(more, { [sums]: none });
      expect(await screen.findByText('No lines to add up')).toBeTruthy();
      first.unmount();
      await opensFee(more, { [sums]: refuses('notFound', 'no such bill') });
      expect((await screen.findByRole('alert')).textContent).toContain('no such bill');
      expect(screen.getByRole('button', { name: 'Pass' })).toBeTruthy();
    });
  });

  it('that keys make: pass leads on to the next that waits for me', async () => {
    const { user, callsTo, where } = await opensFee();
    expect(await screen.findByText('3 of 7')).toBeTruthy();
    expect(callsTo(place)[0]?.input).toMatchObject({ name: 'rmaRepairFeeBill:financialReview', id: '8' });
    await user.keyboard('{Alt>}p{/Alt}');
    await waitFor(() => expect(where()).toBe('/rmaRepairFeeBillList/financialReview/9'));
    expect(callsTo(feeReview).map((it) => it.input)).toEqual([{ id: 8, version: 3, result: '2', remark: null }]);
  });

  it('that keys make: not pass asks for its reason first, from wherever one is', async () => {
    const { user, callsTo, where } = await opensFee();
    await screen.findByText('3 of 7');
    await user.keyboard('{Alt>}n{/Alt}');
    const field = screen.getByRole('textbox', { name: 'Review remark' });
    await waitFor(() => expect(document.activeElement).toBe(field));
    expect(screen.getByText('Enter the reason for rejecting it')).toBeTruthy();
    await user.keyboard('too dear');
    pressAlt('n');
    await waitFor(() => expect(where()).toBe('/rmaRepairFeeBillList/financialReview/9'));
    expect(callsTo(feeReview).map((it) => it.input)).toEqual([{ id: 8, version: 3, result: '1', remark: 'too dear' }]);
  });

  it('that can wait: the next one opens without a word on this', async () => {
    const { user, callsTo, where } = await opensFee();
    await screen.findByText('3 of 7');
    await user.keyboard('{Alt>}{ArrowRight}{/Alt}');
    await waitFor(() => expect(where()).toBe('/rmaRepairFeeBillList/financialReview/9'));
    expect(callsTo(feeReview)).toEqual([]);
  });

  it('that no burst of a scanner makes', async () => {
    const { user, callsTo } = await opensFee();
    await screen.findByText('3 of 7');
    await user.keyboard('RX{Alt>}p{/Alt}21{Alt>}n{/Alt}{Enter}');
    await turns();
    expect(callsTo(feeReview)).toEqual([]);
    expect(screen.queryByText('Enter the reason for rejecting it')).toBeNull();
  });

  it('that is not mine, if I judged the bill before', async () => {
    const mine = () => ({ ...fee, afterSalesReviewBy: currentUser.get()?.userId });
    const { user, callsTo } = await opensFee({}, { [feeRecord]: mine });
    expect(await screen.findByText(/somebody else has to review it/)).toBeTruthy();
    expect([button('Pass'), button('Reject')]).toEqual([null, null]);
    await user.keyboard('{Alt>}p{/Alt}');
    await turns();
    expect(callsTo(feeReview)).toEqual([]);
  });
});

it('a correction under review says what else corrects its lines, and is judged beside that', async () => {
  const crb = {
    ...{ id: 4, version: 2, crbId: 'CRB2', billStatus: '0', currency: 'CNY', includingTaxAmount: '-10' },
    rmaCorrectionBillLineList: [{ id: 9, lineId: 1, sn: 'A1', includingTaxAmount: '-10', currency: 'CNY' }],
    view: {
      module: 'rmaCorrectionBill',
      label: 'Correction bill',
      fields: [{ name: 'crbId', label: 'Correction bill', type: 'String' }],
      lines: {
        rmaCorrectionBillLineList: {
          label: 'Lines',
          columns: [
            { name: 'sn', label: 'SN', type: 'String', format: 'code' },
            { name: 'includingTaxAmount', label: 'Amount incl. tax', type: 'BigDecimal' },
          ],
        },
      },
    },
  };
  const others = [{ lineId: 1, crbId: 'CRB1', billStatus: '3', amount: '-13.000000' }];
  const [told, judged] = [
    '/api/rmaCorrectionBill/otherCorrections.json',
    '/api/rmaCorrectionBill/financialReview.json',
  ];
  const { user, callsTo } = await openPage(
    <DataProviderContext.Provider value={dataProvider}>
      <FinancialReviewPage menuNo="rmaCorrectionBillList" id="4" />
    </DataProviderContext.Provider>,
    {
      lang: 'en',
      answers: {
        '/api/rmaCorrectionBill/queryById.json': crb,
        [told]: { others, foreseen: 'mark' },
        [judged]: refuses('othersChanged', 'Then: CRB1; by now: nothing'),
      },
    },
  );
  expect(await screen.findByText('also corrected')).toBeTruthy();
  expect(screen.getByText('CRB1: -¥13.00 · Settled')).toBeTruthy();
  const before = callsTo(told).length;
  await user.click(screen.getByRole('button', { name: 'Pass' }));
  expect(await screen.findByText(/Then: CRB1; by now: nothing/)).toBeTruthy();
  expect(callsTo(judged)[0]?.input).toMatchObject({ result: '2', version: 2, foreseen: 'mark' });
  await waitFor(() => expect(callsTo(told).length).toBeGreaterThan(before));
});
