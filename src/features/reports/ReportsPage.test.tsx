// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import { memoryStore, StoreContextProvider } from 'ra-core';
import { describe, expect, it } from 'vitest';
import { openPage, refuses } from '#app/parts/openPage.tsx';
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
    expect(page.callsTo(BUTTONS)[0]?.input).toMatchObject({ menuNo: 'rmaReportList' });
    await page.user.click(screen.getByRole('button', { name: /周转超期/ }));
    expect(screen.getByRole('dialog', { name: /周转超期/ })).toBeTruthy();
    await page.user.click(screen.getByRole('button', { name: '取消' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('find what was entered last, as a figure of the preview leads away from it', async () => {
    const items = [button('exportTatOvertime', '周转超期')];
    const reports = (
      <StoreContextProvider value={memoryStore()}>
        <ReportsPage menuNo="rmaReportList" />
      </StoreContextProvider>
    );
    const page = await openPage(reports, { answers: { [BUTTONS]: { items } } });
    await page.user.click(await screen.findByRole('button', { name: /周转超期/ }));
    await page.user.type(screen.getByLabelText(/^开始日期/), '2026-11-01');
    await page.user.click(screen.getByRole('button', { name: '取消' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await page.user.click(screen.getByRole('button', { name: /周转超期/ }));
    expect(screen.getByLabelText(/^开始日期/)).toHaveProperty('value', '2026-11-01');
  });

  it('say so where there are none, and where they could not be asked for', async () => {
    await openPage(<ReportsPage menuNo="rmaReportList" />, { lang: 'en', answers: { [BUTTONS]: { items: [] } } });
    expect(await screen.findByText('No reports are available to you')).toBeTruthy();
  });

  it('can be asked for again after a failure', async () => {
    const page = await openPage(<ReportsPage menuNo="rmaReportList" />, {
      answers: { [BUTTONS]: refuses('noRight', '没有权限') },
    });
    expect((await screen.findByRole('alert')).textContent).toContain('没有权限');
    await page.user.click(within(screen.getByRole('alert')).getByRole('button'));
    await waitFor(() => expect(page.callsTo(BUTTONS)).toHaveLength(2));
  });
});
