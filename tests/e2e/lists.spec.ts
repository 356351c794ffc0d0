import { expect, test } from './journey.ts';
import { visit } from './operator.ts';
import { signInAs, film, listenForErrors } from './workshop.ts';

const lists = [
  'rmaMaintainBillList',
  'rmaReceiveBillList',
  'rmaCheckBillList',
  'rmaRepairBillList',
  'rmaAssembleBillList',
  'rmaBurninBillList',
  'rmaExamineBillList',
  'rmaStoreBillList',
  'rmaStockupBillList',
];

test('the first column of each bill list is a link that opens the detail of its row [W-COM-08]', async ({
  page,
  context,
  baseURL,
}) => {
  const errors = listenForErrors(page);
  await signInAs(context, 'admin', baseURL as string);
  for (const menuNo of lists) {
    await visit(page, `/${menuNo}`);
    const link = page
      .locator('tbody tr')
      .filter({ visible: true })
      .first()
      .locator('td')
      .filter({ visible: true })
      .first()
      .getByRole('link');
    await expect(link, menuNo).toBeVisible();
    const number = (await link.innerText()).trim();
    await link.click();
    await expect(page).toHaveURL(new RegExp(`/${menuNo}/detail/\\d+$`));
    const search = page.getByRole('button', { name: '查询', exact: true }).filter({ visible: true });
    await expect(search, 'the list is left').toHaveCount(0);
    // The list stays behind its tab, out of sight.
    const shownNumber = page.getByRole('main').getByText(number).filter({ visible: true });
    await expect(shownNumber.filter({ visible: true }).first(), `${menuNo}: the detail of ${number}`).toBeVisible();
    await film(page, `detail-${menuNo}`);
  }
  expect(errors).toEqual([]);
});

for (const [width, lang] of [
  [1440, 'en'],
  [1024, 'zh'],
  [390, 'zh'],
] as const) {
  test(`in the advanced search no box lies on another, at ${width}`, async ({ page, context, baseURL }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.addInitScript((it) => localStorage.setItem('local', it), lang);
    await signInAs(context, 'office', baseURL as string);
    await page.goto('/rmaMaintainBillList');
    await page.getByRole('button', { name: /^(Advanced search|高级查询)$/ }).click();
    const dialog = page.getByRole('dialog');
    for (let i = 0; i < 3; i++) await dialog.locator('.ruleGroup-addRule').filter({ visible: true }).first().click();
    await dialog.locator('.ruleGroup-addGroup').click();
    const group = dialog.locator('.ruleGroup .ruleGroup');
    for (let i = 0; i < 2; i++) await group.locator('.ruleGroup-addRule').click();
    await expect(dialog.locator('.ruleGroup-combinators')).toHaveCount(5);
    const overlaps = await dialog.evaluate((it) => {
      const all = [...it.querySelectorAll('.ruleGroup-combinators, .rule > *, .ruleGroup-header button')];
      const boxes = all.map((box) => ({ name: box.className, at: box.getBoundingClientRect() }));
      return boxes.flatMap((a, i) =>
        boxes
          .slice(i + 1)
          .filter(
            ({ at: b }) => a.at.left < b.right && b.left < a.at.right && a.at.top < b.bottom && b.top < a.at.bottom,
          )
          .map((b) => `${a.name} on ${b.name}`),
      );
    });
    expect(overlaps).toEqual([]);
    await film(page, `advanced-search-${width}`);
  });
}

test('a list that is opened first is asked for ahead of its scripts, and once', async ({ page, context, baseURL }) => {
  await signInAs(context, 'office', baseURL as string);
  const asked: string[] = [];
  page.on('request', (it) => {
    const { pathname, search } = new URL(it.url());
    if (it.method() === 'GET' && /^\/(api|rest)\//.test(pathname)) asked.push(`${pathname}${search}`);
  });
  let arrive: () => void = () => undefined;
  const scripts = new Promise<void>((resolve) => (arrive = resolve));
  await page.route('**/assets/*.js', async (it) => {
    await scripts;
    await it.continue();
  });
  await page.goto('/rmaMaintainBillList', { waitUntil: 'commit' });
  const calls = ['userInfo', 'queryTree', 'pager', 'views', 'queryByMenuNo', 'searchItems'];
  await expect.poll(() => calls.filter((it) => !asked.some((address) => address.includes(it)))).toEqual([]);
  arrive();
  await expect(page.locator('tbody tr[data-id]').filter({ visible: true }).first()).toBeVisible();
  await expect(page.getByRole('button', { name: '导出' })).toBeVisible();
  await expect(page.getByRole('search').getByRole('textbox').filter({ visible: true }).first()).toBeVisible();
  expect(asked.filter((it, i) => asked.indexOf(it) !== i)).toEqual([]);
});
