// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { copyText } from '#app/fields/copyText.ts';
import { notices } from '#app/notify.ts';

const SAID = { done: 'Copied', failed: 'Not copied' };
let said: string[];
beforeEach(() => {
  said = [];
  vi.spyOn(notices, 'success').mockImplementation((it) => said.push(it));
  vi.spyOn(notices, 'error').mockImplementation((it, body) => said.push(`${it}: ${body ?? ''}`));
  document.body.innerHTML =
    '<main><code id="out">OUT</code></main><div role="dialog"><code id="in">SECRET</code><button>Copy</button></div>';
  document.querySelector('button')?.focus();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  Reflect.deleteProperty(document, 'execCommand');
});

/** The older way of a browser: it copies what is selected where the focus is, which an open dialog keeps to itself. */
function olderBrowser({ traps = true, copies = true } = {}): string[] {
  vi.stubGlobal('navigator', { ...navigator, clipboard: undefined });
  const copied: string[] = [];
  const execCommand = () => {
    const isTrapped = traps && !document.activeElement?.closest('[role=dialog]');
    if (isTrapped || !copies) return false;
    const clipboardData = { setData: (_: string, text: string) => copied.push(text) };
    document.dispatchEvent(Object.assign(new Event('copy', { cancelable: true }), { clipboardData }));
    return true;
  };
  Object.assign(document, { execCommand });
  return copied;
}

describe('a copy', () => {
  it('goes by the clipboard where there is one', async () => {
    const writeText = vi.fn(() => Promise.resolve());
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } });
    await copyText('SECRET', SAID);
    expect([writeText.mock.calls, said]).toEqual([[['SECRET']], ['Copied']]);
  });

  it('is made inside the dialog that holds the focus where there is none, and gives the focus back', async () => {
    const copied = olderBrowser();
    await copyText('SECRET', SAID);
    expect([copied, said]).toEqual([['SECRET'], ['Copied']]);
    expect(document.activeElement?.textContent).toBe('Copy');
    expect(document.querySelector('textarea')).toBeNull();
  });

  it('goes the older way where the clipboard says no', async () => {
    const copied = olderBrowser();
    const writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'));
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } });
    await copyText('SECRET', SAID);
    expect([copied, said]).toEqual([['SECRET'], ['Copied']]);
  });

  it('that was none is said, and the text is selected where it stands, or shown', async () => {
    olderBrowser({ copies: false });
    await copyText('SECRET', SAID, document.querySelector('#in'));
    expect(said).toEqual(['Not copied: ']);
    expect(getSelection()?.toString()).toBe('SECRET');
    await copyText('http://x', SAID);
    expect(said[1]).toBe('Not copied: http://x');
  });
});
