// @vitest-environment jsdom
import '#app/testing/indexedDb.ts';
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openPage } from '#app/parts/openPage.tsx';
import { scanDatabase } from '#app/parts/scan/scanDatabase.ts';
import { StorageQuestion } from '#app/parts/scan/StorageQuestion.tsx';

const storage = { persisted: vi.fn(), persist: vi.fn() };
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0';
const CHROMIUM =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
function runsIn(browser: string): void {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(browser);
  Object.defineProperty(navigator, 'storage', { value: storage, configurable: true });
}
const shown = () => screen.queryByRole('alert')?.textContent;

beforeEach(() => {
  localStorage.clear();
  storage.persisted.mockReset().mockResolvedValue(false);
  storage.persist.mockReset().mockResolvedValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
  Reflect.deleteProperty(navigator, 'storage');
});

describe('whether the browser may keep the scans for good', () => {
  it.each([
    ['Firefox', FIREFOX, 0],
    ['Chromium', CHROMIUM, 1],
  ])('is asked by no window over the scan field (%s)', async (name, browser, times) => {
    runsIn(browser);
    await scanDatabase(`asked-${name}`).open();
    expect(storage.persist).toHaveBeenCalledTimes(times);
  });

  it.each([
    ['Allow', 1],
    ['Not now', 0],
  ])('is asked in a sentence first, once (%s)', async (label, times) => {
    runsIn(FIREFOX);
    const first = await openPage(<StorageQuestion />, { lang: 'en' });
    expect((await screen.findByRole('alert')).textContent).toContain('when the disk gets full');
    expect(storage.persist).not.toHaveBeenCalled();
    await first.user.click(screen.getByRole('button', { name: label }));
    expect([storage.persist.mock.calls.length, shown()]).toEqual([times, undefined]);
    first.unmount();
    await openPage(<StorageQuestion />, { lang: 'en' });
    expect([storage.persisted.mock.calls.length, shown()]).toEqual([1, undefined]);
  });

  it.each([
    ['is allowed already', FIREFOX, true],
    ['is decided by the browser', CHROMIUM, false],
  ])('is not asked where it %s', async (_, browser, isKept) => {
    runsIn(browser);
    storage.persisted.mockResolvedValue(isKept);
    await openPage(<StorageQuestion />, { lang: 'en' });
    expect(shown()).toBeUndefined();
  });
});
