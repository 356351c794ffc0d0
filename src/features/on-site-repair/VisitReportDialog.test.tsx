// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { DialogProps } from '#app/parts/dialog.ts';
import { openPage, refuses } from '#app/parts/openPage.tsx';
import { visitReport } from './contract.ts';
import VisitReportDialog from './VisitReportDialog.tsx';

const report = {
  language: 'en',
  osbId: 'OSB1',
  mtbId: 'MTB1',
  isEnded: false,
  startTime: Date.UTC(2026, 10, 20, 1, 30),
  finishTime: null,
  customer: { name: 'Hashline', place: '1 Mine Road' },
  workshop: { name: 'Shenzhen', address: 'Bao An', phone: '' },
  devices: [
    {
      sn: 'RX19A1',
      salesCode: 'RX19',
      name: 'RX-19 95T',
      technician: 'Li Wei',
      time: Date.UTC(2026, 10, 20, 2, 30),
      checkIssues: [{ code: 'FX01', name: 'No start' }],
      records: [
        {
          componentSn: 'HB1',
          kind: 'Board 1',
          method: 'Replace',
          issues: [{ code: 'RP01', name: 'Chip fault' }],
          slot: 'U1',
          marking: '',
          material: 'ASIC',
          count: 1,
          urls: ['/file/a.png', '/file/b.txt'],
        },
      ],
      putIn: [{ kind: 'Power', sn: 'PW2' }],
      takenOut: [{ kind: 'Power', sn: 'PW1' }],
    },
  ],
  isCut: false,
};
const opens = (lang: 'zh' | 'en', answer: unknown = report) => {
  const props = { rows: [{ id: 1, osbId: 'OSB1' }], button: { btnName: 'Visit report' }, onClose: () => undefined };
  return openPage(<VisitReportDialog {...(props as unknown as DialogProps)} />, {
    lang,
    answers: { [visitReport.path]: answer },
  });
};

describe('the report of a visit', () => {
  it('is in the language of the customer, its buttons in that of the user', async () => {
    await opens('zh');
    const paper = within(await screen.findByRole('article', { name: 'On-site repair report' }));
    for (const it of ['Hashline', '1 Mine Road', 'MTB1', 'FX01 No start', 'Power PW1', 'Power PW2', 'Technician, date'])
      expect(paper.getByText(it), it).toBeTruthy();
    expect(paper.getByText('In progress')).toBeTruthy();
    expect(screen.getByRole('button', { name: '打印' })).toBeTruthy();
    expect(screen.getByText('报告语言')).toBeTruthy();
  });

  it('has a row for each record, and its pictures', async () => {
    await opens('en');
    const table = within(await screen.findByRole('table', { name: 'Repairs of RX19A1' }));
    const cells = table.getAllByRole('cell').map((it) => it.textContent);
    expect(cells).toEqual(['Board 1HB1', 'RP01 Chip fault', 'Replace', 'U1', 'ASIC × 1']);
    expect(screen.getAllByRole('img', { name: 'Picture of HB1' })).toHaveLength(1);
  });

  it('is asked for in the other language', async () => {
    const { user, callsTo } = await opens('en');
    await user.click(await screen.findByRole('button', { name: '中文' }));
    expect(callsTo(visitReport.path).map((it) => it.input)).toEqual([
      expect.not.objectContaining({ language: expect.anything() }),
      expect.objectContaining({ osbId: 'OSB1', language: 'zh' }),
    ]);
  });

  it('is printed', async () => {
    const print = vi.spyOn(window, 'print').mockReturnValue();
    const { user } = await opens('en');
    await screen.findByRole('article');
    await user.click(screen.getByRole('button', { name: 'Print' }));
    expect(print).toHaveBeenCalledOnce();
    expect(screen.getByRole('dialog').closest('[data-print]')).toBeTruthy();
  });

  it('says why it can not be read', async () => {
    await opens('en', refuses('notFound', 'OSB1 does not exist'));
    expect((await screen.findByRole('alert')).textContent).toContain('OSB1 does not exist');
  });
});
