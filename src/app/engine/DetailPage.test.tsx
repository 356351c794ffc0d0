// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { expectComplaints, renderApp } from '#app/testing/renderApp.tsx';

const detail = {
  id: 5,
  no: 'ISS5',
  photos: '/file/a##/file/b##/file/notes.txt',
  siteId: 'SZ',
  issueLineList: [{ id: 1, sn: 'RX19', count: 2 }],
  view: {
    module: 'ubsIssueCode',
    label: 'Issue codes',
    fields: [
      { name: 'no', label: 'Number', type: 'String', format: 'code' },
      { name: 'siteId', label: 'Site', type: 'select' },
      { name: 'remark', label: 'Remark', type: 'String' },
      { name: 'photos', label: 'Photos', type: 'LongString', format: 'images' },
    ],
    lines: {
      issueLineList: {
        label: 'Lines',
        columns: [
          { name: 'sn', label: 'SN', type: 'String', format: 'code' },
          { name: 'count', label: 'Count', type: 'Integer' },
        ],
        labels: {},
      },
    },
    labels: { siteId: { SZ: 'Shenzhen' } },
  },
};
const open = (answer: object) =>
  renderApp('/ubsIssueCodeList/detail/5', { answers: { '/api/ubsIssueCode/queryById.json': answer as never } });

describe('the detail of a record', () => {
  it('shows facts, pictures and lines of what queryById answers, under a tab of its name [P-LST-13] [W-CHK-03]', async () => {
    const { server, person } = await open({ data: detail });
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toContain('ISS5');
    expect(server.calls('/api/ubsIssueCode/queryById.json').map((it) => it.query)).toEqual([{ id: '5', lang: 'en' }]);
    const factOf = (label: string) => screen.getByText(label).closest('div')?.querySelector('dd')?.textContent;
    expect([factOf('Number'), factOf('Site'), factOf('Remark')]).toEqual(['ISS5', 'Shenzhen', '—']);
    expect(
      within(screen.getByRole('table', { name: 'Lines' }))
        .getAllByRole('cell')
        .map((it) => it.textContent),
    ).toEqual(['RX19', '2']);
    expect(screen.getByRole('link', { name: 'Photos 3 (txt)' }).getAttribute('href')).toBe('/file/notes.txt');
    await person.click(screen.getByRole('button', { name: 'Photo 2' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Photos' }));
    expect(dialog.getByAltText('Photos 2').getAttribute('src')).toBe('/file/b');
    const tabs = within(screen.getByRole('navigation', { name: 'Opened pages' }));
    await waitFor(() => expect(tabs.getByRole('link', { current: 'page' }).textContent).toBe('Issue codes ISS5'));
  });

  it('is the 404 page for a record that does not exist', async () => {
    expectComplaints();
    await open({ code: '100002', msg: 'Not there' });
    expect(await screen.findByText('The page flew away')).toBeTruthy();
  });
});
