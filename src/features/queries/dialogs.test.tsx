// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import type { ComponentType } from 'react';
import { describe, expect, it } from 'vitest';
import type { DialogProps } from '#app/parts/dialog.ts';
import { openDialog } from '#app/parts/openDialog.tsx';
import { refuses } from '#app/parts/openPage.tsx';
import BindingQueryDialog from './BindingQueryDialog.tsx';
import ComponentQueryDialog from './ComponentQueryDialog.tsx';
import SalesCodeQueryDialog from './SalesCodeQueryDialog.tsx';

const paths = {
  binding: '/api/ubsAssembly/queryComponentBySn.json',
  component: '/api/ubsAssembly/componentQuery.json',
  salesCode: '/api/ubsItem/queryBySalesCode.json',
};
const heads = () => screen.getAllByRole('columnheader').map((it) => it.textContent);
const cells = () =>
  within(screen.getAllByRole('row')[1] as HTMLElement)
    .getAllByRole('cell')
    .map((it) => it.textContent);

async function asks(Dialog: ComponentType<DialogProps>, path: string, text: string, items: object[]) {
  const page = await openDialog(Dialog, 'ubsAssembly', { [path]: { items } });
  await page.user.type(screen.getByRole('textbox'), `${text}{Enter}`);
  return page;
}

describe('the query', () => {
  it('by the SN of a device shows the kind and the SN of each part [S-QRY-02]', async () => {
    const part = { componentType: 'COIT000000S1', label: '电源', componentSn: 'P1', qrCodeNum: null, name: null };
    const { callsTo } = await asks(BindingQueryDialog, paths.binding, ' d2 ', [part]);
    await screen.findByRole('table');
    expect(heads()).toEqual(['组件类型', '组件SN', '二维码编号', '物料']);
    expect(cells()).toEqual(['电源', 'P1', '–', '–']);
    expect(callsTo(paths.binding).map((it) => it.input)).toMatchObject([{ sn: 'D2' }]);
  });

  it('of a component shows device, power, controls and eight boards with their QR codes, when, where, by whom [S-QRY-05]', async () => {
    const record = {
      assemblySn: 'D2',
      powerSn: 'P1',
      controlSn: 'C1',
      hashBoardList: ['B1', 'B2'],
      qrCodeNumList: ['Q1', null],
      bindingTime: Date.UTC(2026, 10, 21, 4),
      siteCode: '深圳维修中心',
      createBy: '陈伟',
    };
    await asks(ComponentQueryDialog, paths.component, 'p1', [record]);
    await screen.findByRole('table');
    expect(heads()).toHaveLength(4 + 16 + 2);
    expect(heads()).toEqual(
      expect.arrayContaining(['设备SN', '绑定时间', '电源', '控制板', '算力板1', '二维码8', '站点']),
    );
    const [device, at, power, controls, board1, code1, board2, code2, board3, ...rest] = cells();
    expect([device, power, controls, board1, code1, board2, code2, board3]).toEqual([
      'D2',
      'P1',
      'C1',
      'B1',
      'Q1',
      'B2',
      '–',
      '–',
    ]);
    expect(at).toMatch(/^2026-11-21 \d\d:00$/);
    expect(rest.slice(-2)).toEqual(['深圳维修中心', '陈伟']);
  });

  it('by a sales code shows it with its alias and description [S-QRY-01]', async () => {
    const item = { salesCode: 'RX19', alias: 'RX-19', name: 'RX-19 95T', itemId: 1, type: '0', deviceType: '0' };
    const { callsTo } = await asks(SalesCodeQueryDialog, paths.salesCode, 'rx', [item]);
    await screen.findByRole('table');
    expect(heads()).toEqual(['销售编码', '算力别名', '描述']);
    expect(cells()).toEqual(['RX19', 'RX-19', 'RX-19 95T']);
    expect(callsTo(paths.salesCode).map((it) => it.input)).toMatchObject([{ salesCode: 'RX' }]);
  });

  it('that finds nothing says so, and one that is refused says why and keeps what was typed', async () => {
    const first = await asks(BindingQueryDialog, paths.binding, 'D9', []);
    expect(await screen.findByText('暂无数据')).toBeTruthy();
    first.unmount();
    const page = await openDialog(BindingQueryDialog, 'ubsAssembly', {
      [paths.binding]: refuses('otherSite', 'SN D9 属于其他站点'),
    });
    await page.user.type(screen.getByRole('textbox'), 'D9{Enter}');
    expect((await screen.findByRole('alert')).textContent).toContain('SN D9 属于其他站点');
    expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('D9');
  });
});
