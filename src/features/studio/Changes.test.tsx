// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { openPage } from '#app/parts/openPage.tsx';
import { Changes } from './Changes.tsx';

it.each([
  ['en', 'Nothing: it is the same as before.'],
  ['zh', '没有变化：内容与之前相同。'],
] as const)('a part that says what was so already says that it changes nothing, in %s', async (lang, words) => {
  const label = { zh: '物流', en: 'Couriers' };
  const definition = { module: 'ubsShipment', label, table: 'ubs_shipment', site: 'all' as const, fields: {} };
  const part = { module: 'ubsShipment', change: { label }, before: { definition, options: {}, menu: [], rights: {} } };
  const names = { modules: {}, fields: {}, roles: {}, standard: {} };
  await openPage(<Changes part={part} names={names} />, { lang });
  expect(screen.getByRole('region', { name: label[lang] }).textContent).toContain(words);
});
