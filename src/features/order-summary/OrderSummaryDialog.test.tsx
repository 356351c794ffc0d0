// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { enter, openDialog, said } from '#app/parts/openDialog.tsx';
import { savedLinks } from '#app/testing/savedLinks.ts';
import OrderSummaryDialog from './OrderSummaryDialog.tsx';

describe('the dialog of the order summary', () => {
  const path = '/api/icopFtWorkOrder/exportSummary.json';

  it('asks for a type, engineering at first, and sends its code [P-EXP-02]', async () => {
    savedLinks();
    const page = await openDialog(OrderSummaryDialog, 'icopFtWorkOrder', { [path]: { path: '/file/1' } });
    expect(screen.getByText('导出时间较长时，可稍后到报表下载页面下载')).toBeTruthy();
    await page.user.click(screen.getByRole('button', { name: '导出' }));
    expect(said()).toBe('必填项不为空！');
    expect(page.asked).toEqual([]);
    await enter(page, '开始日期', '2026-10-01');
    await enter(page, '结束日期', '2026-10-31');
    await page.user.click(screen.getByRole('button', { name: '导出' }));
    await waitFor(() => expect(page.callsTo(path)).toHaveLength(1));
    const days = { startDate: '2026-10-01', endDate: '2026-10-31' };
    expect(page.callsTo(path)[0]?.input).toMatchObject({ ...days, orderType: '3', kind: 'engineer' });
    for (const [label, orderType] of [
      ['Bumping 与 CP', '2'],
      ['CP', '3'],
      ['量产批', '0'],
    ] as const) {
      await page.user.click(screen.getByRole('combobox', { name: /导出类型/ }));
      await page.user.click(screen.getByRole('option', { name: label }));
      await page.user.click(await screen.findByRole('button', { name: '导出' }));
      await waitFor(() => expect(page.callsTo(path).at(-1)?.input).toMatchObject({ orderType }));
    }
  });
});
