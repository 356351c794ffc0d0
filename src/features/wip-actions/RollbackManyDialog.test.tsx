// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { DialogProps } from '#app/parts/dialog.ts';
import { openPage, refuses } from '#app/parts/openPage.tsx';
import RollbackManyDialog from './RollbackManyDialog.tsx';

const path = '/api/icopTransaction/rollbackMany.json';
const entry = { waferLotId: 'LOT1', transactionType: 'RESERVE', qty: 1200, workOrderNo: 'BCO1', wipId: 'W1' };
const entries = [
  { ...entry, id: 9, version: 2, piece: '02' },
  { ...entry, id: 8, version: 1, piece: '01' },
];

async function opens(answer: unknown, count = 2) {
  const onDone = vi.fn();
  const rows = Array.from({ length: count }, (_, i) => ({ id: 8 + i }));
  const props = { module: 'icopTransaction', rows, button: { btnName: 'Roll back' }, onDone, onClose: vi.fn() };
  const dialog = <RollbackManyDialog {...(props as unknown as DialogProps)} />;
  const page = await openPage(dialog, { lang: 'en', answers: { [path]: answer } });
  return { ...page, onDone };
}
const press = () => screen.getByRole('button', { name: 'Roll back' });

it('shows the entries in the order in which they go, and undoes them as they were shown', async () => {
  const { user, callsTo, onDone } = await opens({ entries });
  await screen.findByRole('table');
  const rows = screen.getAllByRole('row').slice(1);
  expect(rows.map((it) => it.textContent)).toEqual([
    expect.stringMatching(/^9.*W1LOT1021,200BCO1$/),
    expect.stringMatching(/^8.*W1LOT1011,200BCO1$/),
  ]);
  await user.click(press());
  expect(callsTo(path)).toHaveLength(1);
  await user.type(screen.getByRole('textbox'), 'mistyped');
  await user.click(press());
  await waitFor(() => expect(onDone).toHaveBeenCalled());
  expect(callsTo(path).map((it) => it.input)).toEqual([
    { ids: [8, 9], dryRun: true },
    { ids: [8, 9], versions: { 8: 1, 9: 2 }, remark: 'mistyped' },
  ]);
});

it('says which entry stops it, and that there are too many', async () => {
  const { unmount } = await opens(refuses('entryStops', 'Nothing was rolled back. Entry 9'));
  expect(await screen.findByText(/Entry 9/)).toBeTruthy();
  expect(press().hasAttribute('disabled')).toBe(true);
  unmount();
  const { callsTo } = await opens({ entries }, 201);
  expect(await screen.findByText('At most 200 entries are rolled back at once')).toBeTruthy();
  expect(callsTo(path)).toEqual([]);
});
