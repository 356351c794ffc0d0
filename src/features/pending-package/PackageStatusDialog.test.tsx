// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { DialogProps } from '#app/parts/dialog.ts';
import { labelled, openDialog, enter } from '#app/parts/openDialog.tsx';
import { findBills, editInSiteStatus } from './contract.ts';
import PackageStatusDialog from './PackageStatusDialog.tsx';

const row = { id: 5, upbId: 'UPB1', status: '0', mtbId: null };
const Dialog = (props: DialogProps) => <PackageStatusDialog {...props} rows={[row]} />;
const bill = (mtbId: string, match: string) => ({
  ...{ mtbId, match, receiveShipNo: 'SF1', userName: '宁远矿业', billStatus: '0' },
});
const proposed = ({ search }: { search?: string }) => ({
  items: search === 'nobody' ? [] : [bill(search ? 'MTB2' : 'MTB1', search ? 'sn' : 'shipNo')],
});

async function opens() {
  const page = await openDialog(Dialog, 'rmaUnhandledPackageBill', {
    [findBills.path]: proposed,
    [editInSiteStatus.path]: { id: 5, status: '1', mtbId: 'MTB1' },
  });
  await page.user.click(screen.getByRole('combobox', { name: /状态/ }));
  await page.user.click(within(await screen.findByRole('listbox')).getByText('已匹配工单'));
  return page;
}

it('proposes the bills that the package says, and matches with the chosen one', async () => {
  const page = await opens();
  await page.user.click(await screen.findByRole('radio', { name: /MTB1.*物流单号相同/ }));
  await page.user.click(screen.getByRole('button', { name: '导出汇总' }));
  await waitFor(() => expect(page.callsTo(editInSiteStatus.path)).toHaveLength(1));
  expect(page.callsTo(editInSiteStatus.path)[0]?.input).toEqual({ id: '5', status: '1', mtbId: 'MTB1' });
});

it('finds others by what is typed, and says when there is none', async () => {
  const page = await opens();
  await enter(page, '查找工单', 'RX19A');
  expect(await screen.findByRole('radio', { name: /MTB2.*SN 在工单中/ })).toBeTruthy();
  await enter(page, '查找工单', 'nobody');
  expect(await screen.findByText('没有找到工单')).toBeTruthy();
  expect(labelled('维修工单号')).toHaveProperty('value', '');
});
