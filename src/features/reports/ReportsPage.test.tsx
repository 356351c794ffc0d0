// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { notices } from '#app/notify.ts';
import type { DialogProps } from '#app/parts/dialog.ts';
import { openPage, refuses, type Answers } from '#app/parts/openPage.tsx';
import { Notices } from '#app/shell/Notices.tsx';
import FeeDialog from './FeeDialog.tsx';
import OrderSummaryDialog from './OrderSummaryDialog.tsx';
import ReportsPage from './ReportsPage.tsx';

const BUTTONS = '/api/sysBtn/queryByMenuNo.json';
const button = (btnNo: string, btnName: string) => ({ id: btnNo, btnNo, btnName, btnScript: 'report' });

describe('the reports', () => {
  it('are those that the user has a right to, in groups, and each opens its dialog', async () => {
    const items = [
      button('exportStockStatus', '库存状态'),
      button('exportTatOvertime', '周转超期'),
      button('other', '其他'),
    ];
    const page = await openPage(<ReportsPage menuNo="rmaReportList" />, { answers: { [BUTTONS]: { items } } });
    const stock = await screen.findByRole('region', { name: '库存' });
    expect(
      within(stock)
        .getAllByRole('button')
        .map((it) => it.querySelector('span')?.textContent),
    ).toEqual(['库存状态']);
    expect(screen.getAllByRole('region').map((it) => it.querySelector('h2')?.textContent)).toEqual(['超期', '库存']);
    expect(page.of(BUTTONS)[0]?.input).toMatchObject({ menuNo: 'rmaReportList' });
    await page.user.click(screen.getByRole('button', { name: /周转超期/ }));
    expect(screen.getByRole('dialog', { name: /周转超期/ })).toBeTruthy();
    await page.user.click(screen.getByRole('button', { name: '取消' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('say so where there are none, and where they could not be asked for', async () => {
    await openPage(<ReportsPage menuNo="rmaReportList" />, { lang: 'en', answers: { [BUTTONS]: { items: [] } } });
    expect(await screen.findByText('No report is open to you')).toBeTruthy();
  });

  it('can be asked for again after a failure', async () => {
    const page = await openPage(<ReportsPage menuNo="rmaReportList" />, {
      answers: { [BUTTONS]: refuses('100013', '没有权限') },
    });
    expect((await screen.findByRole('alert')).textContent).toContain('没有权限');
    await page.user.click(within(screen.getByRole('alert')).getByRole('button'));
    await waitFor(() => expect(page.of(BUTTONS)).toHaveLength(2));
  });
});

const onDone = vi.fn();
const onClose = vi.fn();
async function openDialog(Dialog: React.ComponentType<DialogProps>, module: string, answers: Answers = {}) {
  notices.closeAll();
  onDone.mockClear();
  onClose.mockClear();
  const props = { menuNo: `${module}List`, module, rows: [], onDone, onClose } as unknown as DialogProps;
  const dialog = (
    <>
      <Dialog {...props} button={button('b', '导出汇总')} />
      <Notices />
    </>
  );
  return openPage(dialog, { answers });
}
type Page = Awaited<ReturnType<typeof openDialog>>;
const labelled = (name: string) => screen.getByLabelText(new RegExp(`^${name}`));
const type = async ({ user }: Page, name: string, value: string) => {
  await user.clear(labelled(name));
  await user.type(labelled(name), value);
};
const said = () => screen.getByRole('alert').textContent;

describe('the dialog of the order summary', () => {
  const path = '/api/icopFtWorkOrder/exportSummary.json';

  it('asks for a type, engineering at first, and sends its code [P-EXP-02]', async () => {
    vi.stubGlobal('open', vi.fn());
    const page = await openDialog(OrderSummaryDialog, 'icopFtWorkOrder', { [path]: { path: '/file/1' } });
    expect(screen.getByText('导出时间较长时，可稍后到报表下载页面下载')).toBeTruthy();
    await page.user.click(screen.getByRole('button', { name: '导出' }));
    expect(said()).toBe('必填项不为空！');
    expect(page.asked).toEqual([]);
    await type(page, '开始日期', '2026-10-01');
    await type(page, '结束日期', '2026-10-31');
    await page.user.click(screen.getByRole('button', { name: '导出' }));
    await waitFor(() => expect(page.of(path)).toHaveLength(1));
    const days = { startDate: '2026-10-01', endDate: '2026-10-31' };
    expect(page.of(path)[0]?.input).toMatchObject({ ...days, orderType: '3', kind: 'engineer' });
    for (const [label, orderType] of [
      ['Bumping 与 CP', '2'],
      ['CP', '3'],
      ['量产批', '0'],
    ] as const) {
      await page.user.click(screen.getByRole('combobox', { name: /导出类型/ }));
      await page.user.click(screen.getByRole('option', { name: label }));
      await page.user.click(screen.getByRole('button', { name: '导出' }));
      await waitFor(() => expect(page.of(path).at(-1)?.input).toMatchObject({ orderType }));
    }
  });
});

describe('the dialog of the monthly processing fee', () => {
  const path = '/api/rmaRepairFeeBill/generateMonthlyProcessingFeeBill.json';
  const generate = (page: Page) => page.user.click(screen.getByRole('button', { name: '生成' }));

  it('asks for the month and the days, and sends nothing without them [P-EXP-03] [P-EXP-12]', async () => {
    const page = await openDialog(FeeDialog, 'rmaRepairFeeBill', { [path]: { items: [] } });
    await type(page, '开始日期', '2026-10-01');
    await type(page, '结束日期', '2026-10-31');
    await generate(page);
    expect(said()).toBe('必填项不为空！');
    expect(page.asked).toEqual([]);
    await type(page, '对账月份', '2026-10');
    await generate(page);
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    expect(page.of(path)[0]?.input).toEqual({ recPeriod: '2026-10', startDate: '2026-10-01', endDate: '2026-10-31' });
    expect(onDone).toHaveBeenCalledOnce();
    expect(screen.getByText('费用单已生成')).toBeTruthy();
  });

  it('refuses more than 60 days with the alert of the specification [P-EXP-11]', async () => {
    const page = await openDialog(FeeDialog, 'rmaRepairFeeBill');
    await type(page, '对账月份', '2026-10');
    await type(page, '开始日期', '2026-08-31');
    await type(page, '结束日期', '2026-10-31');
    await generate(page);
    expect(said()).toBe('导出时间段必须在两个月内');
    expect(page.asked).toEqual([]);
  });

  it('says why it was refused and keeps what was entered', async () => {
    const page = await openDialog(FeeDialog, 'rmaRepairFeeBill', { [path]: refuses('100007', '该月费用单已存在') });
    await type(page, '对账月份', '2026-10');
    await type(page, '开始日期', '2026-10-01');
    await type(page, '结束日期', '2026-10-31');
    await generate(page);
    expect(await screen.findByText(/该月费用单已存在/)).toBeTruthy();
    expect(onClose).not.toHaveBeenCalled();
    expect(labelled('对账月份')).toHaveProperty('value', '2026-10');
  });
});
