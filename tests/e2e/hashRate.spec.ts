import { expect, test } from './journey.ts';
import { languagesOf } from './languages.ts';
import { newWord } from './newWord.ts';
import { pressWay } from './menuWalk.ts';
import { readDefinition, visit } from './operator.ts';
import { choose, film, listenForErrors, signInAs, words } from './workshop.ts';

const sizes = { zh: { width: 390, height: 844 }, en: { width: 1440, height: 900 } } as const;
const names = { zh: { site: '深圳' }, en: { site: 'Shenzhen' } } as const;

for (const language of languagesOf(0)) {
  const say = words(language);
  const buttonLabel = (path: string, btnNo: string) =>
    readDefinition(path).buttons.find((it) => it.btnNo === btnNo)?.label[language] ?? '';

  test(`a collector is let in by a token that an administrator issues, its rates are drawn, and it is shut out again, in ${language} [P-CHT-01]`, async ({
    page,
    request,
    baseURL,
  }) => {
    const errors = listenForErrors(page);
    const name = `E2E ${language} ${newWord()}`;
    const rack = `RACK${language}${newWord()}`;
    const row = () =>
      page.locator('#content :is(tr, li)').filter({ hasText: name, visible: true }).filter({ visible: true }).last();
    const press = (label: string) => pressWay(page, label, say('shell.list.more'));
    const select = async () => {
      await row().waitFor();
      const box = row().getByRole('checkbox');
      if ((await box.count()) === 0) await row().click();
      else if (!(await box.filter({ visible: true }).first().isChecked()))
        await box.filter({ visible: true }).first().click();
    };
    const secretShown = async () => {
      const secret = page.getByRole('dialog').getByLabel(say('shell.serviceToken.secret'), { exact: true });
      const text = (await secret.textContent()) ?? '';
      expect(text).toMatch(/^[\w-]{43}$/);
      return text;
    };
    const report = async (secret: string, hashRate: number, ms = Date.now()) => {
      const samples = [1, 2].map((n) => ({ userOid: rack, workerId: `${rack}-${n}`, timestamp: ms, hashRate }));
      const reply = await request.post('/api/hashRate/ingest.json', {
        ...{ data: { samples }, headers: { authorization: `Bearer ${secret}` }, params: { lang: language } },
      });
      return (await reply.json()) as { code: string; msg: string; data: unknown };
    };

    await page.setViewportSize(sizes[language]);
    await page.addInitScript((it) => localStorage.setItem('local', it), language);
    await signInAs(page.context(), 'admin', baseURL as string);
    await visit(page, '/sysServiceTokenList');
    await press(buttonLabel('system/sysServiceToken', 'issue'));
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(new RegExp(`^${say('shell.serviceToken.name')}`)).fill(name);
    await choose(
      page,
      dialog.getByRole('combobox', { name: new RegExp(`^${say('shell.serviceToken.site')}`) }),
      names[language].site,
    );
    await film(page, `hash-${language}-issue`);
    await dialog.locator('button[type=submit]').click();
    const first = await secretShown();
    await film(page, `hash-${language}-secret`);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();

    const now = Date.now();
    expect(await report(first, 100, now - 60_000)).toMatchObject({ code: '000000', data: { stored: 2, repeated: 0 } });
    expect(await report(first, 100, now - 60_000)).toMatchObject({ code: '000000', data: { stored: 0, repeated: 2 } });
    await select();
    await press(buttonLabel('system/sysServiceToken', 'rotate'));
    await film(page, `hash-${language}-rotate`);
    await dialog.locator('button[type=submit]').click();
    const second = await secretShown();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    // The old one serves for a day more.
    expect(await report(first, 120, now)).toMatchObject({ data: { stored: 2 } });
    expect(await report(second, 130, now + 1)).toMatchObject({ data: { stored: 2 } });
    await film(page, `hash-${language}-tokens`);

    await visit(page, `/userSpeedList?${new URLSearchParams({ userOid: rack })}`);
    const account = page
      .locator('#content :is(tr, li)')
      .filter({ hasText: rack, visible: true })
      .filter({ visible: true })
      .last();
    await account.waitFor();
    await expect(account).toContainText('260');
    const box = account.getByRole('checkbox');
    await ((await box.count()) > 0 ? box : account).filter({ visible: true }).first().click();
    await press(buttonLabel('hashrate/userSpeed', 'userSpeedChart'));
    await expect(page.getByRole('dialog').locator('svg, canvas').filter({ visible: true }).first()).toBeVisible();
    await film(page, `hash-${language}-chart`);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();

    await visit(page, '/sysServiceTokenList');
    await select();
    await press(buttonLabel('system/sysServiceToken', 'revoke'));
    await film(page, `hash-${language}-revoke`);
    await dialog.getByRole('button').filter({ visible: true }).last().click();
    await expect(dialog).toBeHidden();
    for (const secret of [first, second]) {
      const { code, msg } = await report(secret, 1, now + 2);
      expect([code, msg]).toEqual(['401', say('refusals.serviceEnded').replace('%{name}', name)]);
    }
    expect(errors).toEqual([]);
  });
}
