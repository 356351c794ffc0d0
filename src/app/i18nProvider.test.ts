// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { i18nProvider } from '#app/i18nProvider.ts';
import en from '#i18n/en/shell.json';
import zh from '#i18n/zh/shell.json';

const keysOf = (words: object, at = ''): string[] =>
  Object.entries(words).flatMap(([key, it]) =>
    typeof it === 'object' ? keysOf(it as object, `${at}${key}.`) : [`${at}${key}`],
  );
/** Each once: a sentence may say its number in both of its plural forms. */
const placeholdersOf = (text: string) => [...new Set([...text.matchAll(/%\{(\w+)\}/g)].map((it) => it[1]))].sort();
const textAt = (words: object, key: string) =>
  key.split('.').reduce<unknown>((it, part) => (it as never)[part], words) as string;

/** As a page that is loaded anew begins. */
async function loadProvider() {
  const [provider, { currentLanguage }] = await Promise.all([
    import('#app/i18nProvider.ts'),
    import('#app/session.ts'),
  ]);
  await provider.i18nProvider.changeLocale(currentLanguage.get());
  return provider;
}

afterEach(() => {
  localStorage.clear();
  vi.resetModules();
});

describe('the words', () => {
  it('are there in both languages, with the same placeholders [P-LNG-01]', () => {
    expect(keysOf(zh)).toEqual(keysOf(en));
    for (const key of keysOf(zh)) expect(placeholdersOf(textAt(zh, key)), key).toEqual(placeholdersOf(textAt(en, key)));
  });

  it('are Chinese until somebody chooses, and the choice outlives a reload [P-LNG-01] [P-LNG-02]', async () => {
    localStorage.clear();
    vi.resetModules();
    const first = await loadProvider();
    expect(first.i18nProvider.translate('shell.title')).toBe('售后维修管理系统');
    await first.i18nProvider.changeLocale('en');
    expect(localStorage.getItem('local')).toBe('en');
    vi.resetModules();
    const second = await loadProvider();
    expect(second.i18nProvider.translate('shell.title')).toBe('After-sales Repair System');
    expect(second.i18nProvider.translate('ra.action.cancel')).toBe('Cancel');
  });

  it('have a dash where a value is empty, and leave its plural to a count', async () => {
    vi.resetModules();
    const { i18nProvider, loadFeatureWords } = await loadProvider();
    await loadFeatureWords();
    const remark = (it: unknown) => i18nProvider.translate('bills.review.said', { remark: it });
    expect([remark('好'), remark(''), remark(' '), remark(undefined), remark(null)]).toEqual([
      '“好”',
      ...Array<string>(4).fill('“–”'),
    ]);
    expect(i18nProvider.translate('stations.count', { smart_count: 0 })).toMatch(/0/);
  });

  it('of features come with their first page, and with each language that is chosen later', async () => {
    localStorage.clear();
    vi.resetModules();
    const { i18nProvider, loadFeatureWords } = await loadProvider();
    const pass = () => i18nProvider.translate('bills.review.pass', { _: 'not there' });
    expect(pass()).toBe('not there');
    await loadFeatureWords();
    expect(pass()).toBe('通过');
    await i18nProvider.changeLocale('en');
    expect(pass()).toBe('Pass');
  });

  it('stay as they are where those of another language cannot be loaded, and it is said', async () => {
    vi.resetModules();
    const { i18nProvider } = await loadProvider();
    vi.doMock('#app/words/en.ts', () => Promise.reject(new TypeError('Failed to fetch')));
    await i18nProvider.changeLocale('en');
    vi.doUnmock('#app/words/en.ts');
    expect(i18nProvider.getLocale()).toBe('zh');
    expect(localStorage.getItem('local')).toBe('zh');
    expect(i18nProvider.translate('shell.title')).toBe('售后维修管理系统');
  });

  it('fill their placeholders', async () => {
    await i18nProvider.changeLocale('zh');
    expect(i18nProvider.translate('shell.notice.failed', { action: '删除' })).toBe('删除失败');
  });

  it('are exactly the Chinese ones that the specification gives [P-LNG-04]', async () => {
    const { i18nProvider, loadFeatureWords } = await loadProvider();
    await i18nProvider.changeLocale('zh');
    await loadFeatureWords();
    const given = {
      'shell.list.select': '请选择一条操作数据！',
      'stations.selectMsg': '请选择一条操作数据！',
      'shell.form.requiredAll': '必填项不为空！',
      'stations.emptyMsg': '必填项不为空！',
      'shell.upload.none': '未选择上传文件',
      'stations.picture.none': '未选择上传文件',
      'shell.download.failed': '导出失败',
      'shell.download.notFound': '找不到文件',
      'shell.download.done': '导出成功',
      'shell.search.failed': '获取搜索条件失败',
    };
    for (const [key, text] of Object.entries(given)) expect([key, i18nProvider.translate(key)]).toEqual([key, text]);
  });
});
