import { expect, test, type Locator, type Page } from '@playwright/test';
import { readDefinition } from './operator.ts';
import { apiGet, fetchToken, film, listenForErrors, signInAs, words } from './workshop.ts';

const sizes = { zh: { width: 1024, height: 800 }, en: { width: 1440, height: 900 } } as const;
const TYPING = { delay: 130 } as const;

async function pick(page: Page, select: Locator, option: string | RegExp): Promise<void> {
  await select.click();
  await page.getByRole('listbox').getByRole('option', { name: option }).first().click();
  await page.getByRole('listbox').waitFor({ state: 'hidden' });
}

for (const language of ['zh', 'en'] as const) {
  const say = words(language);
  const buttonLabel = (path: string, btnNo: string) =>
    readDefinition(path).buttons.find((it) => it.btnNo === btnNo)?.label[language] ?? '';
  const both = (label: string) =>
    (['zh', 'en'] as const).map((it) => say(`studio.words.${it}`).replace('%{label}', label));

  /** The words in both languages, of which the fields are called by what they are for. */
  const fillWords = async (at: Page | Locator, label: string, zh: string, en: string) => {
    const [inChinese = '', inEnglish = ''] = both(label);
    await at.getByRole('textbox', { name: inChinese }).fill(zh);
    await at.getByRole('textbox', { name: inEnglish }).fill(en);
  };
  const addField = async (page: Page, zh: string, en: string, type?: string) => {
    await page.getByRole('button', { name: say('studio.fields.add'), exact: true }).click();
    const form = page.getByRole('form', { name: say('studio.fields.add') });
    await fillWords(form, say('studio.field.label'), zh, en);
    if (type)
      await pick(
        page,
        form.getByRole('combobox', { name: say('studio.field.type') }),
        say(`studio.field.types.${type}`),
      );
    await form.getByRole('button', { name: say('studio.fields.add'), exact: true }).click();
    await expect(form).toHaveCount(0);
  };
  const section = (page: Page, name: string) =>
    page.getByRole('tab', { name: new RegExp(`^${say(`studio.configure.${name}`)}`) }).click();
  const press = (page: Page, label: string) =>
    page
      .locator('#content')
      .getByRole('button', { name: label, exact: true })
      .filter({ visible: true })
      .first()
      .click();
  const publish = async (page: Page, note: string) => {
    await press(page, say('studio.draft.publish'));
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: say('studio.publish.note') }).pressSequentially(note, TYPING);
    await dialog.getByRole('button', { name: say('studio.publish.action'), exact: true }).click();
    await expect(page).toHaveURL(/sysPublishList\/detail\/\d+/);
    return Number(page.url().split('/').at(-1));
  };
  const row = (page: Page, text: string) =>
    page.locator('#content :is(tr, li)').filter({ hasText: text, visible: true }).last();

  test(`a field is added beside the list as it will be, published while another works, and taken back, in ${language}`, async ({
    page,
    browser,
    baseURL,
  }) => {
    const errors = listenForErrors(page);
    const label = `${language === 'zh' ? '电报' : 'Telegraph'} ${Date.now() % 100_000}`;
    await page.setViewportSize(sizes[language]);
    await page.addInitScript((it) => localStorage.setItem('local', it), language);
    await signInAs(page.context(), 'admin', baseURL as string);

    const other = await browser.newContext({ baseURL, viewport: sizes.en });
    await other.addInitScript((it) => localStorage.setItem('local', it), language);
    await signInAs(other, 'office', baseURL as string);
    const watching = await other.newPage();
    await watching.goto('/ubsShipmentList');
    await watching.locator('tbody tr').first().waitFor();

    await page.goto('/sysModuleList?filter={"module":"ubsShipment"}');
    await row(page, 'ubsShipment').getByRole('checkbox').or(row(page, 'ubsShipment')).first().click();
    await press(page, buttonLabel('system/sysModule', 'configure'));
    await addField(page, label, label);
    await section(page, 'form');
    // By keyboard alone the field goes up into the row above it.
    const chip = page.locator('[data-field]').last();
    const before = await page.getByRole('tabpanel').getByRole('listitem').count();
    await chip.focus();
    await page.keyboard.press('Alt+ArrowUp');
    await expect(page.getByRole('tabpanel').getByRole('listitem')).toHaveCount(before - 1);
    const frame = page.frameLocator('iframe');
    await expect(frame.getByRole('textbox', { name: label })).toBeVisible();
    await film(page, `studio-form-${language}`);
    await section(page, 'list');
    await expect(frame.getByRole('columnheader', { name: label })).toBeVisible();
    await film(page, `studio-edit-${language}`);

    await page.getByRole('link', { name: say('studio.configure.review') }).click();
    await expect(page.getByRole('status').filter({ hasText: say('studio.draft.fine') })).toBeVisible();
    await film(page, `studio-draft-${language}`);
    const id = await publish(page, 'Telegraph again');
    const published = Date.now();
    await expect(watching.getByRole('columnheader', { name: label })).toBeVisible({ timeout: 5000 });
    expect(Date.now() - published, 'until an open page has it, in ms').toBeLessThan(3000);
    await film(page, `studio-published-${language}`);

    await page.goto('/sysPublishList');
    await page.locator(`#content tr[data-id="${id}"]:visible`).click();
    await press(page, buttonLabel('system/sysPublish', 'takeBack'));
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: say('studio.publish.note') }).pressSequentially('by mistake', TYPING);
    await film(page, `studio-take-back-${language}`);
    await dialog.getByRole('button', { name: buttonLabel('system/sysPublish', 'takeBack'), exact: true }).click();
    await expect(dialog).toHaveCount(0);
    await expect(watching.getByRole('columnheader', { name: label })).toHaveCount(0, { timeout: 5000 });
    await other.close();
    expect(errors).toEqual([]);
  });

  test(`a loan of tools is made from nothing and used by another, in ${language}`, async ({
    page,
    request,
    browser,
    baseURL,
  }) => {
    const errors = listenForErrors(page);
    const began = Date.now();
    const stem = `Loan${language}${Date.now() % 100_000}`;
    const module = stem.charAt(0).toLowerCase() + stem.slice(1);
    await page.setViewportSize(sizes.en);
    await page.addInitScript((it) => localStorage.setItem('local', it), language);
    await signInAs(page.context(), 'admin', baseURL as string);
    await page.goto('/sysModuleList');
    await press(page, buttonLabel('system/sysModule', 'newModule'));
    const dialog = page.getByRole('dialog');
    await fillWords(dialog, say('studio.newModule.label'), `工具借用 ${stem}`, stem);
    await pick(
      page,
      dialog.getByRole('combobox', { name: say('studio.newModule.group') }),
      /(基础资料|Base data).*(物料|Items)/,
    );
    await film(page, `studio-new-module-${language}`);
    await dialog.getByRole('button', { name: say('studio.newModule.action'), exact: true }).click();
    await expect(page).toHaveURL(/sysDraftList\/configure\/\d+/);

    await addField(page, '借用人', 'Borrower');
    await addField(page, '数量', 'Count', 'Integer');
    await addField(page, '借出日期', 'Lent', 'date');
    await addField(page, '归还日期', 'Returned', 'date');
    await addField(page, '押金', 'Deposit', 'BigDecimal');
    await addField(page, '备注', 'Remark', 'LongString');
    await addField(page, '地点', 'Place', 'select');
    await pick(
      page,
      page.getByRole('combobox', { name: say('studio.field.refModule') }),
      language === 'zh' ? '站点' : 'Sites',
    );
    await section(page, 'rights');
    const table = page.getByRole('table', { name: say('studio.rights.title') });
    for (const role of ['office', 'viewer']) {
      const labels = await apiGet<{ items: { roleId: string; name: string; nameEn: string }[] }>(
        request,
        await fetchToken(request, 'admin'),
        '/api/adminRole/pager.json',
        { roleId: role },
      );
      const found = labels.items.find((it) => it.roleId === role);
      const name = (language === 'zh' ? found?.name : found?.nameEn) ?? '';
      const mine = table.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
      await mine
        .getByRole('checkbox')
        .nth(role === 'office' ? 1 : 0)
        .click();
    }
    await film(page, `studio-rights-${language}`);
    await page.getByRole('link', { name: say('studio.configure.review') }).click();
    await expect(page.getByRole('status').filter({ hasText: say('studio.draft.fine') })).toBeVisible();
    const id = await publish(page, 'The workshop lends its tools');
    const seconds = (Date.now() - began) / 1000;
    test.info().annotations.push({ type: 'from nothing to published', description: `${seconds.toFixed(1)} s` });
    expect(seconds).toBeLessThan(60);

    const other = await browser.newContext({ baseURL, viewport: sizes.en });
    await other.addInitScript((it) => localStorage.setItem('local', it), language);
    await signInAs(other, 'office', baseURL as string);
    const using = await other.newPage();
    await using.goto(`/${module}List`);
    await press(using, language === 'zh' ? '新增' : 'New');
    const form = using.getByRole('dialog');
    await form.getByRole('textbox', { name: new RegExp(language === 'zh' ? '^名称' : '^Name') }).fill('Multimeter');
    await form.getByRole('textbox', { name: new RegExp(language === 'zh' ? '^借用人' : '^Borrower') }).fill('Li');
    await form.locator('button[type=submit]').click();
    await expect(
      using.locator('#content').getByText('Multimeter', { exact: true }).filter({ visible: true }).first(),
    ).toBeVisible();
    await film(using, `studio-used-${language}`);
    await other.close();

    const token = await fetchToken(request, 'admin');
    const reply = await request.post('/api/sysPublish/takeBack.json', {
      ...{ data: { id, since: false, note: 'end of the journey' }, headers: { token }, params: { lang: language } },
    });
    expect(((await reply.json()) as { code: string }).code).toBe('000000');
    expect(errors).toEqual([]);
  });
}
