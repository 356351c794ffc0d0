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

  it('has the focus in the line that was added', async () => {
    const { user } = await opens();
    await screen.findByRole('textbox', { name: 'Customer' });
    await user.click(screen.getByRole('button', { name: 'Add line' }));
    const [, added] = screen.getAllByRole('combobox', { name: /Sales code/ });
    expect(document.activeElement).toBe(added);
  });

  it('leads a refused submit to the first field that is wrong', async () => {
    const { user } = await opens();
    await screen.findByRole('textbox', { name: 'Customer' });
    await user.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Customer' })));
  });

  it('sends no field that a publish took from the form meanwhile, and says so', async () => {
    const answers: Record<string, unknown> = {
      '/api/rmaMaintainBill/toAdd.json': form,
      '/api/rmaMaintainBill/getSaleCodeList.json': { saleCodeList: [] },
      '/api/rmaMaintainBill/create.json': { id: 1, mtbId: 'MTB1' },
    };
    const { user, asked } = await openPage(<MaintainBillCreatePage menuNo="rmaMaintainBillList" />, {
      lang: 'en',
      answers,
    });
    await user.type(await screen.findByRole('textbox', { name: 'Inbound waybill' }), 'SF1');
    await user.type(screen.getByRole('textbox', { name: 'Customer' }), 'Li');
    answers['/api/rmaMaintainBill/toAdd.json'] = { items: [field('userName', 'Customer', true)], rows: [['userName']] };
    window.dispatchEvent(new Event('offline'));
    window.dispatchEvent(new Event('online'));

    expect(await screen.findByText('Not saved, as it is no longer asked: Inbound waybill (SF1)')).toBeTruthy();
    await user.type(screen.getByRole('combobox', { name: /Sales code/ }), 'RX19');
    await user.type(screen.getByLabelText(/^Count|^Quantity/), '2');
    await user.keyboard('{Control>}{Enter}{/Control}');
    const made = () => asked.filter((it) => it.path === '/api/rmaMaintainBill/create.json');
    await waitFor(() => expect(made()).toHaveLength(1));
    expect(made()[0]?.input).toMatchObject({ userName: 'Li' });
    expect(made()[0]?.input).not.toHaveProperty('receiveShipNo');
  });
});
