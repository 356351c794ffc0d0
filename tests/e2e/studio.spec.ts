import { readFileSync } from 'node:fs';
import { writeXlsx, type CellValue } from 'hucre';
import pg from 'pg';
import type { APIRequestContext, BrowserContext, Locator, Page } from '@playwright/test';
import { findRunning } from '#server/db/embedded.ts';
import { PREPARE_LOCK } from '#server/db/migrate.ts';
import { ROOT } from '#server/root.ts';
import { expect, test } from './journey.ts';
import { languagesOf } from './languages.ts';
import { bringAxe, findingsIn, isStill } from './axe.ts';
import { newNumber } from './newWord.ts';
import { readDefinition } from './operator.ts';
import { figures } from './shift.ts';
import { apiGet, fetchToken, film, listenForErrors, signInAs, words } from './workshop.ts';

const sizes = { zh: { width: 1024, height: 800 }, en: { width: 1440, height: 900 } } as const;
const TYPING = { delay: 130 } as const;

async function pick(page: Page, select: Locator, option: string | RegExp): Promise<void> {
  await select.click();
  await page.getByRole('listbox').getByRole('option', { name: option }).filter({ visible: true }).first().click();
  await page.getByRole('listbox').waitFor({ state: 'hidden' });
}

for (const language of ['zh', 'en'] as const) {
  let place = 0;
  /** A test, if it is this language's turn; otherwise nothing. */
  const inTurn = () =>
    languagesOf((place += 1)).includes(language) ? test : (((): void => undefined) as unknown as typeof test);
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
  /** Somebody of the office looks at another screen. */
  const openAsOffice = async (openProfile: () => Promise<BrowserContext>, baseURL: string) => {
    const profile = await openProfile();
    await signInAs(profile, 'office', baseURL);
    const page = await profile.newPage();
    await page.addInitScript((it) => localStorage.setItem('local', it), language);
    return page;
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
    await dialog.getByRole('textbox', { name: say('studio.publish.note') }).fill(note);
    await dialog.getByRole('button', { name: say('studio.publish.action'), exact: true }).click();
    await expect(page).toHaveURL(/sysPublishList\/detail\/\d+/);
    return Number(page.url().split('/').at(-1));
  };
  /** What the difference says of a place, in the words of the editor. */
  const expectTold = async (page: Page, place: string, text: string | RegExp) => {
    const at = page.getByRole('term').filter({ hasText: place, visible: true });
    await expect(at.locator('xpath=following-sibling::dd[1]')).toHaveText(text);
  };
  const row = (page: Page, text: string) =>
    page.locator('#content :is(tr, li)').filter({ hasText: text, visible: true }).filter({ visible: true }).last();

  inTurn()(
    `a field is added beside the list as it will be, published while another works, and taken back, in ${language}`,
    async ({ page, openProfile, baseURL }) => {
      const errors = listenForErrors(page);
      const label = `${language === 'zh' ? '电报' : 'Telegraph'} ${newNumber()}`;
      await page.setViewportSize(sizes[language]);
      await page.addInitScript((it) => localStorage.setItem('local', it), language);
      await signInAs(page.context(), 'admin', baseURL as string);

      const watching = await openAsOffice(openProfile, baseURL as string);
      await watching.goto('/ubsShipmentList');
      await watching.locator('tbody tr').filter({ visible: true }).first().waitFor();

      await page.goto('/sysModuleList?filter={"module":"ubsShipment"}');
      await row(page, 'ubsShipment')
        .getByRole('checkbox')
        .or(row(page, 'ubsShipment'))
        .filter({ visible: true })
        .first()
        .click();
      await press(page, buttonLabel('system/sysModule', 'configure'));
      await addField(page, label, label);
      await section(page, 'form');
      // By keyboard alone the field goes up into the row above it.
      const chip = page.locator('[data-field]').filter({ visible: true }).last();
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
      await expect(watching.getByRole('columnheader', { name: label })).toBeVisible();
      const until = `${Date.now() - published} ms`;
      test.info().annotations.push({ type: 'until an open page has it', description: until });
      await film(page, `studio-published-${language}`);

      await page.goto('/sysPublishList');
      await page.locator(`#content tr[data-id="${id}"]:visible`).click();
      await press(page, buttonLabel('system/sysPublish', 'takeBack'));
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox', { name: say('studio.publish.note') }).pressSequentially('by mistake', TYPING);
      await film(page, `studio-take-back-${language}`);
      await dialog.getByRole('button', { name: buttonLabel('system/sysPublish', 'takeBack'), exact: true }).click();
      await expect(dialog).toHaveCount(0);
      await expect(watching.getByRole('columnheader', { name: label })).toHaveCount(0);
      expect(errors).toEqual([]);
    },
  );

  inTurn()(
    `a publish that takes long is left, found again with its progress, cancelled and ordered anew, in ${language}`,
    async ({ page, request, server, baseURL }) => {
      const errors = listenForErrors(page);
      const name = `Long ${language} ${newNumber()}`;
      await page.setViewportSize(sizes[language]);
      await page.addInitScript((it) => localStorage.setItem('local', it), language);
      await signInAs(page.context(), 'admin', baseURL as string);
      const { id: draftId } = await post<{ id: number }>(request, 'sysDraft/create', { name });
      const change = { label: { zh: name, en: name } };
      await post(request, 'sysModule/saveChange', { draftId, module: 'ubsCountry', version: 0, change });
      // Who holds it is no publish, and so taken for a server that starts.
      const [waits = ''] = say('studio.publish.steps.waitStart').split('%{time}');
      const step = page.getByText(waits.trim()).filter({ visible: true });
      const order = async (note: string) => {
        await press(page, say('studio.draft.publish'));
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('textbox', { name: say('studio.publish.note') }).fill(note);
        await dialog.getByRole('button', { name: say('studio.publish.action'), exact: true }).click();
        await expect(dialog.getByText(waits.trim())).toBeVisible();
        return dialog;
      };

      // Somebody else publishes: this one waits for as long as we like.
      const letGo = await holdPublishes(server.dataDir);
      await page.goto(`/sysDraftList/detail/${draftId}`);
      const dialog = await order('Not yet');
      await expect(dialog.getByRole('progressbar')).toBeVisible();
      await film(page, `studio-publishing-${language}`);
      await page.reload();
      await expect(step).toBeVisible();
      await expect(page.getByRole('button', { name: say('studio.draft.publish'), exact: true })).toHaveCount(0);
      await film(page, `studio-publishing-again-${language}`);

      await press(page, say('shell.jobs.cancel'));
      await expect(step).toHaveCount(0);
      const again = await order('After all');
      await again.getByRole('button', { name: say('shell.jobs.background') }).click();
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await expect(step).toBeVisible();
      await letGo();
      const link = page
        .getByRole('link', { name: say('studio.draft.publishedAs').split('%{id}')[0] })
        .filter({ visible: true });
      await expect(link).toBeVisible();
      await expect(step).toHaveCount(0);
      const [, id] = /(\d+)$/.exec((await link.getAttribute('href')) ?? '') ?? [];
      await takenBack(request, Number(id));
      expect(errors).toEqual([]);
    },
  );

  inTurn()(
    `a loan of tools is made from nothing and used by another, in ${language}`,
    async ({ page, request, openProfile, baseURL }) => {
      const errors = listenForErrors(page);
      const began = Date.now();
      const stem = `Loan${language}${newNumber()}`;
      const module = stem.charAt(0).toLowerCase() + stem.slice(1);
      await page.setViewportSize(sizes.en);
      await page.addInitScript((it) => localStorage.setItem('local', it), language);
      await page.addInitScript(() => {
        const count = (what: string) => (sessionStorage[what] = Number(sessionStorage[what] ?? 0) + 1);
        const isText = (it: EventTarget | null) =>
          it instanceof HTMLElement && it.matches('input[type=text], textarea');
        addEventListener('click', () => count('clicks'), true);
        addEventListener('focusin', ({ target }) => isText(target) && count('texts'), true);
      });
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
      await addField(page, '押金', 'Deposit', 'amount');
      await addField(page, '备注', 'Remark', 'LongString');
      await addField(page, '地点', 'Place', 'select');
      await pick(
        page,
        page.getByRole('combobox', { name: say('studio.field.refModule') }),
        language === 'zh' ? '站点' : 'Sites',
      );
      // Where a tool is: a list of its own, on which two rules of the day of its return depend.
      const list = `states${stem}`;
      const [out, back, state] = language === 'zh' ? ['借出', '已还', '状态'] : ['Lent out', 'Back', 'State'];
      await section(page, 'options');
      const addValue = async (kind: string, zh: string, en: string, value?: string) => {
        await press(page, say(`studio.options.${kind}.add`));
        const adding = page.getByRole('form', { name: say(`studio.options.${kind}.add`) });
        await fillWords(adding, say('studio.options.label'), zh, en);
        if (value) await adding.getByRole('textbox', { name: say(`studio.options.${kind}.value`) }).fill(value);
        await adding.getByRole('button', { name: say(`studio.options.${kind}.add`), exact: true }).click();
        await expect(adding).toHaveCount(0);
      };
      await addValue('newList', '借出', 'Lent out', list);
      await addValue('newValue', '已还', 'Back');
      await section(page, 'fields');
      await addField(page, '状态', 'State', 'select');
      await pick(page, page.getByRole('combobox', { name: say('studio.field.options') }), new RegExp(`^${list}`));
      const fieldRow = (label: string) => page.getByRole('button', { name: new RegExp(`^${label}`), expanded: false });
      await fieldRow(language === 'zh' ? '归还日期' : 'Returned').click();
      for (const rule of ['visibleWhen', 'requiredWhen']) {
        const condition = page.getByRole('group', { name: say(`studio.field.${rule}`) });
        await condition.getByRole('button', { name: say('studio.when.add') }).click();
        await pick(page, condition.getByRole('combobox', { name: say('studio.when.field') }), state);
        // More values than one may be chosen: the list stays open.
        await condition.getByRole('combobox', { name: say('studio.when.values') }).click();
        await page.getByRole('listbox').getByRole('option', { name: back }).click();
        await page.keyboard.press('Escape');
        await page.getByRole('listbox').waitFor({ state: 'hidden' });
      }
      await film(page, `studio-rules-${language}`);
      await section(page, 'rights');
      const tree = page.getByRole('tree', { name: say('studio.rights.title') });
      const create = language === 'zh' ? '新增' : 'New';
      const may = new Map<string, string | RegExp>();
      for (const role of ['office', 'viewer']) {
        const labels = await apiGet<{ items: { roleId: string; name: string; nameEn: string }[] }>(
          request,
          await fetchToken(request, 'admin'),
          '/api/adminRole/pager.json',
          { roleId: role },
        );
        const found = labels.items.find((it) => it.roleId === role);
        const name = (language === 'zh' ? found?.name : found?.nameEn) ?? '';
        const mine = tree.getByRole('treeitem', { name: new RegExp(`^${name}[ （]`) });
        const list = mine.getByRole('treeitem', { name: say('studio.rights.list') });
        await mine.getByText(new RegExp(`^${name}[ （]`)).click();
        // A box that is still unfolding is scrolled to within what unfolds, and stands elsewhere a moment later.
        await expect(mine.locator('> .MuiCollapse-entered')).toBeVisible();
        if (role === 'viewer') await boxOf(list).click();
        else {
          // The button brings the list, and its role and it are half checked.
          await list.getByText(say('studio.rights.list')).click();
          await expect(list.locator('> .MuiCollapse-entered')).toBeVisible();
          await boxOf(list.getByRole('treeitem', { name: create })).click();
          for (const it of [mine, list]) await expect(it).toHaveAttribute('aria-checked', 'mixed');
        }
        // The box of the list is that of its buttons as well.
        const comma = say('studio.changes.marks.comma');
        const first = `${say('studio.rights.list')}${comma}${create}`;
        may.set(name, role === 'office' ? first : new RegExp(`^${first}${comma}`));
      }
      await film(page, `studio-rights-${language}`);
      await page.getByRole('link', { name: say('studio.configure.review') }).click();
      await expect(page.getByRole('status').filter({ hasText: say('studio.draft.fine') })).toBeVisible();
      const id = await publish(page, 'The workshop lends its tools');
      const seconds = (Date.now() - began) / 1000;
      const steps = await page.evaluate(() => `${sessionStorage['clicks']} clicks, ${sessionStorage['texts']} texts`);
      for (const [role, rights] of may) await expectTold(page, `${say('studio.configure.rights')} · ${role}`, rights);
      await film(page, `studio-history-${language}`);
      figures(`from nothing to published: ${seconds.toFixed(1)} s, ${steps}`);

      const using = await openAsOffice(openProfile, baseURL as string);
      await using.goto(`/${module}List`);
      await press(using, language === 'zh' ? '新增' : 'New');
      const form = using.getByRole('dialog');
      await form.getByRole('textbox', { name: new RegExp(language === 'zh' ? '^名称' : '^Name') }).fill('Multimeter');
      await form.getByRole('textbox', { name: new RegExp(language === 'zh' ? '^借用人' : '^Borrower') }).fill('Li');
      // The day of its return is asked for once it is back, and not before.
      const returned = form.locator('label').filter({ hasText: language === 'zh' ? '归还日期' : 'Returned' });
      await pick(using, form.getByRole('combobox', { name: state }), back);
      await expect(returned).toBeVisible();
      await form.locator('button[type=submit]').click();
      await expect(form.getByText(say('shell.form.required')).filter({ visible: true }).first()).toBeVisible();
      await pick(using, form.getByRole('combobox', { name: state }), out);
      await expect(returned).toHaveCount(0);
      await form.locator('button[type=submit]').click();
      await expect(
        using.locator('#content').getByText('Multimeter', { exact: true }).filter({ visible: true }).first(),
      ).toBeVisible();
      await film(using, `studio-used-${language}`);

      await takenBack(request, id);
      expect(errors).toEqual([]);
    },
  );

  inTurn()(
    `a list gets a value with a colour, another is retired, and the menu is shaped by keyboard alone, in ${language}`,
    async ({ page, request, openProfile, baseURL }) => {
      const errors = listenForErrors(page);
      const [paused, fresh] = language === 'zh' ? ['暂停生产', '生产资料'] : ['Paused orders', 'Production papers'];
      const [closed, orders] = [
        language === 'zh' ? '已关闭' : 'Closed',
        readDefinition('base/ubsProductOrder').label[language],
      ];
      await page.setViewportSize(sizes.en);
      await page.addInitScript((it) => localStorage.setItem('local', it), language);
      await signInAs(page.context(), 'admin', baseURL as string);

      await page.goto('/sysModuleList/configure/ubsProductOrder');
      await section(page, 'options');
      await page.getByRole('button', { name: say('studio.options.newValue.add'), exact: true }).click();
      const form = page.getByRole('form', { name: say('studio.options.newValue.add') });
      await fillWords(form, say('studio.options.label'), paused, paused);
      await form.getByRole('textbox', { name: say('studio.options.newValue.value') }).fill('2');
      await form.getByRole('button', { name: say('studio.options.newValue.add'), exact: true }).click();
      const values = page.getByRole('tabpanel').getByRole('listitem');
      await values.filter({ hasText: paused }).getByRole('button').filter({ visible: true }).first().click();
      await pick(
        page,
        page.getByRole('combobox', { name: say('studio.options.tone') }),
        say('studio.options.tones.waits'),
      );
      await values.filter({ visible: true }).nth(1).getByRole('button').filter({ visible: true }).first().click();
      // It is kept a moment after it was said.
      await Promise.all([
        page.waitForResponse(
          (it) => it.url().includes('/sysModule/saveChange.json') && retires(it.request().postData()),
        ),
        page.getByRole('checkbox', { name: say('studio.options.retired') }).check(),
      ]);
      await film(page, `studio-options-${language}`);

      // The same draft: its menu, without a mouse.
      const review = page.getByRole('link', { name: say('studio.configure.review') });
      await expect(review).toBeVisible();
      const draftId = (await review.getAttribute('href'))?.split('/').at(-1);
      await page.goto(`/sysDraftList/configure/${draftId}?module=menu`);
      const rows = page
        .getByRole('list', { name: say('studio.menu.title'), exact: true })
        .filter({ visible: true })
        .first();
      const entry = rows.locator('[data-menu=ubsProductOrderList]');
      await entry.focus();
      for (let i = 0; i < 3 && !/level 1$|第 1 级/.test(await levelOf(entry)); i++)
        await page.keyboard.press('Alt+ArrowLeft');
      const add = page.getByRole('button', { name: say('studio.options.newGroup.add'), exact: true });
      await add.focus();
      await page.keyboard.press('Enter');
      await page.keyboard.type(language === 'zh' ? fresh : '生产资料', TYPING);
      await page.keyboard.press('Tab');
      await page.keyboard.type('Production papers', TYPING);
      await page.keyboard.press('Enter');
      await entry.focus();
      for (let i = 0; i < 40 && (await isAbove(rows, 'ubsProductOrderList', 'productionPapers')); i++)
        await page.keyboard.press('Alt+ArrowDown');
      await page.keyboard.press('Alt+ArrowDown');
      await expect(entry).toBeFocused();
      await page.keyboard.press('Alt+ArrowRight');
      await expect(entry).toBeFocused();
      await expect(entry).toHaveAccessibleName(
        say('studio.menu.node').replace('%{name}', orders).replace('%{level}', '2').replace('%{place}', '1'),
      );
      await expect(
        page.frameLocator('iframe').getByRole('navigation').getByRole('button', { name: fresh, exact: true }),
      ).toBeVisible();
      await film(page, `studio-menu-${language}`);

      await page.getByRole('link', { name: say('studio.configure.review') }).click();
      await expect(page.getByRole('status').filter({ hasText: say('studio.draft.fine') })).toBeVisible();
      await film(page, `studio-options-draft-${language}`);
      const id = await publish(page, 'Orders may pause');
      const place = `${say('studio.menu.title')} · ${fresh} · ${say('studio.menu.holds')}`;
      await expectTold(page, place, orders);
      await film(page, `studio-options-history-${language}`);

      const using = await openAsOffice(openProfile, baseURL as string);
      await using.goto('/ubsProductOrderList');
      await expect(using.getByRole('navigation').getByRole('button', { name: fresh, exact: true })).toBeVisible();
      await page.goto('/ubsProductOrderList');
      await press(page, language === 'zh' ? '新增' : 'New');
      await page
        .getByRole('dialog')
        .getByRole('combobox', { name: /^(状态|Status)/ })
        .click();
      const offered = page.getByRole('listbox').getByRole('option');
      await expect(offered.filter({ hasText: paused })).toBeVisible();
      await expect(offered.filter({ hasText: closed })).toHaveCount(0);
      await film(page, `studio-options-used-${language}`);

      await takenBack(request, id);
      expect(errors).toEqual([]);
    },
  );

  inTurn()(
    `a workbook of 200 rows becomes a module, and its rows are imported, in ${language}`,
    async ({ page, request, baseURL }) => {
      const errors = listenForErrors(page);
      const began = Date.now();
      const stem = `Fleet${language}${newNumber()}`;
      const module = stem.charAt(0).toLowerCase() + stem.slice(1);
      const heads =
        language === 'zh' ? ['车牌', '车型', '里程（公里）', '购入日期'] : ['Plate', 'Kind', 'Mileage (km)', 'Bought'];
      const kinds = language === 'zh' ? ['货车', '轿车'] : ['Lorry', 'Car'];
      const rows = Array.from({ length: 200 }, (_, i): CellValue[] => [
        ...[`${language.toUpperCase()}-${String(i).padStart(4, '0')}`, kinds[i % 2] as string],
        ...[1000 + i, `2026-01-${String((i % 28) + 1).padStart(2, '0')}`],
      ]);
      const workbook = {
        name: 'fleet.xlsx',
        mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        buffer: Buffer.from(await writeXlsx({ sheets: [{ name: 'S', rows: [heads, ...rows] }] })),
      };
      await page.setViewportSize(sizes.en);
      await page.addInitScript((it) => localStorage.setItem('local', it), language);
      await signInAs(page.context(), 'admin', baseURL as string);
      await page.goto('/sysModuleList');
      await press(page, buttonLabel('system/sysModule', 'newModule'));
      const dialog = page.getByRole('dialog');
      await fillWords(dialog, say('studio.newModule.label'), `车辆 ${stem}`, stem);
      await dialog.locator('input[type=file]').setInputFiles(workbook);
      const guessed = dialog.getByRole('table', { name: say('studio.guess.title') }).getByRole('combobox');
      for (const [i, type] of ['String', 'select', 'Integer', 'date'].entries())
        await expect(guessed.filter({ visible: true }).nth(i)).toHaveText(say(`studio.field.types.${type}`));
      await film(page, `studio-workbook-${language}`);
      await pick(page, guessed.filter({ visible: true }).nth(2), say('studio.field.types.BigDecimal'));
      await pick(
        page,
        dialog.getByRole('combobox', { name: say('studio.newModule.group') }),
        /(基础资料|Base data).*(物料|Items)/,
      );
      await dialog.getByRole('button', { name: say('studio.newModule.action'), exact: true }).click();
      await expect(page).toHaveURL(/sysDraftList\/configure\/\d+/);
      await page.getByRole('link', { name: say('studio.configure.review') }).click();
      await expect(page.getByRole('status').filter({ hasText: say('studio.draft.fine') })).toBeVisible();
      const id = await publish(page, 'The fleet');

      await page.goto(`/${module}List`);
      await press(page, language === 'zh' ? '导入' : 'Import');
      const rowsDialog = page.getByRole('dialog');
      await rowsDialog.locator('input[type=file]').setInputFiles(workbook);
      await rowsDialog.getByRole('button', { name: language === 'zh' ? '检查' : 'Check' }).click();
      await rowsDialog.getByRole('button', { name: language === 'zh' ? '导入 200 行' : 'Import 200 rows' }).click();
      await expect(rowsDialog).toBeHidden();
      const seconds = (Date.now() - began) / 1000;
      test.info().annotations.push({ type: 'from a workbook to its rows', description: `${seconds.toFixed(1)} s` });
      const { itemTotal } = await apiGet<{ itemTotal: number }>(
        request,
        await fetchToken(request, 'admin'),
        `/api/${module}/pager.json`,
      );
      expect(itemTotal).toBe(200);
      await film(page, `studio-workbook-rows-${language}`);

      await takenBack(request, id);
      expect(errors).toEqual([]);
    },
  );

  inTurn()(
    `a list is shaped from where one looks at it: a column renamed and hidden, a field begun in the form, in ${language}`,
    async ({ page, request, baseURL }) => {
      const errors = listenForErrors(page);
      const { fields } = readDefinition('base/ubsShipment') as unknown as {
        fields: Record<string, { label: Record<string, string> }>;
      };
      const [hidden, old] = ['nameEn', 'name'].map((it) => fields[it]?.label[language] ?? '');
      const renamed = `${language === 'zh' ? '承运商' : 'Carrier'} ${newNumber()}`;
      await page.setViewportSize(sizes[language]);
      await page.addInitScript((it) => localStorage.setItem('local', it), language);
      await signInAs(page.context(), 'admin', baseURL as string);
      const heading = (label: string) =>
        page.locator('#content').getByRole('columnheader', { name: label, exact: true });
      const choose = async (label: string, entry: string) => {
        await page.goto('/ubsShipmentList');
        await heading(label).click({ button: 'right' });
        await page.getByRole('menu').waitFor();
        await isStill(page);
        await film(page, `studio-column-menu-${language}`);
        await page.getByRole('menuitem', { name: say(`lists.columns.${entry}`) }).click();
        await expect(page).toHaveURL(/configure\/ubsShipment/);
      };
      await choose(old ?? '', 'rename');
      await expect(page.getByRole('textbox', { name: both(say('studio.field.label'))[0] })).toBeFocused();
      await fillWords(page, say('studio.field.label'), renamed, renamed);
      await expect(page.frameLocator('iframe').getByRole('columnheader', { name: renamed })).toBeVisible();

      await choose(hidden ?? '', 'hideForAll');
      const out = say('studio.order.out').replace('%{name}', hidden ?? '');
      const own = page
        .getByRole('tabpanel')
        .getByRole('listitem')
        .filter({ has: page.getByRole('button', { name: out }) });
      await expect(own.locator(':focus')).toHaveCount(1);
      await own.getByRole('button', { name: out }).click();
      await film(page, `studio-column-hidden-${language}`);
      await page.getByRole('link', { name: say('studio.configure.review') }).click();
      await expect(page.getByRole('status').filter({ hasText: say('studio.draft.fine') })).toBeVisible();
      const published = await publish(page, 'As the carriers call it');
      await page.goto('/ubsShipmentList');
      await expect(heading(renamed)).toBeVisible();
      await expect(heading(hidden ?? '')).toHaveCount(0);

      await press(page, language === 'zh' ? '新增' : 'New');
      await film(page, `studio-form-here-${language}`);
      await page
        .getByRole('dialog')
        .getByRole('link', { name: say('shell.form.addField') })
        .click();
      await expect(page.getByRole('form', { name: say('studio.fields.add') })).toBeVisible();
      await takenBack(request, published);
      expect(errors).toEqual([]);
    },
  );

  inTurn()(
    `a field is computed from others, as the form shows while one types and the list afterwards, in ${language}`,
    async ({ page, request, baseURL }) => {
      const errors = listenForErrors(page);
      const stem = String(newNumber());
      const [pieces, price, worth] =
        language === 'zh'
          ? [`件数${stem}`, `单价${stem}`, `总价${stem}`]
          : [`Pieces ${stem}`, `Price ${stem}`, `Worth ${stem}`];
      await page.setViewportSize(sizes[language]);
      await page.addInitScript((it) => localStorage.setItem('local', it), language);
      await signInAs(page.context(), 'admin', baseURL as string);
      await page.goto('/sysModuleList/configure/ubsShipment');
      await addField(page, pieces, pieces, 'Integer');
      await addField(page, price, price, 'amount');
      await addField(page, worth, worth, 'amount');
      const expression = page.getByRole('textbox', { name: say('studio.field.computed') });
      const insert = (label: string) =>
        pick(page, page.getByRole('combobox', { name: say('studio.field.insertField') }), new RegExp(`^${label}`));
      await insert(price);
      await expression.press('End');
      await expression.pressSequentially(' *', TYPING);
      const [broken = ''] = say('studio.problems.expressionSyntax').split('%');
      await expect(page.getByRole('tabpanel').getByText(broken).filter({ visible: true }).first()).toBeVisible();
      await film(page, `studio-computed-broken-${language}`);
      await insert(pieces);
      await expect(page.getByRole('tabpanel').getByText(broken)).toHaveCount(0);
      await film(page, `studio-computed-${language}`);
      await page.getByRole('link', { name: say('studio.configure.review') }).click();
      await expect(page.getByRole('status').filter({ hasText: say('studio.draft.fine') })).toBeVisible();
      await expect(page.getByRole('term').filter({ hasText: worth })).toHaveText(
        `${say('studio.configure.fields')} · ${worth}`,
      );
      await film(page, `studio-computed-draft-${language}`);
      const published = await publish(page, 'What it is worth');

      await page.goto('/ubsShipmentList');
      await press(page, language === 'zh' ? '新增' : 'New');
      const form = page.getByRole('dialog');
      const field = (label: string) => form.getByRole('textbox', { name: label });
      for (const [label, text] of [
        [pieces, '3'],
        [price, '0.1'],
      ] as const)
        await field(label).fill(text);
      await expect(field(worth)).toHaveValue('0.30');
      await expect(field(worth)).toBeDisabled();
      await film(page, `studio-computed-form-${language}`);
      await field(pieces).fill('');
      await expect(field(worth)).toHaveValue('');
      await field(pieces).fill('12');
      for (const it of await form.locator('input[aria-required=true]').all()) await it.fill(`C${stem}`);
      await form.locator('button[type=submit]').click();
      await expect(form).toHaveCount(0);
      const saved = row(page, `C${stem}`);
      await expect(saved.getByText('$1.20').filter({ visible: true }).first()).toBeVisible();
      await film(page, `studio-computed-list-${language}`);
      const id = Number(await saved.getAttribute('data-id'));
      await post(request, 'ubsShipment/deleteById', { id });
      await takenBack(request, published);
      expect(errors).toEqual([]);
    },
  );

  inTurn()(
    `a detail gets the lines of another module, and a search the index that it needs, in ${language}`,
    async ({ page, request, baseURL }) => {
      const errors = listenForErrors(page);
      const label = `${language === 'zh' ? '启用日' : 'Opened on'} ${newNumber()}`;
      await page.setViewportSize(sizes[language]);
      await page.addInitScript((it) => localStorage.setItem('local', it), language);
      await signInAs(page.context(), 'admin', baseURL as string);
      await page.goto('/sysModuleList/configure/ubsSite');
      await addField(page, label, label, 'date');
      await section(page, 'search');
      const panel = page.getByRole('tabpanel');
      await pick(page, panel.getByRole('combobox', { name: say('studio.order.add') }), label);
      const proposal = say('studio.indexes.search').replace('%{name}', label);
      await expect(panel.getByText(proposal)).toBeVisible();
      await film(page, `studio-index-${language}`);
      await panel
        .getByRole('listitem')
        .filter({ hasText: proposal })
        .getByRole('button', { name: say('studio.indexes.add') })
        .click();
      await expect(panel.getByText(say('studio.indexes.asked').replace('%{name}', label))).toBeVisible();

      await section(page, 'detail');
      const lines = page.getByRole('region', { name: say('studio.lines.title') });
      const users = readDefinition('system/adminUser').label[language];
      await pick(page, lines.getByRole('combobox', { name: say('studio.order.add') }), new RegExp(`^${users}$`));
      await expect(lines.getByRole('listitem').filter({ hasText: users })).toBeVisible();
      await film(page, `studio-lines-${language}`);
      await page.getByRole('link', { name: say('studio.configure.review') }).click();
      await expect(page.getByRole('status').filter({ hasText: say('studio.draft.fine') })).toBeVisible();
      const plan = page.locator('#content').getByText('CREATE INDEX').filter({ visible: true });
      await expect(plan.filter({ visible: true }).first()).toBeVisible();
      const { fields } = readDefinition('base/ubsSite') as unknown as {
        fields: Record<string, { label: Record<string, string> }>;
      };
      const shared = fields['siteId']?.label[language];
      await expectTold(
        page,
        say('studio.lines.title'),
        [users, say('studio.changes.marks.open'), shared, say('studio.changes.marks.close')].join(''),
      );
      await film(page, `studio-lines-draft-${language}`);
      const published = await publish(page, 'Who works where');

      await page.goto('/ubsSiteList');
      const site = page.locator('#content tr[data-id]').filter({ visible: true }).first();
      await page.goto(`/ubsSiteList/detail/${await site.getAttribute('data-id')}`);
      await expect(page.getByRole('heading', { name: users })).toBeVisible();
      await film(page, `studio-lines-used-${language}`);
      await takenBack(request, published);
      expect(errors).toEqual([]);
    },
  );

  inTurn()(
    `a number says its unit, a text its pattern, and both are carried to another installation as a file, in ${language}`,
    async ({ page, request, baseURL }) => {
      const errors = listenForErrors(page);
      const stem = String(newNumber());
      // Named alike in both languages the Chinese ones give no name of a column: those that are free are taken.
      const [weight, plate] = language === 'zh' ? [`毛重${stem}`, `车牌${stem}`] : [`Gross ${stem}`, `Plate ${stem}`];
      await page.setViewportSize(sizes[language]);
      await page.addInitScript((it) => localStorage.setItem('local', it), language);
      await signInAs(page.context(), 'admin', baseURL as string);
      await page.goto('/sysModuleList/configure/ubsShipment');
      await addField(page, weight, weight, 'BigDecimal');
      await fillWords(page, say('studio.field.unit'), '千克', 'kg');
      await addField(page, plate, plate);
      await page.getByRole('textbox', { name: say('studio.field.mask') }).fill('AA-9999');
      await page.getByRole('textbox', { name: say('studio.field.example') }).fill('DN-0012');
      await film(page, `studio-pattern-${language}`);
      await page.getByRole('link', { name: say('studio.configure.review') }).click();
      await expect(page.getByRole('status').filter({ hasText: say('studio.draft.fine') })).toBeVisible();
      const first = await publish(page, 'Weights and plates');

      await page.goto('/ubsShipmentList');
      await press(page, language === 'zh' ? '新增' : 'New');
      const form = page.getByRole('dialog');
      const unit = language === 'zh' ? '（千克）' : ' (kg)';
      await expect(form.getByRole('textbox', { name: `${weight}${unit}` })).toBeVisible();
      await form.getByRole('textbox', { name: plate }).fill('DN-1');
      await form.locator('button[type=submit]').click();
      await expect(form.getByText(say('shell.form.pattern').replace('%{example}', 'DN-0012'))).toBeVisible();
      await film(page, `studio-pattern-used-${language}`);

      await page.goto('/sysPublishList');
      await press(page, buttonLabel('system/sysPublish', 'exportPublished'));
      const download = page.waitForEvent('download');
      await page
        .getByRole('dialog')
        .getByRole('button', { name: say('studio.export.action'), exact: true })
        .click();
      const file = await (await download).path();
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await takenBack(request, first);

      // What has no such fields any more is another installation.
      await page.goto('/sysDraftList');
      await press(page, buttonLabel('system/sysDraft', 'importDraft'));
      const dialog = page.getByRole('dialog');
      await dialog.locator('input[type=file]').setInputFiles({
        name: `carried-${stem}.json`,
        mimeType: 'application/json',
        buffer: readFileSync(file),
      });
      await expect(dialog.getByRole('textbox')).toHaveValue(`carried-${stem}`);
      await film(page, `studio-import-${language}`);
      await dialog.getByRole('button', { name: buttonLabel('system/sysDraft', 'importDraft'), exact: true }).click();
      await expect(page).toHaveURL(/sysDraftList\/detail\/\d+/);
      await expect(page.getByRole('status').filter({ hasText: say('studio.draft.fine') })).toBeVisible();
      const told = (text: string) => page.locator('#content').getByText(text).filter({ visible: true }).first();
      for (const it of [weight, plate]) await expect(told(it)).toBeVisible();
      await press(page, say('studio.changes.asJson'));
      await expect(told('DN-0012')).toBeVisible();
      await film(page, `studio-imported-${language}`);
      const second = await publish(page, 'Carried over');
      await takenBack(request, second);
      expect(errors).toEqual([]);
    },
  );
}

