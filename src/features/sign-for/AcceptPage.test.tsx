// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openPage, refuses, type Answers } from '#app/parts/openPage.tsx';
import AcceptPage from './AcceptPage.tsx';

const paths = { record: '/api/rmaArrivalBill/queryById.json', accept: '/api/rmaArrivalBill/accept.json' };
const arrival = {
  id: 7,
  abId: 'ABL1',
  receiveShipNo: 'SF1',
  receivePackageCount: 2,
  remark: '',
  status: '0',
  mtbId: null,
};
const opens = (more: Answers = {}) =>
  openPage(<AcceptPage menuNo="rmaArrivalBillList" id="7" />, {
    lang: 'en',
    answers: {
      [paths.record]: arrival,
      [paths.accept]: { id: 7, status: '1', mtbId: null, billStatus: null },
      ...more,
    },
  });
const button = () => screen.getByRole('button', { name: 'Accept' });

describe('accepting a parcel', () => {
  it('shows the parcel, accepts it by its id and returns to the list [W-SGN-07]', async () => {
    const { user, callsTo, where } = await opens();
    expect(await screen.findByText('SF1')).toBeTruthy();
    await user.click(button());
    await waitFor(() => expect(where()).toBe('/rmaArrivalBillList'));
    expect(callsTo(paths.accept).map((it) => it.input)).toEqual([{ id: 7 }]);
  });

  it('offers nothing for a parcel that was accepted before', async () => {
    await opens({ [paths.record]: { ...arrival, status: '1' } });
    expect(await screen.findByText('This parcel has been accepted already')).toBeTruthy();
    expect(button()).toHaveProperty('disabled', true);
  });

  it('stays and says why when the server refuses [W-COM-11]', async () => {
    const { user, where } = await opens({ [paths.accept]: refuses('billFinished', 'Bill MTB1 is finished') });
    await screen.findByText('SF1');
    await user.click(button());
    expect(await screen.findByText('Bill MTB1 is finished')).toBeTruthy();
    expect(where()).toBe('/here');
    expect(button()).toHaveProperty('disabled', false);
  });
});
