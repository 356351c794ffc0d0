import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  id: string;
  impact?: string | null | undefined;
  nodes: { target: unknown[]; html: string }[];
}

/** A part of a page has hundreds of rules to itself; only these weigh. */
const weighty = ['moderate', 'serious', 'critical'];

const wordsOf = (violations: readonly Violation[]): string[] =>
  violations
    .filter((it) => weighty.includes(it.impact ?? ''))
    .flatMap((it) => it.nodes.map((node) => `${it.id}: ${node.target.join(' ')} ${node.html.slice(0, 120)}`));

interface Axe {
  run: (within: string, options: object) => Promise<{ violations: Violation[] }>;
}

/** Brings axe into a page, where it stays until the page is loaded anew. */
export const bringAxe = (page: Page): Promise<void> => page.evaluate(source);

/**
 * What axe finds in one part of a page in which it stands already, by its rules for WCAG AA or by some of them alone;
 * the frame around it is looked at once. Rule: screens#accessibility.
 */
export async function findingsIn(page: Page, within: string, rules: readonly string[] = []): Promise<string[]> {
  const found = await look(page, within, rules);
  if (found.length === 0) return found;
  // It remembers each style that it has read: of a button that came to life meanwhile, half from before and half after.
  await isStill(page);
  return look(page, within, rules);
}

async function look(page: Page, within: string, rules: readonly string[]): Promise<string[]> {
  const options = {
    resultTypes: ['violations'],
    ...(rules.length > 0 && { runOnly: { type: 'rule', values: [...rules] } }),
  };
  const violations = await page.evaluate(
    async ([selector, asked]) => {
      const { run } = (window as unknown as { axe: Axe }).axe;
      const found = (await run(selector, asked)).violations;
      return found.map(({ id, impact, nodes }) => ({
        id,
        impact,
        nodes: nodes.map(({ target, html }) => ({ target, html })),
      }));
    },
    [within, options] as const,
  );
  return wordsOf(violations);
}

/** What is drawn has stood still for so long: the skeletons are gone and nothing more comes. */
export const isStill = (page: Page) =>
  page.waitForFunction(
    () =>
      // A page behind another tab rests as it was left.
      ![...document.querySelectorAll(':is(#content, [role=dialog]) :is(.MuiSkeleton-root, [aria-busy=true])')].some(
        (it) => it.checkVisibility(),
      ) && document.getAnimations().every((it) => it.playState !== 'running'),
  );

export const DIALOG = '[role=dialog]';