test('every part of the editor can be used by everybody', async ({ page, baseURL }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.addInitScript(() => localStorage.setItem('local', 'en'));
  await signInAs(page.context(), 'admin', baseURL as string);
  const found: string[] = [];
  const look = async (name: string) => {
    await isStill(page);
    found.push(...(await findingsIn(page, '#content')).map((it) => `${name}: ${it}`));
  };
  await page.goto('/sysModuleList/configure/ubsShipment');
  const tabs = page.getByRole('tab');
  await tabs.filter({ visible: true }).first().waitFor();
  await bringAxe(page);
  const names = await tabs.allInnerTexts();
  for (const [i, name] of names.entries()) {
    await tabs.filter({ visible: true }).nth(i).click();
    await look(name);
    // What a row opens belongs to it.
    const opens = page.getByRole('tabpanel').locator('button[aria-expanded=false]').filter({ visible: true }).first();
    if ((await opens.count()) === 0) continue;
    await opens.click();
    await look(`${name}, opened`);
  }
  expect(names.length).toBeGreaterThan(8);
  // What a new field says, and what it is computed as.
  const say = words('en');
  await tabs.filter({ visible: true }).first().click();
  await page.getByRole('button', { name: say('studio.fields.add'), exact: true }).click();
  await look('a new field');
  const form = page.getByRole('form', { name: say('studio.fields.add') });
  for (const it of await form.getByRole('textbox').all()) await it.fill('Seen');
  await form.getByRole('textbox').filter({ visible: true }).last().fill('seen');
  await form.getByRole('button', { name: say('studio.fields.add'), exact: true }).click();
  await page.getByRole('textbox', { name: say('studio.field.computed') }).fill('name +');
  await look('a computed field');
  await page.goto('/sysModuleList/configure/menu');
  await page.locator('[data-menu]').filter({ visible: true }).first().waitFor();
  await bringAxe(page);
  await look('the menu');
  expect(found).toEqual([]);
});

