// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  chooseLanguage,
  closeSession,
  currentMenu,
  currentToken,
  currentUser,
  expireSession,
  onSessionLost,
  openSession,
  updateSessionEnd,
  type UserState,
} from '#app/session.ts';
import { loadMenu, loadUser } from '#app/sessionCalls.ts';
import { parsePageAddress } from '#app/shell/pageAddress.ts';
import { openedTabs, openTab } from '#app/shell/tabs.ts';
import { fakeServer } from '#app/testing/fakeServer.ts';

const li: UserState = {
  ...{ userId: 'li', userName: 'Li Wei', avatar: '', orgId: 'REFLOW', siteId: 'SZ', siteName: '', roleIds: [] },
  ...{ access: [], token: '', mustChangePassword: false },
};
const answers = {
  '/api/userInfo.json': {
    data: { userId: 'li', userName: 'Li Wei', orgId: 'REFLOW', siteId: 'SZ', access: ['a', 'm:list'] },
  },
  '/api/sysMenu/queryTree.json': { data: { items: [{ menuNo: 'rmaCheckBillList', menuName: 'Check bills' }] } },
};

afterEach(() => {
  closeSession();
  localStorage.clear();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

describe('the token', () => {
  it('is a cookie that lives as many days as configured, one by default [P-SES-01]', () => {
    const written: string[] = [];
    vi.spyOn(Document.prototype, 'cookie', 'set').mockImplementation((it) => void written.push(it));
    openSession('abc');
    vi.stubEnv('VITE_SESSION_DAYS', '7');
    openSession('def');
    openSession('ghi', 30);
    const tokens = written.filter((it) => !it.startsWith('token=;'));
    expect(tokens[0]).toMatch(/^token=abc; Path=\/; Max-Age=86400; SameSite=Strict/);
    expect(tokens[1]).toMatch(/^token=def; Path=\/; Max-Age=604800;/);
    expect(tokens[2]).toMatch(/^token=ghi; Path=\/; Max-Age=2592000;/);
  });
});

describe('a preview, which has cookies and storage in common with the window around it', () => {
  it('leaves both to that window where it is answered no, as by a draft that was published meanwhile', async () => {
    openSession('abc');
    localStorage.setItem('userId', 'li');
    vi.stubGlobal('name', 'reflow-preview 7 en');
    vi.stubGlobal('parent', {});
    vi.resetModules();
    const inFrame = await import('#app/session.ts');
    for (const end of [inFrame.dropToken, inFrame.closeSession]) {
      end();
      expect(inFrame.currentToken.get()).toBe('');
      expect([document.cookie, localStorage.getItem('userId')]).toEqual(['token=abc', 'li']);
    }
  });
});

describe('a window that learns of the end after another one has signed in anew', () => {
  /** Another window's sign-in, as it leaves cookie and storage to this one. */
  const elsewhere = (token: string, userId: string) => {
    document.cookie = `token=${token}; Path=/`;
    localStorage.setItem('userId', userId);
    localStorage.setItem('tagNavList', '[]');
  };
  const losses = async (userId: string) => {
    fakeServer(answers);
    openSession('old');
    await loadUser();
    elsewhere('new', userId);
    const heard = vi.fn();
    const stop = onSessionLost(heard);
    expireSession('old');
    stop();
    return heard.mock.calls.length;
  };
  const kept = () => [document.cookie, localStorage.getItem('userId'), localStorage.getItem('tagNavList')];

  it('goes on with that session of the same user, and says nothing', async () => {
    expect(await losses('li')).toBe(0);
    expect([currentToken.get(), currentUser.get()?.userId]).toEqual(['new', 'li']);
    expect(kept()).toEqual(['token=new', 'li', '[]']);
  });

  it('takes nothing from another user’s, and is at the sign-in itself', async () => {
    expect(await losses('wang')).toBe(1);
    expect(currentToken.get()).toBe('');
    expect(kept()).toEqual(['token=new', 'wang', '[]']);
    expect(localStorage.getItem('tagNavList.lost')).toBeNull();
  });

  it('signs out without it, and keeps its own answers from it', () => {
    openSession('old');
    elsewhere('new', 'wang');
    updateSessionEnd('old', '600');
    closeSession();
    expect(kept()).toEqual(['token=new', 'wang', '[]']);
    openSession('next');
    expect(kept()).toEqual(['token=next', null, null]);
  });

  it.each([
    ['holds', 'new'],
    ['has run out', ''],
  ])('leaves what another user lost and has, where it signs out and their cookie %s', async (_, token) => {
    fakeServer(answers);
    openSession('old');
    await loadUser();
    elsewhere(token, 'wang');
    localStorage.setItem('tagNavList.lost', '["wang","[]","/page"]');
    const before = { ...localStorage };
    closeSession();
    expect({ ...localStorage }).toEqual(before);
  });

  it('writes nothing of its own over what another user has: user, menu and tabs', async () => {
    fakeServer(answers);
    openSession('old');
    await loadUser();
    elsewhere('new', 'wang');
    localStorage.setItem('userKept', 'of wang');
    const before = { ...localStorage };
    await loadUser();
    await loadMenu();
    openTab({ ...parsePageAddress('/rmaCheckBillList') }, '/rmaCheckBillList');
    expect({ ...localStorage }).toEqual(before);
    expect(openedTabs().map((it) => it.address)).toContain('/rmaCheckBillList');
  });
});

describe('two windows of one session', () => {
  const load = () => {
    vi.resetModules();
    return import('#app/session.ts');
  };
  type Window = Awaited<ReturnType<typeof load>>;
  const loses = (it: Window, page: string) => {
    it.expireSession('old');
    it.rememberLostPage(page);
  };
  const signsIn = (it: Window, token: string) => {
    it.openSession(token);
    it.saveUser({ ...li, token });
    return [it.lostPage.get(), localStorage.getItem('tagNavList')];
  };
  /** Each holds what it knows in its own memory; the browser's storage and cookie they have in common. */
  const open = async (): Promise<Window> => {
    const it = await load();
    it.saveUser({ ...li, token: 'old' });
    return it;
  };
  const openBoth = async () => {
    openSession('old');
    localStorage.setItem('tagNavList', '[1]');
    return [await open(), await open()] as const;
  };

  it.each([
    ['before', [1, 0]],
    ['after', [0, 1]],
  ])('begin at home where one has left, and the other learnt of the end %s that', async (_, order) => {
    const [one, two] = await openBoth();
    const turns = [() => one.closeSession(), () => loses(two, '/two')];
    for (const it of order) turns[it]?.();
    expect(localStorage.getItem('tagNavList.lost')).toBeNull();
    expect(signsIn(one, 'next')).toEqual(['', null]);
  });

  it.each([[[0, 1]], [[1, 0]]])(
    'come back to their own pages, with the tabs, whoever loses it first (%j)',
    async (order) => {
      const windows = await openBoth();
      for (const it of order) loses(windows[it] as Window, `/page${it}`);
      expect(JSON.parse(localStorage.getItem('tagNavList.lost') ?? '')).toEqual(['li', '[1]', `/page${order[0]}`]);
      expect(signsIn(windows[0], 'next')).toEqual(['/page0', '[1]']);
      expect(signsIn(windows[1], 'after')[0]).toEqual('/page1');
    },
  );

  it('leave page and tabs of the first to whichever is loaded anew', async () => {
    const windows = await openBoth();
    for (const it of [0, 1]) loses(windows[it] as Window, `/page${it}`);
    expect(signsIn(await load(), 'next')).toEqual(['/page0', '[1]']);
  });
});

describe('local storage', () => {
  it('holds user, organisation, site, language and menu [P-SES-02] [P-SES-04] [P-MNU-02]', async () => {
    const server = fakeServer(answers);
    openSession('abc');
    chooseLanguage('en');
    await loadUser();
    await loadMenu();
    expect({ ...localStorage }).toMatchObject({ userId: 'li', orgId: 'REFLOW', siteId: 'SZ', local: 'en' });
    expect(JSON.parse(localStorage.getItem('menuList') ?? '')).toEqual(
      answers['/api/sysMenu/queryTree.json'].data.items,
    );
    expect(server.calls('/api/sysMenu/queryTree.json')[0]?.query).toEqual({ lang: 'en' });
    expect(server.calls('/api/userInfo.json')[0]?.body).toBe('');
  });

  it('forgets everything of a user who leaves, but not the language', async () => {
    fakeServer(answers);
    openSession('abc');
    chooseLanguage('en');
    await loadUser();
    await loadMenu();
    closeSession();
    expect({ ...localStorage }).toEqual({ local: 'en' });
    expect([currentUser.get(), currentMenu.get()]).toEqual([null, null]);
  });
});

describe('the menu of who was here before', () => {
  it('goes with a session that was dead before anybody was known by it', async () => {
    fakeServer(answers);
    openSession('dead');
    await loadMenu();
    expireSession('dead');
    expect(currentMenu.get()).toBeNull();
  });

  it('is not kept where its answer comes once another session began', async () => {
    type Menu = (typeof answers)['/api/sysMenu/queryTree.json'];
    let answer = (_: Menu): void => undefined;
    const late = new Promise<Menu>((resolve) => (answer = resolve));
    fakeServer({ ...answers, '/api/sysMenu/queryTree.json': () => late });
    openSession('first');
    const asked = loadMenu().catch(() => undefined);
    openSession('second');
    answer(answers['/api/sysMenu/queryTree.json']);
    await asked;
    expect([currentMenu.get(), localStorage.getItem('menuList')]).toEqual([null, null]);
  });
});

describe('the user state', () => {
  it('holds name, id, avatar, access and token [P-SES-03]', async () => {
    fakeServer(answers);
    openSession('abc');
    await loadUser();
    expect(currentUser.get()).toMatchObject({
      userName: 'Li Wei',
      userId: 'li',
      avatar: '',
      access: ['a', 'm:list'],
      token: 'abc',
    });
  });

  it('takes the id for a name that the server does not tell, and an access list with commas', async () => {
    fakeServer({ '/api/userInfo.json': { data: { userId: 'li', access: 'a,b' } } });
    expect(await loadUser()).toMatchObject({ userName: 'li', access: ['a', 'b'] });
  });
});
