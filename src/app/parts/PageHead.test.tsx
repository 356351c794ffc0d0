// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { openPage } from '#app/parts/openPage.tsx';
import { PageHead } from '#app/parts/PageHead.tsx';

it('says the status, six facts at most without empty ones, and what can be done', async () => {
  const onPress = vi.fn();
  const { user, where } = await openPage(
    <PageHead
      menuNo="rmaMaintainBillList"
      status={{ label: 'In work', tone: 'work' }}
      facts={['', 'b', null, 'd', 'e', 'f', 'g', 'h', 'i'].map((value, i) => ({ label: `Fact ${i}`, value }))}
      actions={[
        { label: 'Terminate', tone: 'danger', onPress },
        { label: 'Print', onPress },
        { label: 'Receive', tone: 'primary', onPress },
      ]}
    />,
    { lang: 'en' },
  );
  expect(screen.queryByRole('heading')).toBeNull();
  expect(screen.getByText('In work')).toBeTruthy();
  expect(screen.getAllByRole('definition').map((it) => it.textContent)).toEqual(['b', 'd', 'e', 'f', 'g', 'h']);
  const buttons = screen.getAllByRole('button').map((it) => it.textContent);
  expect(buttons).toEqual(['Back to list', 'Receive', 'Print', 'Terminate']);
  await user.click(screen.getByRole('button', { name: 'Receive' }));
  expect(onPress).toHaveBeenCalledOnce();
  await user.click(screen.getByRole('button', { name: 'Back to list' }));
  expect(where()).toBe('/rmaMaintainBillList');
});
