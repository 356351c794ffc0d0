// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { Notices } from '#app/shell/Notices.tsx';
import { savedLinks } from '#app/testing/savedLinks.ts';
import { notices } from '#app/notify.ts';
import { refused } from '#app/testing/refused.ts';
import { openPage, type Answers } from '#app/parts/openPage.tsx';
import { forms, formOf, kinds, type Kind } from '#domain/reports.ts';
import ReportDialog from './ReportDialog.tsx';
import { styleOf } from '#app/testing/styles.ts';

const sites = {
  '/api/ubsSite/pagerList.json': {
    items: [
      { siteId: 'SZ', siteName: '深圳', country: null },
      { siteId: 'NB', siteName: '宁波', country: null },
    ],
  },
};
const pathOf = (kind: Kind) => `/api/rmaReport/${kind}.json`;
const button = (btnNo: string) => ({ id: btnNo, btnNo, btnName: '报表', btnScript: 'report' });

async function open(kind: Kind, { lang = 'zh', answers = {} }: { lang?: 'zh' | 'en'; answers?: Answers } = {}) {
  notices.closeAll();
  const onClose = vi.fn();
  const dialog = (
    <>
      <ReportDialog button={button(kind)} onClose={onClose} />
      <Notices />
    </>
  );
  const page = await openPage(dialog, { lang, answers: { ...sites, ...answers } });
  return { ...page, onClose };
}
type Page = Awaited<ReturnType<typeof open>>;

const fields = () =>
  within(screen.getByRole('dialog')).queryAllByLabelText(/./, { selector: 'input, [role=combobox]' });
const labelled = (name: string) => screen.getByLabelText(new RegExp(`^${name}`));
async function fillDates({ user }: Page, [start, end] = ['2026-11-01', '2026-11-30']) {
  await user.clear(labelled('开始日期'));
  await user.type(labelled('开始日期'), start);
  await user.type(labelled('结束日期'), end);
}
const press = ({ user }: Page) => user.click(screen.getByRole('button', { name: '导出' }));

