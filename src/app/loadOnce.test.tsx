// @vitest-environment jsdom
import { lazy, Suspense } from 'react';
import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { loadOnce } from '#app/loadOnce.ts';

it('draws what is loaded already without anything in its place', async () => {
  const load = loadOnce(async () => ({ default: () => 'the page' }));
  await load();
  const Page = lazy(load);
  let waited = false;
  const Waiting = () => {
    waited = true;
    return null;
  };
  render(
    <Suspense fallback={<Waiting />}>
      <Page />
    </Suspense>,
  );
  expect(screen.getByText('the page').textContent).toBe('the page');
  expect(waited).toBe(false);
});
