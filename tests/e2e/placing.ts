import type { Page } from '@playwright/test';
import { isStill } from './axe.ts';

export const DESK = { width: 1440, height: 900 };
export const TABLET = { width: 1024, height: 768 };

/** After a change: it is drawn, what it sets off is done, and that is drawn as well. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    // What is drawn by turns gets its turns.
    // eslint-disable-next-line no-restricted-globals -- a turn, not a time
    const turn = () => new Promise((done) => setTimeout(done));
    for (let i = 0; i < 3; i++) {
      await frame();
      await turn();
    }
  });
  await isStill(page);
}

interface Watch {
  tops: Map<string, number[]>;
  isOn: boolean;
}
type Watched = typeof window & { firstRows?: Watch };

/** Writes down, in whole pixels, wherever the first row of the list in front stands, until it is read. */
export const watchFirstRows = () => {
  const watch: Watch = { tops: new Map(), isOn: true };
  (window as Watched).firstRows = watch;
  const look = () => {
    if (!watch.isOn) return;
    const row = [...document.querySelectorAll('#content tbody tr[data-id]')].find((it) => it.checkVisibility());
    const name = row?.closest('table')?.getAttribute('aria-label');
    if (row && name) {
      const top = Math.round(row.getBoundingClientRect().top);
      const seen = watch.tops.get(name) ?? [];
      if (seen.at(-1) !== top) watch.tops.set(name, [...seen, top]);
    }
    requestAnimationFrame(look);
  };
  look();
};

/** Where the first row of the list in front has stood. */
export const readFirstRowTops = (): number[] => {
  const watch = (window as Watched).firstRows;
  const table = [...document.querySelectorAll('#content table[role=grid]')].find((it) => it.checkVisibility());
  if (watch) watch.isOn = false;
  return watch?.tops.get(table?.getAttribute('aria-label') ?? '') ?? [];
};

/** What can't be read: letters below 11 px, a word that leaves its field, a line of sums without any. */
export const unreadable = (): string[] => {
  const found: string[] = [];
  const content = [...document.querySelectorAll('#content')].find((it) => it.checkVisibility()) ?? document.body;
  const texts = document.createTreeWalker(content, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode as Text;
    const it = text.parentElement as HTMLElement;
    if (text.data.trim() === '' || !it.checkVisibility()) continue;
    if (parseFloat(getComputedStyle(it).fontSize) < 11) found.push(`small: ${text.data}`);
    const field = it.closest('[role=search] .MuiInputBase-root')?.getBoundingClientRect();
    const word = it.closest('label, [role=combobox]')?.getBoundingClientRect();
    if (field && word && word.right > field.right + 1) found.push(`out of its field: ${text.data}`);
  }
  for (const it of content.querySelectorAll('tfoot tr'))
    if (![...it.querySelectorAll('td')].some((cell) => cell.textContent !== '')) found.push('no sum');
  return [...new Set(found)];
};

/** What stands about a list and lies on something else there, or beyond its edge. */
export const crowded = (head: Element): string[] => {
  // The arrows of a strip lie over its faded ends.
  const boxes = [...head.querySelectorAll('button, .MuiInputBase-root, [data-list-count]')]
    .filter((box) => box.checkVisibility() && !box.closest('[role=group], [data-strip]'))
    // What clears a field stands in it.
    .filter((box) => !box.parentElement?.closest('.MuiInputBase-root'))
    .map((box) => ({ name: box.getAttribute('aria-label') || box.textContent, at: box.getBoundingClientRect() }));
  const tabs = head.querySelector('[role=group]')?.getBoundingClientRect();
  const all = tabs ? [{ name: 'the tabs', at: tabs }, ...boxes] : boxes;
  const { right } = head.getBoundingClientRect();
  const outside = all.filter(({ at }) => at.right > right + 1).map(({ name }) => `${name} outside`);
  const overlaps = all.flatMap((a, i) =>
    all
      .slice(i + 1)
      .filter(({ at: b }) => a.at.left < b.right - 1 && b.left < a.at.right - 1)
      .filter(({ at: b }) => a.at.top < b.bottom - 1 && b.top < a.at.bottom - 1)
      .map((b) => `${a.name} on ${b.name}`),
  );
  return [...outside, ...overlaps];
};

/** By how much the window could be scrolled, beside the page's own frame. */
export const spill = (): number => document.documentElement.scrollHeight - document.documentElement.clientHeight;