const levelOf = async (entry: Locator): Promise<string> => {
  const [, level = ''] = /(level \d+|第 \d+ 级)/.exec((await entry.getAttribute('aria-label')) ?? '') ?? [];
  return level;
};

/** Whether one node of the menu stands above another one. */
const isAbove = async (rows: Locator, name: string, other: string): Promise<boolean> => {
  const names = await rows.locator('[data-menu]').evaluateAll((all) => all.map((it) => it.getAttribute('data-menu')));
  return names.indexOf(name) < names.indexOf(other);
};

async function takenBack(request: APIRequestContext, id: number): Promise<void> {
  await post(request, 'sysPublish/takeBack', { id, since: false, note: 'end of the journey' });
  const token = await fetchToken(request, 'admin');
  const stateOf = async () => {
    const path = '/api/sysPublish/readTakingBack.json';
    return (await apiGet<{ last: { state: string } }>(request, token, path, { id: String(id) })).last.state;
  };
  await expect.poll(stateOf).toBe('done');
}

async function post<Data>(request: APIRequestContext, path: string, data: object): Promise<Data> {
  const headers = { token: await fetchToken(request, 'admin') };
  const reply = await request.post(`/api/${path}.json`, { data, headers, params: { lang: 'en' } });
  const answer = (await reply.json()) as { code: string; data: Data };
  expect(answer.code).toBe('000000');
  return answer.data;
}

/** Lets no publish begin, as another one would, until it is told to. */
async function holdPublishes(dataDir: string): Promise<() => Promise<void>> {
  const url = (await findRunning({ dataDir, root: ROOT, log: () => undefined }))?.url;
  const client = new pg.Client({ connectionString: url ?? '' });
  await client.connect();
  await client.query('SELECT pg_advisory_lock($1)', [PREPARE_LOCK]);
  return () => client.end();
}

/** Of a node of a tree, its own: the tree says for it whether it is checked. */
const boxOf = (node: Locator): Locator => node.locator('input[type=checkbox]').filter({ visible: true }).first();

const retires = (sent: string | null): boolean => sent?.includes('"retired":true') === true;