describe('the dialog of a report', () => {
  it.each(kinds)('%s is 800 wide, asks for its range and shows where long exports end up [P-EXP-01]', async (kind) => {
    const page = await open(kind);
    expect(page.baseElement.textContent).toContain('导出时间较长时，可稍后到报表下载页面下载');
    const byMonth = formOf(kind).range === 'months';
    expect(labelled(byMonth ? '开始月份' : '开始日期')).toHaveProperty(
      'placeholder',
      byMonth ? 'yyyy-MM' : 'yyyy-MM-dd',
    );
    expect(labelled(byMonth ? '结束月份' : '结束日期')).toHaveProperty(
      'placeholder',
      byMonth ? 'yyyy-MM' : 'yyyy-MM-dd',
    );
    expect(styleOf(screen.getByRole('dialog')).maxWidth).toBe('800px');
  });

  it.each(['exportOnSiteRepairStatistics', 'exportRepairAndSaleStatistics', 'exportSecondRepair'] as const)(
    '%s has its dates and nothing else [P-EXP-04]',
    async (kind) => {
      await open(kind);
      expect(fields()).toHaveLength(2);
      expect(forms[kind].inputs).toEqual([]);
    },
  );

  it('needs both days, and sends nothing without them [P-EXP-10]', async () => {
    const page = await open('exportMonthStatistics');
    await press(page);
    expect(screen.getByRole('alert').textContent).toBe('必填项不为空！');
    await page.user.type(labelled('开始日期'), '2026-11-01');
    await press(page);
    expect(screen.getByRole('alert').textContent).toBe('必填项不为空！');
    expect(labelled('结束日期')).toHaveProperty('ariaInvalid', 'true');
    expect(page.callsTo(pathOf('exportMonthStatistics'))).toEqual([]);
  });

  it('says the same in English [P-EXP-10]', async () => {
    const page = await open('exportMonthStatistics', { lang: 'en' });
    await page.user.click(screen.getByRole('button', { name: 'Export' }));
    expect(screen.getByRole('alert').textContent).toBe('The required fields must not be empty');
    expect(page.asked).toEqual([]);
  });

  it('refuses a range that ends before it begins', async () => {
    const page = await open('exportMonthStatistics');
    await fillDates(page, ['2026-11-02', '2026-11-01']);
    await press(page);
    expect(screen.getByRole('alert').textContent).toBe('开始日期不能晚于结束日期');
    expect(page.asked).toEqual([]);
  });

  it('fills the ranges that are asked for most', async () => {
    const page = await open('exportMonthStatistics');
    await page.user.click(screen.getByRole('button', { name: '上月' }));
    expect(labelled('开始日期')).toHaveProperty('value', expect.stringMatching(/-01$/));
    expect((labelled('结束日期') as HTMLInputElement).value).toMatch(/-(28|29|30|31)$/);
  });

  it.each(['exportMonthStatistics', 'exportInventoryBalance', 'exportTatHandover'] as const)(
    '%s is asked as of a moment that has come',
    async (kind) => {
      const page = await open(kind, { answers: { [pathOf(kind)]: { path: '/file/1' } } });
      savedLinks();
      await fillDates(page);
      await page.user.type(labelled('截至时间'), '2099-01-01 00:00:00');
      await press(page);
      expect(screen.getByRole('alert').textContent).toBe('截至时间不能晚于现在');
      expect(page.callsTo(pathOf(kind))).toEqual([]);
      await page.user.clear(labelled('截至时间'));
      await page.user.type(labelled('截至时间'), '2026-11-15 08:00:00');
      await press(page);
      expect(page.callsTo(pathOf(kind))[0]?.input).toMatchObject({ asOf: '2026-11-15 08:00:00' });
    },
  );

  it('of the scrap accuracy sends several sites by their codes [P-EXP-05]', async () => {
    const page = await open('exportScrapAccuracy', {
      answers: { [pathOf('exportScrapAccuracy')]: { path: '/file/1' } },
    });
    savedLinks();
    await fillDates(page);
    await page.user.click(screen.getByRole('combobox', { name: /站点/ }));
    await page.user.click(await screen.findByRole('option', { name: /深圳/ }));
    await page.user.click(screen.getByRole('option', { name: /宁波/ }));
    await page.user.keyboard('{Escape}');
    await press(page);
    expect(page.callsTo(pathOf('exportScrapAccuracy'))[0]?.input).toMatchObject({
      repairSiteIds: 'SZ,NB',
      startDate: '2026-11-01',
      endDate: '2026-11-30',
    });
  });

  it('of the supplier statistics asks for its type and what narrows it [P-EXP-06] [P-STA-03]', async () => {
    const path = pathOf('exportSupplierStatistics');
    const page = await open('exportSupplierStatistics', { answers: { [path]: { path: '/file/1' } } });
    savedLinks();
    await fillDates(page);
    await press(page);
    expect(screen.getByRole('alert').textContent).toBe('必填项不为空！');
    await page.user.click(screen.getByRole('combobox', { name: /导出类型/ }));
    expect(screen.getAllByRole('option').map((it) => it.textContent)).toEqual([
      '收货',
      '初检',
      '发货',
      '维修（全部）',
      '维修（DZ）',
    ]);
    await page.user.click(screen.getByRole('option', { name: '维修（DZ）' }));
    await page.user.type(labelled('产品描述'), 'RX19');
    await page.user.type(labelled('维修单'), 'MTB1');
    await page.user.type(labelled('官网工单'), 'W1');
    await page.user.type(labelled('客户账号'), ' acct ');
    await press(page);
    expect(page.callsTo(path)[0]?.input).toEqual({
      startDate: '2026-11-01',
      endDate: '2026-11-30',
      reportType: '6',
      salesCodeDesc: 'RX19',
      mtbId: 'MTB1',
      btmMtbId: 'W1',
      btmUserId: 'acct',
      lang: 'zh',
    });
  });

  it('of the repair order asks for a site and a work order [P-EXP-07]', async () => {
    const path = pathOf('exportRepairOrder');
    const page = await open('exportRepairOrder', { answers: { [path]: { path: '/file/1' } } });
    savedLinks();
    await fillDates(page);
    await page.user.click(screen.getByRole('combobox', { name: /维修站点/ }));
    await page.user.click(await screen.findByRole('option', { name: '宁波' }));
    await page.user.type(labelled('工单号'), 'MTB2');
    await press(page);
    expect(page.callsTo(path)[0]?.input).toMatchObject({ siteId: 'NB', mtbId: 'MTB2' });
  });

  it('of the repair rate asks for months and sends their first days [P-EXP-08] [P-EXP-13]', async () => {
    const path = pathOf('exportRepairRateStatistics');
    const page = await open('exportRepairRateStatistics', { answers: { [path]: { path: '/file/1' } } });
    savedLinks();
    await press(page);
    expect(screen.getByRole('alert').textContent).toBe('必填项不为空！');
    await page.user.type(labelled('开始月份'), '2026-09');
    await page.user.type(labelled('结束月份'), '2026-11');
    await press(page);
    expect(page.callsTo(path)[0]?.input).toEqual({ startDate: '2026-09-01', endDate: '2026-11-01', lang: 'zh' });
  });
});

