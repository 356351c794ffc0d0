// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { openPage } from '#app/parts/openPage.tsx';
import CommandCard, { type CardContents } from '#app/parts/scan/CommandCard.tsx';

const opens = async (codes: CardContents['codes'], lang: 'zh' | 'en' = 'en') => {
  let closed = 0;
  const card = <CommandCard title="Trial" contents={{ codes }} onClose={() => (closed += 1)} />;
  return { ...(await openPage(card, { lang })), closed: () => closed };
};
const head = () =>
  screen.queryByRole('heading', { level: 2, name: /^(Issue code|Results|故障代码|结果)$/ })?.textContent;

describe('the printed card', () => {
  it.each([
    ['en', 'Issue code', 'Results'],
    ['zh', '故障代码', '结果'],
  ] as const)('heads results as results and findings as codes, in %s', async (lang, code, results) => {
    const first = await opens([{ code: 'FX409', name: 'No power', passFlag: null }], lang);
    expect(head()).toBe(code);
    first.unmount();
    await opens([{ code: 'AT00', name: 'Aging passed', passFlag: '1' }], lang);
    expect(head()).toBe(results);
  });

  it('is closed, as there is nothing to cancel', async () => {
    const { user, closed } = await opens([]);
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(closed()).toBe(1);
  });
});
