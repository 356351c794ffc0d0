// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import { DataProviderContext } from 'ra-core';
import { describe, expect, it } from 'vitest';
import { dataProvider } from '#app/dataProvider.ts';
import DetailPage from '#app/engine/DetailPage.tsx';
import { openPage, refuses } from '#app/parts/openPage.tsx';
import FinancialReviewPage from './FinancialReviewPage.tsx';

const record = '/api/rmaPriceBill/queryById.json';
const review = '/api/rmaPriceBill/financialReview.json';
const bill = (billStatus: string) => ({
  id: 7,
  prbId: 'PRB1',
  billStatus,
  view: {
    module: 'rmaPriceBill',
    label: 'Price bill',
    fields: [{ name: 'prbId', label: 'Price bill', type: 'String' }],
  },
});
const opens = (page: React.ReactElement, billStatus = '0', answer: unknown = { id: 7, billStatus: '2' }) =>
  openPage(<DataProviderContext.Provider value={dataProvider}>{page}</DataProviderContext.Provider>, {
    lang: 'en',
    answers: { [record]: bill(billStatus), [review]: answer },
  });
const toReview = <FinancialReviewPage menuNo="rmaPriceBillList" id="7" />;
const button = (name: string) => screen.queryByRole('button', { name });

describe('a bill that is opened for its review', () => {
  it('has Pass and Not pass, which the same bill has not where it is opened to read [P-REV-03]', async () => {
    const first = await opens(toReview);
    expect(await screen.findByRole('button', { name: 'Pass' })).toBeTruthy();
    expect(button('Not pass')).toBeTruthy();
    first.unmount();
    await opens(<DetailPage menuNo="rmaPriceBillList" id="7" />);
    await screen.findByRole('heading', { name: /Price bill/ });
    expect([button('Pass'), button('Not pass')]).toEqual([null, null]);
  });

  it('sends 2 for a pass, and goes back to the list [P-REV-02]', async () => {
    const { user, callsTo, where } = await opens(toReview);
    await user.click(await screen.findByRole('button', { name: 'Pass' }));
    await waitFor(() => expect(where()).toBe('/rmaPriceBillList'));
    expect(callsTo(review).map((it) => it.input)).toEqual([{ id: 7, result: '2', remark: null }]);
    expect(callsTo(review)[0]?.key).toBeTruthy();
  });

  it('asks for a reason before it sends 1 for a no [P-REV-02]', async () => {
    const { user, callsTo } = await opens(toReview, '0', { id: 7, billStatus: '1' });
    await user.click(await screen.findByRole('button', { name: 'Not pass' }));
    expect(screen.getByText('Say why it does not pass')).toBeTruthy();
    expect(callsTo(review)).toEqual([]);
    await user.type(screen.getByRole('textbox', { name: 'Review remark' }), ' too dear ');
    await user.click(screen.getByRole('button', { name: 'Not pass' }));
    await waitFor(() =>
      expect(callsTo(review).map((it) => it.input)).toEqual([{ id: 7, result: '1', remark: 'too dear' }]),
    );
  });

  it('says a refusal where it was asked for, and stays', async () => {
    const { user, where } = await opens(toReview, '0', refuses('samePerson', 'Let someone else review'));
    await user.click(await screen.findByRole('button', { name: 'Pass' }));
    expect((await screen.findByRole('alert')).textContent).toContain('Let someone else review');
    expect(where()).toBe('/here');
  });

  it('can only be read while it does not wait for this review', async () => {
    await opens(toReview, '2');
    expect(await screen.findByText(/does not wait for this review/)).toBeTruthy();
    expect([button('Pass'), button('Not pass')]).toEqual([null, null]);
  });
});