describe('what becomes of a report', () => {
  const path = pathOf('exportMonthStatistics');
  const answered = (reply: () => Response) => {
    vi.stubGlobal('fetch', async () => reply());
  };
  const file = () =>
    new Response('xlsx', {
      headers: {
        'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent('月度统计_20261121101112.xlsx')}`,
      },
    });

  it('a file is saved under the server’s name, and said [P-EXP-18] [P-EXP-20]', async () => {
    const page = await open('exportMonthStatistics');
    await fillDates(page);
    const saved = savedLinks();
    const revoked = vi.spyOn(URL, 'revokeObjectURL');
    answered(file);
    await press(page);
    expect(await screen.findByText('导出成功')).toBeTruthy();
    expect(saved).toEqual([{ href: expect.stringMatching(/^blob:/) as string, name: '月度统计_20261121101112.xlsx' }]);
    expect(revoked).not.toHaveBeenCalled();
    expect(page.onClose).toHaveBeenCalledOnce();
  });

  it('a slow one is a warning that names the report downloads, no error [P-STA-05]', async () => {
    const page = await open('exportMonthStatistics');
    await fillDates(page);
    answered(() => refused('exportSlow', 'slow'));
    await press(page);
    const notice = await screen.findByText('导出较慢，请稍后到报表下载页面下载');
    expect(notice.closest('.MuiAlert-root')?.className).toMatch(/warning/i);
    expect(screen.queryByText('导出失败')).toBeNull();
    expect(page.onClose).toHaveBeenCalledOnce();
  });

  it.each([
    ['downloadFailed', '没有文件'],
    ['unknown', '出错了'],
  ] as const)('a failed one (%s) says so with its reason and keeps what was entered [P-EXP-19]', async (key, msg) => {
    const page = await open('exportMonthStatistics');
    await fillDates(page);
    answered(() => refused(key, msg));
    await press(page);
    expect(await screen.findByText('导出失败')).toBeTruthy();
    expect(screen.getByText(new RegExp(msg))).toBeTruthy();
    expect(page.onClose).not.toHaveBeenCalled();
    expect(labelled('开始日期')).toHaveProperty('value', '2026-11-01');
  });

  it('a file that is not there says that [P-EXP-19]', async () => {
    const page = await open('exportMonthStatistics');
    await fillDates(page);
    answered(() => refused('noSuchCall', 'no'));
    await press(page);
    expect(await screen.findByText('找不到文件')).toBeTruthy();
  });

  it('of an answer with a path its file is saved [P-EXP-17]', async () => {
    const page = await open('exportMonthStatistics', { answers: { [path]: { path: '/file/abc' } } });
    const saved = savedLinks();
    await fillDates(page);
    await press(page);
    expect(await screen.findByText('导出成功')).toBeTruthy();
    expect(saved).toEqual([{ href: expect.stringContaining('/file/abc') as string, name: '' }]);
  });
});
