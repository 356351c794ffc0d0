import { lazy } from 'react';
import { act, configure, render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { vi } from 'vitest';
import { watchDefinitions } from '#domain/definitionVersion.ts';
import { App } from '#app/App.tsx';
import { i18nProvider } from '#app/i18nProvider.ts';
// The calls of lists come as a chunk; compiled with the first test it would wait for them.
import '#app/moduleProvider.ts';
import { notices } from '#app/notify.ts';
import { closeSession, openSession } from '#app/session.ts';
import { type FakeServer, fakeServer } from '#app/testing/fakeServer.ts';
import { fakeStream } from '#app/testing/fakeStream.ts';

// A page's chunk is compiled when it is first imported, which on a busy machine takes its time.
/** The views with the real features, as `src/main` puts them together. */
export const Modules = lazy(() => import('#tests/support/modules.tsx'));

export const tree = {
  zh: [
    {
      menuNo: 'workflow',
      menuName: '维修作业',
      icon: 'workflow',
      children: [
        { menuNo: 'rmaCheckBillList', menuName: '检测单', module: 'rmaCheckBill', children: [] },
        {
          menuNo: 'codes',
          menuName: '代码',
          children: [{ menuNo: 'ubsIssueCodeList', menuName: '故障代码', module: 'ubsIssueCode', children: [] }],
        },
      ],
    },
    { menuNo: 'adminUserList', menuName: '用户', module: 'adminUser', children: [] },
  ],
  en: [
    {
      menuNo: 'workflow',
      menuName: 'Repair workflow',
      icon: 'workflow',
      children: [
        {
          menuNo: 'rmaCheckBillList',
          menuName: 'Check bills',
          recordName: 'Check bill',
          module: 'rmaCheckBill',
          children: [],
        },
        {
          menuNo: 'codes',
          menuName: 'Codes',
          children: [
            {
              menuNo: 'ubsIssueCodeList',
              menuName: 'Issue codes',
              recordName: 'Issue code',
              module: 'ubsIssueCode',
              children: [],
            },
          ],
        },
      ],
    },
    { menuNo: 'adminUserList', menuName: 'Users', module: 'adminUser', children: [] },
  ],
};

export const user = {
  userId: 'li',
  userName: 'Li Wei',
  orgId: 'REFLOW',
  siteId: 'SZ',
  siteName: 'Shenzhen',
  access: ['rmaCheckBillList', 'rmaCheckBill:list', 'ubsIssueCodeList', 'ubsIssueCode:list', 'adminUserList'],
  roleIds: ['tech'],
};

const shellAnswers: Parameters<typeof fakeServer>[0] = {
  [watchDefinitions.path]: fakeStream({ last: 0 }).answer,
  '/api/captcha.json': { data: { captcha: 'data:image/svg+xml,<svg/>', uuid: 'first', demo: false } },
  '/api/login.json': { data: { token: 'fresh-token' } },
  '/api/userInfo.json': { data: user },
  '/api/sysMenu/queryTree.json': ({ query }) => ({ data: { items: tree[query['lang'] === 'en' ? 'en' : 'zh'] } }),
  '/api/dashBoard.json': { data: { coins: [], hashRate: null, cards: [], turnaround: [], returns: [] } },
  '/api/workQueue.json': { data: { queues: [] } },
  '/rest/session': { data: {} },
  '/api/sysBtn/queryByMenuNo.json': { data: { items: [] } },
  '/rest/jobs': { data: { items: [], total: 0 } },
  '/api/ubsLabelRule/ofSite.json': { data: { items: [] } },
  '/rest/views': { data: { items: [], columns: [], defaultId: null, roles: [] } },
};

interface Rendered {
  server: FakeServer;
  path: () => string;
  person: ReturnType<typeof userEvent.setup>;
  go: (to: string) => Promise<void>;
}

interface Options {
  answers?: Parameters<typeof fakeServer>[0];
  language?: 'zh' | 'en';
  /** Left out, somebody is signed in. */
  token?: string;
}

/** The whole client at an address, before a server that answers as told. */
export async function renderApp(
  at: string,
  { answers, language = 'en', token = 'token-of-li' }: Options = {},
): Promise<Rendered> {
  // Who looks for a role in the whole client takes what is hidden as well: telling it asks for each element's styles.
  configure({ defaultHidden: true });
  prepareBrowser();
  const server = fakeServer({ ...shellAnswers, ...answers });
  closeSession();
  notices.closeAll();
  await i18nProvider.changeLocale(language);
  if (token) openSession(token);
  const router = createMemoryRouter([{ path: '*', element: <App Modules={Modules} /> }], { initialEntries: [at] });
  render(<RouterProvider router={router} />);
  return {
    server,
    path: () => router.state.location.pathname,
    person: userEvent.setup(),
    go: (to) => act(() => router.navigate(to)),
  };
}

/** Calls that fail are also written to the console by react-admin; a test that makes them fail expects that. */
export const expectComplaints = () => vi.spyOn(console, 'error').mockImplementation(() => undefined);

/** What jsdom lacks: a wide window, and scrolling. What it is slow at: each name of a role asks for its styles. */
export function prepareBrowser(): void {
  const unstyled = document.createElement('div').style;
  vi.stubGlobal('getComputedStyle', () => unstyled);
  Element.prototype.scrollIntoView = () => undefined;
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('min-width') && !query.includes('max-width'),
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
  }));
}
