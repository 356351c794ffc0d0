import { expect, test } from './journey.ts';
import { figures } from './shift.ts';
import { asGzip, countScripts, withoutStreams } from './weigh.ts';
import { signInAs } from './workshop.ts';

/** In kB of gzip: what the first pages may load of JavaScript, all that comes until they are at rest. */
const BUDGETS = { login: 247, list: 397 };

test('the sign-in and a list load no more JavaScript than they may', async ({ browser, baseURL }) => {
  /** All of a browser that was never here before. */
  const weigh = async (path: string, whole: string, userId?: string) => {
    const context = await browser.newContext({ baseURL, locale: 'zh-CN', serviceWorkers: 'block', ...asGzip });
    if (userId) await signInAs(context, userId, baseURL as string);
    const page = await context.newPage();
    await withoutStreams(page);
    const scripts = countScripts(page);
    await page.goto(path);
    await page.locator(whole).filter({ visible: true }).first().waitFor();
    await page.waitForLoadState('networkidle');
    const kb = await scripts.kb();
    await context.close();
    return kb;
  };
  const login = await weigh('/login', 'input[type=password]');
  const list = await weigh('/rmaCheckBillList', 'tbody tr', 'tech');
  figures(`JavaScript as gzip: sign-in ${login} kB of ${BUDGETS.login}, a list ${list} kB of ${BUDGETS.list}`);
  // Else the scripts were not counted.
  expect(login).toBeGreaterThan(50);
  expect(list).toBeGreaterThan(login);
  expect(login).toBeLessThanOrEqual(BUDGETS.login);
  expect(list).toBeLessThanOrEqual(BUDGETS.list);
});
