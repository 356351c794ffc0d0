// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { button } from '#app/engine/list/testList.ts';
import { openSession } from '#app/session.ts';
import { expectComplaints, renderApp } from '#app/testing/renderApp.tsx';
import { savedLinks } from '#app/testing/savedLinks.ts';

const columns = [
  { name: 'no', label: 'Bill', type: 'String' },
  { name: 'status', label: 'Status', type: 'String' },
  { name: 'count', label: 'Units', type: 'Integer' },
];
const pager = {
  title: Object.fromEntries(columns.map((it) => [it.name, it.label])),
  items: [1, 2].map((id) => ({ id, no: `CKB${id}`, status: '1', count: id })),
  itemTotal: 120,
  tableName: 'Check bills',
  columns,
  labels: {},
};
const path = `/file/${'ab'.repeat(16)}`;

let saved: ReturnType<typeof savedLinks>;
beforeEach(() => {
  saved = savedLinks();
});

function listAnswers(module: string, script: string, more: object = {}) {
  return {
    [`/api/${module}/pager.json`]: { data: pager },
    [`/api/${module}/searchItems.json`]: { data: { items: [] } },
    '/api/sysBtn/queryByMenuNo.json': { data: { items: [button(script, 'Export', more)] } },
    [`/api/${module}/toExport.json`]: { data: { tableName: 'Check bills', columns } },
    [`/api/${module}/toExportDirect.json`]: { data: { tableName: 'Check bills', columns } },
    [`/api/${module}/toExportDirectOne.json`]: { data: { tableName: 'Check bills', columns } },
    '/rest/jobs': { data: { items: [], total: 0 } },
  };
}

async function openDialog(script: string, answers: Parameters<typeof renderApp>[1] = {}, language: 'zh' | 'en' = 'en') {
  const app = await renderApp('/rmaCheckBillList', {
    language,
    answers: { ...listAnswers('rmaCheckBill', script), ...answers?.answers },
  });
  await screen.findByText('CKB1');
  await app.person.click(await screen.findByRole('button', { name: 'Export' }));
  const dialog = await screen.findByRole('dialog');
  await within(dialog).findAllByRole('checkbox');
  return { ...app, dialog };
}

const submit = (dialog: HTMLElement) => within(dialog).getByRole('button', { name: /^Export$|^导出$/ });

