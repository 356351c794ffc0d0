// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { dayFromSql } from '#domain/day.ts';
import { workshopZone } from '#app/fields/format.ts';
import { enter, labelled, openDialog, said, type OpenedDialog } from '#app/parts/openDialog.tsx';
import { refuses } from '#app/parts/openPage.tsx';
import { currentUser, type UserState } from '#app/session.ts';
import FeeDialog from './FeeDialog.tsx';

describe('the dialog of the monthly processing fee', () => {
  const path = '/api/rmaRepairFeeBill/generateMonthlyProcessingFeeBill.json';
  const generate = (page: OpenedDialog) => page.user.click(screen.getByRole('button', { name: '生成' }));

  it('asks for the month and the days, and sends nothing without them [P-EXP-03] [P-EXP-12]', async () => {
    const page = await openDialog(FeeDialog, 'rmaRepairFeeBill', { [path]: { items: [], late: [], unbilled: null } });
    expect(screen.queryByText(/报表下载/)).toBeNull();
    await enter(page, '开始日期', '2026-10-01');
    await enter(page, '结束日期', '2026-10-31');
    await generate(page);
    expect(said()).toBe('必填项不为空！');
    expect(page.asked).toEqual([]);
    await enter(page, '对账月份', '2026-10');
    await generate(page);
    await waitFor(() => expect(page.onClose).toHaveBeenCalledOnce());
    expect(page.callsTo(path)[0]?.input).toEqual({
      recPeriod: '2026-10',
      startDate: '2026-10-01',
      endDate: '2026-10-31',
    });
    expect(page.onDone).toHaveBeenCalledOnce();
    expect(screen.getByText('费用单已生成')).toBeTruthy();
  });

  it('says what came too late for a bill that stands', async () => {
    const late = [{ rfbId: 'RFB7', lineCount: 2 }];
    const page = await openDialog(FeeDialog, 'rmaRepairFeeBill', { [path]: { items: [], late, unbilled: null } });
    await enter(page, '对账月份', '2026-10');
    await enter(page, '开始日期', '2026-10-01');
    await enter(page, '结束日期', '2026-10-31');
    await generate(page);
    expect(await screen.findByText(/有 2 行晚于.*RFB7/)).toBeTruthy();
  });

  it('says which units of a settled month stand on no bill, before and after', async () => {
    const unbilled = { count: 3, from: '2026-09-30', sns: ['A1', 'A2'] };
    const looked = '/api/rmaRepairFeeBill/unpricedUnits.json';
    const answers = { [looked]: { total: 0, items: [], unbilled }, [path]: { items: [], late: [], unbilled } };
    const page = await openDialog(FeeDialog, 'rmaRepairFeeBill', answers);
    await enter(page, '对账月份', '2026-10');
    await enter(page, '开始日期', '2026-10-01');
    await enter(page, '结束日期', '2026-10-31');
    await page.user.click(screen.getByRole('button', { name: '缺价检查' }));
    const told = /有 3 台机器自 2026-09-30 起.*A1, A2, ….*起始日期为 2026-09-30/;
    expect(await screen.findByText(told)).toBeTruthy();
    await generate(page);
    expect(await screen.findByText(new RegExp(`费用单已生成.*${told.source}`))).toBeTruthy();
  });

  it('says where it is decided that the last day is not over', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-10-31T04:00:00Z') });
    onTestFinished(() => void vi.useRealTimers());
    const page = await openDialog(FeeDialog, 'rmaRepairFeeBill');
    await enter(page, '对账月份', '2026-10');
    await enter(page, '开始日期', '2026-10-01');
    await enter(page, '结束日期', '2026-10-30');
    expect(screen.queryByText(/尚未结束/)).toBeNull();
    await enter(page, '结束日期', '2026-10-31');
    expect(await screen.findByText(/2026-10-31 尚未结束（今天是 2026-10-31）/)).toBeTruthy();
    expect(page.asked).toEqual([]);
  });

  it.each([
    ['2026-12-01', '2026-12-01', '2026-12-01', '请在 2026-12-01 结束后再结算'],
    ['2026-12-01', '2026-12-01', '2026-12-31', '请在 2026-12-31 结束后再结算'],
    ['2026-12-10', '2026-12-01', '2026-12-31', '请在 2026-12-31 结束后再结算'],
    ['2026-12-10', '2026-12-10', '2026-12-10', '请在 2026-12-10 结束后再结算'],
    ['2026-12-10', '2026-12-01', '2026-12-10', '请在 2026-12-10 结束后再结算，或把结束日期改为 2026-12-09'],
  ])('on %s advises for %s to %s only what can be done', async (today, startDate, endDate, advice) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(`${today}T04:00:00Z`) });
    onTestFinished(() => void vi.useRealTimers());
    const page = await openDialog(FeeDialog, 'rmaRepairFeeBill');
    await enter(page, '对账月份', '2026-12');
    await enter(page, '开始日期', startDate);
    await enter(page, '结束日期', endDate);
    const told = await screen.findByText(/尚未结束/);
    expect(told.textContent.endsWith(`不在本次费用单上，下次结算时会列出。${advice}`), told.textContent).toBe(true);
  });

  it('says nothing of it of days that are over, and refuses a last day of another month', async () => {
    const page = await openDialog(FeeDialog, 'rmaRepairFeeBill');
    await enter(page, '对账月份', '2025-10');
    await enter(page, '开始日期', '2025-10-01');
    await enter(page, '结束日期', '2025-10-31');
    expect(screen.queryByText(/尚未结束/)).toBeNull();
    await enter(page, '结束日期', '2025-11-01');
    await generate(page);
    expect(said()).toMatch(/2025-11-01.*2025-10/);
    expect(page.asked).toEqual([]);
  });

  it('refuses a month that has not begun', async () => {
    const page = await openDialog(FeeDialog, 'rmaRepairFeeBill');
    await enter(page, '对账月份', '2999-01');
    await enter(page, '开始日期', '2999-01-01');
    await enter(page, '结束日期', '2999-01-02');
    await generate(page);
    expect(said()).toBe('2999-01 尚未开始；请选择本月或更早的月份');
    expect(page.asked).toEqual([]);
  });

  it('refuses more than 60 days with the alert of the specification [P-EXP-11]', async () => {
    const page = await openDialog(FeeDialog, 'rmaRepairFeeBill');
    await enter(page, '对账月份', '2026-10');
    await enter(page, '开始日期', '2026-08-31');
    await enter(page, '结束日期', '2026-10-31');
    await generate(page);
    expect(said()).toBe('导出时间段必须在两个月内');
    expect(page.asked).toEqual([]);
  });

  it('says why it was refused and keeps what was entered', async () => {
    const page = await openDialog(FeeDialog, 'rmaRepairFeeBill', {
      [path]: refuses('alreadyExists', '该月费用单已存在'),
    });
    await enter(page, '对账月份', '2026-10');
    await enter(page, '开始日期', '2026-10-01');
    await enter(page, '结束日期', '2026-10-31');
    await generate(page);
    expect(await screen.findByText(/该月费用单已存在/)).toBeTruthy();
    expect(page.onClose).not.toHaveBeenCalled();
    expect(labelled('对账月份')).toHaveProperty('value', '2026-10');
  });

  it('shows the units that will find no price, and leads to the price that is missing', async () => {
    const unit = {
      ...{ sn: 'RX19A1', mtbId: 'MTB1', siteId: 'SZ', siteName: '深圳', machineType: 'RX-19', repairProject: '1' },
      ...{ warranty: '1', repairType: '2', day: '2026-10-05', reason: 'expired', prbId: 'PRB7' },
    };
    const items = [unit, { ...unit, sn: 'RX19A2', siteId: 'NB', siteName: '宁波' }];
    const looked = '/api/rmaRepairFeeBill/unpricedUnits.json';
    const page = await openDialog(FeeDialog, 'rmaRepairFeeBill', { [looked]: { total: 300, items, unbilled: null } });
    currentUser.set({ ...currentUser.get(), siteId: 'SZ', access: ['rmaPriceBill:create'] } as UserState);
    const look = () => page.user.click(screen.getByRole('button', { name: '缺价检查' }));
    await look();
    expect(said()).toBe('必填项不为空！');
    await enter(page, '对账月份', '2026-10');
    await enter(page, '开始日期', '2026-10-01');
    await enter(page, '结束日期', '2026-10-31');
    await look();
    const table = await screen.findByRole('table', { name: '缺价设备' });
    expect(screen.getByText('300 台设备没有价格，以下为前 2 台')).toBeTruthy();
    expect(within(table).getAllByText('价格已过期')).toHaveLength(2);
    // A price is made at one's own site.
    const links = within(table).getAllByRole('link', { name: '新建价格' });
    const [address, ...others] = links.map((it) => new URL(String(it.getAttribute('href')), 'http://here'));
    expect([address?.pathname, ...others]).toEqual(['/rmaPriceBillList/create']);
    expect(JSON.parse(String(address?.searchParams.get('given')))).toEqual({
      ...{ machineType: 'RX-19', repairProject: '1', warranty: '1', repairType: '2' },
      effectiveDate: dayFromSql('2026-10-05', workshopZone()),
    });
    await enter(page, '结束日期', '2026-10-30');
    expect(screen.queryByRole('table')).toBeNull();
    expect(page.callsTo(path)).toEqual([]);
  });
});
