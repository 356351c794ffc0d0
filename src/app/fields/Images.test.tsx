// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Pictures } from '#app/parts/Pictures.tsx';
import { openPage } from '#app/parts/openPage.tsx';
import { Images } from './Images.tsx';

const file = (ending: string) => `/file/${'a'.repeat(32)}.${ending}`;
const hostile = [
  ...['javascript:alert(1)', 'javascript:alert(1)//.txt', ' javascript:alert(1)//x.pdf', 'JAVASCRIPT:alert(1)'],
  ...['//evil.example/x.pdf', '/\\evil.example/x.pdf', '\\\\evil.example\\x.pdf', 'https://evil.example/x.txt'],
  ...['data:text/html,<script>alert(1)</script>.txt', 'evil.example/x.pdf', '//evil.example/x.png', '/api/logout.json'],
];

const addresses = (page: HTMLElement) =>
  [...page.querySelectorAll('[href], [src]')].map((it) => it.getAttribute('href') ?? it.getAttribute('src'));

it.each([
  ['Images', <Images key="a" urls={[file('webp'), file('pdf'), ...hostile]} label="Papers" />],
  ['Pictures', <Pictures key="b" urls={[file('webp'), file('pdf'), ...hostile]} />],
])('%s link and load our own files alone; what else somebody typed is shown as text', async (_, drawn) => {
  await openPage(<main>{drawn}</main>);
  const container = await screen.findByRole('main');
  const paths = addresses(container).map((it) => it?.split('?')[0]);
  expect(paths).toEqual([file('webp'), file('pdf')]);
  for (const it of hostile) expect(screen.getByText(it.trim())).toBeTruthy();
});
