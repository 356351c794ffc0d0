// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Job } from '#domain/jobs.ts';
import { expectComplaints, renderApp } from '#app/testing/renderApp.tsx';

const DOWNLOAD = '/api/rmaReportDownload/download.json';
const job = (id: number, title: string, more: Partial<Job> = {}): Job => ({
  id,
  kind: 'listExport',
  title,
  module: 'rmaCheckBill',
  userId: 'li',
  siteId: 'SZ',
  state: 'done',
  progress: 5,
  total: 5,
  createdAt: 1_763_700_000_000,
  finishedAt: 1_763_700_060_000,
  expiresAt: null,
  path: `/file/${'0'.repeat(32)}`,
  result: {},
  msg: '',
  ...more,
});
const running = { state: 'running', progress: 250, total: 1000, path: null, finishedAt: null } as const;

async function openJobs(items: Job[], language: 'zh' | 'en' = 'en') {
  const app = await renderApp('/home', {
    language,
    answers: { '/rest/jobs': { data: { items, total: items.length } } },
  });
  await app.person.click(await screen.findByRole('button', { name: /Jobs and downloads|任务与下载/ }));
  return { ...app, list: await screen.findByRole('dialog', { name: /Jobs and downloads|任务与下载/ }) };
}

/** What the browser is given to save, by name. */
const saved: string[] = [];
beforeEach(() => {
  saved.length = 0;
  URL.createObjectURL = vi.fn(() => 'blob:file');
  URL.revokeObjectURL = vi.fn();
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
});

describe('the jobs in the top bar', () => {
  it('show what runs and how far it is, what is done, and why something failed', async () => {
    const items = [
      job(3, 'Inventory', running),
      job(2, 'Bills'),
      job(1, 'Reports', { state: 'failed', path: null, msg: 'Nothing was found' }),
    ];
    const { list } = await openJobs(items);
    expect(await within(list).findByText('250 / 1,000')).toBeTruthy();
    expect(within(list).getByText('Nothing was found')).toBeTruthy();
    expect(within(list).getByRole('button', { name: 'Download Bills' })).toBeTruthy();
    expect(within(list).queryByRole('button', { name: 'Download Inventory' })).toBeNull();
    expect(within(list).getByRole('button', { name: 'Cancel Inventory' })).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Jobs and downloads, 1 running' })).toBeTruthy();
  });

  it('cancel what runs', async () => {
    const { server, person, list } = await openJobs([job(3, 'Inventory', running)]);
    server.answer({ '/rest/jobs/3/cancel': { data: job(3, 'Inventory', { state: 'cancelled', path: null }) } });
    await person.click(await within(list).findByRole('button', { name: 'Cancel Inventory' }));
    await screen.findByText('The job is cancelled');
    expect(server.calls('/rest/jobs/3/cancel')).toHaveLength(1);
  });

  it('say when one that ran is ready [P-EXP-20]', async () => {
    const { server } = await openJobs([job(3, '库存查询', running)], 'zh');
    await screen.findByText('250 / 1,000');
    server.answer({ '/rest/jobs': { data: { items: [job(3, '库存查询')], total: 1 } } });
    expect(await screen.findByText(/^导出成功：库存查询/)).toBeTruthy();
  });

  it.each([
    [{ bad: 2, imported: 0 }, true, 'Items Import: rows have problems; fetch the list of them from the top right'],
    [{ bad: 0, imported: 5 }, false, 'Items Import is done'],
    [{ bad: 0, imported: 0 }, false, ''],
  ])('call an import that found %j no export', async (result, hasFile, words) => {
    const { server } = await openJobs([job(3, 'Items Import', { ...running, kind: 'import' })]);
    await screen.findByText('250 / 1,000');
    const done = job(3, 'Items Import', { kind: 'import', result, ...(!hasFile && { path: null }) });
    server.answer({ '/rest/jobs': { data: { items: [done], total: 1 } } });
    if (words) expect(await screen.findByText(words)).toBeTruthy();
    else await waitFor(() => expect(screen.queryByText('250 / 1,000')).toBeNull());
    expect(screen.queryByText(/Export succeeded/)).toBeNull();
  });

  it('say of a publish that something was left out, when it is done and later', async () => {
    const { server, list } = await openJobs([job(3, 'Publish Fax', { ...running, kind: 'publish' })]);
    await screen.findByText('250 / 1,000');
    const done = job(3, 'Publish Fax', { kind: 'publish', path: null, result: { id: 9, leftOut: [{}] } });
    server.answer({ '/rest/jobs': { data: { items: [done, job(2, 'Bills')], total: 2 } } });
    expect(await screen.findByText('Publish Fax is done, with something left out: see its page')).toBeTruthy();
    expect(within(list).getAllByText('Done, with something left out')).toHaveLength(1);
    expect(screen.queryByText('Publish Fax is done')).toBeNull();
  });

  it('fetch a file by a GET with the token, and save it under its name with the moment at its end [P-EXP-18]', async () => {
    const { server, person, list } = await openJobs([job(2, 'Bills')]);
    const asked: { method?: string; token: string | null }[] = [];
    const known = globalThis.fetch;
    vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
      if (!address.includes(DOWNLOAD)) return known(address, init);
      asked.push({ method: init.method ?? 'GET', token: new Headers(init.headers).get('token') });
      return new Response('PK', {
        headers: {
          'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
          'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent('工单_20261121130405.xlsx')}`,
        },
      });
    });
    await person.click(await within(list).findByRole('button', { name: 'Download Bills' }));
    await waitFor(() => expect(saved).toEqual(['工单_20261121130405.xlsx']));
    expect(asked).toEqual([{ method: 'GET', token: 'token-of-li' }]);
    expect(await screen.findByText('Export succeeded')).toBeTruthy();
    expect(server.calls(DOWNLOAD)).toEqual([]);
  });

  it('save nothing when the download answers 000007, and say its msg as an error [P-CAL-06]', async () => {
    expectComplaints();
    const { server, person, list } = await openJobs([job(2, 'Bills')], 'zh');
    server.answer({ [DOWNLOAD]: { key: 'fileExpired', msg: '文件已过期（保留 7 天），请重新导出' } });
    await person.click(await within(list).findByRole('button', { name: '下载 Bills' }));
    expect(await screen.findByText('导出失败')).toBeTruthy();
    expect(screen.getByText('原因：文件已过期（保留 7 天），请重新导出')).toBeTruthy();
    expect(saved).toEqual([]);
    expect(URL.createObjectURL).not.toHaveBeenCalled();
    expect(screen.queryByText('导出成功')).toBeNull();
  });
});
