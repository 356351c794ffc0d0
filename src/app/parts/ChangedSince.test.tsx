// @vitest-environment jsdom
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Column, Detail } from '#app/engine/wire.ts';
import { openPage } from '#app/parts/openPage.tsx';
import { ChangedSince } from './ChangedSince.tsx';

const fields: Column[] = [
  { name: 'supplier', label: 'Supplier', type: 'select' },
  { name: 'kind', label: 'Kind', type: 'select', options: [{ value: '1', optionName: 'New' }] },
];
const now = {
  ...{ id: 7, version: 2, supplier: 'S2', kind: '2', updateBy: 'fin', updateTime: 0 },
  view: { module: 'x', label: 'X', fields, labels: { supplier: { S2: 'Second' }, updateBy: { fin: 'Li Na' } } },
} as unknown as Detail;

it('names who has changed it, and says values by their labels, those of a list row too', async () => {
  const then = { id: 7, version: 1, supplier: 'S1', kind: '1' };
  const labels = { supplier: { S1: 'First' } };
  await openPage(<ChangedSince then={then} now={now} labels={labels} onLook={() => undefined} />, { lang: 'en' });
  expect(screen.getByRole('alert').textContent).toMatch(/Li Na changed it/);
  const rows = within(screen.getByRole('table')).getAllByRole('row').slice(1);
  expect(rows.map((it) => [...it.children].map((cell) => cell.textContent))).toEqual([
    ['Supplier', 'First', 'Second'],
    ['Kind', 'New', '2'],
  ]);
});

it('says another of the same name with its value, and of pictures how many', async () => {
  const told: Column[] = [
    { name: 'who', label: 'Who', type: 'String', format: 'user' },
    { name: 'kind', label: 'Kind', type: 'select' },
    { name: 'papers', label: 'Papers', type: 'LongString', format: 'files' },
    { name: 'photos', label: 'Photos', type: 'LongString', format: 'images' },
    { name: 'amount', label: 'Amount', type: 'BigDecimal' },
  ];
  const labels = { who: { wang1: 'Wang Wei', wang2: 'Wang Wei' }, kind: { a: 'Same' } };
  const then = { id: 7, version: 1, who: 'wang1', kind: 'a', papers: 'f1##f2', photos: null, amount: '1.50' };
  const today = {
    ...{ id: 7, version: 2, who: 'wang2', kind: 'a', papers: 'f1##f3', photos: 'p1', amount: '1.500000' },
    ...{ updateBy: 'fin', updateTime: 0, view: { module: 'x', label: 'X', fields: told, labels } },
  } as unknown as Detail;
  await openPage(<ChangedSince then={then} now={today} onLook={() => undefined} />, { lang: 'en' });
  const rows = within(screen.getByRole('table')).getAllByRole('row').slice(1);
  expect(rows.map((it) => [...it.children].map((cell) => cell.textContent))).toEqual([
    ['Who', 'Wang Wei (wang1)', 'Wang Wei (wang2)'],
    ['Papers', '2 photos', '2 other photos'],
    ['Photos', '–', '1 photo'],
  ]);
});
