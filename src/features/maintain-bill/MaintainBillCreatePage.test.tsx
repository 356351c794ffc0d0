// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openPage } from '#app/parts/openPage.tsx';
import MaintainBillCreatePage from './MaintainBillCreatePage.tsx';

const field = (queryName: string, name: string, required: boolean) => ({
  ...{ queryName, name, type: 'String', required, value: null },
});
const form = {
  items: [field('receiveShipNo', 'Inbound waybill', false), field('userName', 'Customer', true)],
  rows: [['receiveShipNo', 'userName']],
};
const opens = () =>
  openPage(<MaintainBillCreatePage menuNo="rmaMaintainBillList" />, {
    lang: 'en',
    answers: {
      '/api/rmaMaintainBill/toAdd.json': form,
      '/api/rmaMaintainBill/getSaleCodeList.json': { saleCodeList: [] },
    },
  });

describe('the making of a maintain bill', () => {
  it('opens with the focus on its first field', async () => {
    await opens();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Inbound waybill' })));
  });

  it('leads a refused submit to the first field that is wrong', async () => {
    const { user } = await opens();
    await screen.findByRole('textbox', { name: 'Customer' });
    await user.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Customer' })));
  });
});
