// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { openPage } from '#app/parts/openPage.tsx';
import TryLabelPage from './TryLabelPage.tsx';

it('keeps what was entered as a length and is no number, tells it, and tries no such rule', async () => {
  const { user } = await openPage(<TryLabelPage menuNo="ubsLabelRuleList" />, { lang: 'en' });
  const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'SN length' });
  for (const text of ['1.5', '-17', '4,20']) {
    await user.clear(field());
    await user.click(field());
    await user.paste(text);
    await user.tab();
    expect([field().value, field().getAttribute('aria-invalid')]).toEqual([text, 'true']);
  }
  await user.clear(field());
  await user.type(field(), '17');
  await user.tab();
  expect([field().value, field().getAttribute('aria-invalid')]).toEqual(['17', 'false']);
});