describe('the export of a list', () => {
  it('is opened by toExport, run by export, and the file of its path saved [P-EXP-14] [P-EXP-17] [P-EXP-20]', async () => {
    const { server, dialog, person } = await openDialog('export', {
      answers: { '/api/rmaCheckBill/export.json': { data: { jobId: 7, path } } },
    });
    expect(server.calls('/api/rmaCheckBill/toExport.json')).toHaveLength(1);
    expect(within(dialog).getByText('Long exports can be fetched later from the report download page')).toBeTruthy();
    await person.click(await within(dialog).findByRole('checkbox', { name: 'Status' }));
    await person.click(submit(dialog));
    await screen.findByText('Export succeeded');
    expect(server.calls('/api/rmaCheckBill/export.json')[0]?.query).toMatchObject({ columns: 'no,count' });
    expect(saved).toEqual([{ href: expect.stringContaining(path) as string, name: '' }]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('needs a column', async () => {
    const { server, dialog, person } = await openDialog('export');
    await person.click(await within(dialog).findByRole('button', { name: 'None' }));
    await person.click(submit(dialog));
    expect(within(dialog).getByText('Choose at least one column')).toBeTruthy();
    expect(server.calls('/api/rmaCheckBill/export.json')).toEqual([]);
  });

  it.each([
    ['fails', { key: 'unknownField', msg: 'Unknown field' }, '导出失败', 'Unknown field'],
    ['finds no file', { key: 'noSuchCall', msg: 'none' }, '找不到文件', ''],
  ] as const)('that %s says so, opens nothing and stays [P-EXP-19]', async (_, answer, title, reason) => {
    expectComplaints();
    const { dialog, person } = await openDialog(
      'export',
      { answers: { '/api/rmaCheckBill/export.json': answer } },
      'zh',
    );
    await person.click(submit(dialog));
    expect(await screen.findByText(title)).toBeTruthy();
    if (reason) expect(screen.getByText(`原因：${reason}`)).toBeTruthy();
    expect(saved).toEqual([]);
    expect(screen.queryByText('导出成功')).toBeNull();
    expect(screen.getByRole('dialog')).toBeTruthy();
  });

  it('whose own read learns of a lost session is there again after the sign-in', async () => {
    const open = '/api/rmaCheckBill/toExport.json';
    const app = await renderApp('/rmaCheckBillList', {
      answers: { ...listAnswers('rmaCheckBill', 'export'), [open]: { key: 'noSession', msg: '' } },
    });
    await screen.findByText('CKB1');
    await app.person.click(await screen.findByRole('button', { name: 'Export' }));
    await waitFor(() => expect(app.path()).toBe('/login'));
    app.server.answer({ [open]: { data: { tableName: 'Check bills', columns } } });
    act(() => openSession('next'));
    const dialog = await screen.findByRole('dialog');
    expect(await within(dialog).findAllByRole('checkbox')).toHaveLength(columns.length);
  });

  it('that takes longer shows how far it is, and gives its file when it is done', async () => {
    const job = { id: 9, kind: 'listExport', title: 'Check bills', module: 'rmaCheckBill', userId: 'li', siteId: 'SZ' };
    const more = { createdAt: 1, finishedAt: null, expiresAt: null, path: null, result: {}, msg: '' };
    const { server, dialog, person } = await openDialog('export', {
      answers: {
        '/api/rmaCheckBill/export.json': { data: { jobId: 9 } },
        '/rest/jobs/9': { data: { ...job, ...more, state: 'running', progress: 25_000, total: 100_000 } },
      },
    });
    await person.click(submit(dialog));
    expect(await within(dialog).findByText('25,000 / 100,000')).toBeTruthy();
    expect(within(dialog).getByRole('progressbar').getAttribute('aria-valuenow')).toBe('25');
    expect(saved).toEqual([]);
    server.answer({ '/rest/jobs/9': { data: { ...job, ...more, state: 'done', progress: 1, total: 1, path } } });
    expect(await within(dialog).findByText('Export succeeded')).toBeTruthy();
    expect(await within(dialog).findByRole('button', { name: 'Download the file' })).toBeTruthy();
  });
});

describe('a direct export', () => {
  it('names its button’s script in both calls [P-EXP-15]', async () => {
    const { server, dialog, person } = await openDialog('exportDirect', {
      answers: { '/api/rmaCheckBill/exportDirect.json': { data: { jobId: 7, path } } },
    });
    expect(server.calls('/api/rmaCheckBill/toExportDirect.json')[0]?.query).toMatchObject({ script: 'exportDirect' });
    await person.click(submit(dialog));
    await screen.findByText('Export succeeded');
    const [run] = server.calls('/api/rmaCheckBill/exportDirect.json');
    expect(run?.query).toMatchObject({ script: 'exportDirect', columns: 'no,status,count' });
  });

  it('of one row goes with the id of the selected row [P-EXP-15]', async () => {
    const answers = {
      ...listAnswers('rmaCheckBill', 'exportDirectOne', { rows: 1 }),
      '/api/rmaCheckBill/exportDirect.json': { data: { jobId: 7, path } },
    };
    const { server, person } = await renderApp('/rmaCheckBillList', { answers });
    await person.click(await screen.findByText('CKB2'));
    await person.click(await screen.findByRole('button', { name: 'Export' }));
    const dialog = await screen.findByRole('dialog');
    await waitFor(() => expect(submit(dialog)).toHaveProperty('disabled', false));
    expect(server.calls('/api/rmaCheckBill/toExportDirectOne.json')[0]?.query).toMatchObject({
      script: 'exportDirectOne',
      id: '2',
    });
    await person.click(submit(dialog));
    await screen.findByText('Export succeeded');
    expect(server.calls('/api/rmaCheckBill/exportDirect.json')[0]?.query).toMatchObject({
      script: 'exportDirectOne',
      id: '2',
    });
  });
});

describe('the export of the wafer WIP list', () => {
  const many = Array.from({ length: 50 }, (_, i) => [`c${i}`, `Column ${i}`] as const);

  it('offers its columns as a checklist of up to 48, and posts the checked ones [P-EXP-09] [P-EXP-16]', async () => {
    const { server, dialog, person } = await openDialog('exportWip', {
      answers: {
        '/api/rmaCheckBill/exportWip.json': { data: { jobId: 7, path } },
        '/api/rmaCheckBill/pager.json': ({ query }) =>
          query['total'] === 'none' ? { data: { ...pager, title: Object.fromEntries(many) } } : { data: pager },
      },
    });
    const boxes = (await within(dialog).findAllByRole('checkbox')) as HTMLInputElement[];
    expect(boxes).toHaveLength(50);
    expect(boxes.filter((it) => it.checked)).toHaveLength(48);
    await person.click(within(dialog).getByRole('checkbox', { name: 'Column 48' }));
    await person.click(submit(dialog));
    expect(within(dialog).getByText('Choose at most 48 columns')).toBeTruthy();
    expect(server.calls('/api/rmaCheckBill/exportWip.json')).toEqual([]);
    await person.click(within(dialog).getByRole('checkbox', { name: 'Column 0' }));
    await person.click(submit(dialog));
    await screen.findByText('Export succeeded');
    const [call] = server.calls('/api/rmaCheckBill/exportWip.json');
    expect(call?.method).toBe('POST');
    const { exportColumns } = JSON.parse(call?.body ?? '{}') as { exportColumns: string[] };
    expect(exportColumns).toHaveLength(48);
    expect(exportColumns).toContain('c48');
    expect(exportColumns).not.toContain('c0');
  });
});
