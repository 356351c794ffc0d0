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

async function opens(answer: unknown) {
  const onDone = vi.fn();
  const rows = [{ id: 8 }];
  const props = { module: 'icopTransaction', rows, button: { btnName: 'Roll back' }, onDone, onClose: vi.fn() };
  const dialog = <RollbackManyDialog {...(props as unknown as DialogProps)} />;
  const standing = { entries: [...entries, { ...entry, id: 7, version: 1, piece: '00' }] };
  const answers = { ['/api/icopTransaction/toRollBack.json']: standing, [path]: answer };
  const page = await openPage(dialog, { lang: 'en', answers });
  return { ...page, onDone };
}
const press = () => screen.getByRole('button', { name: 'Roll back' });

it('offers what stands of the order, from the newest down to the selected one, and undoes it as it was shown', async () => {
  const { user, callsTo, onDone } = await opens({ entries });
  await screen.findByRole('table');
  const rows = screen.getAllByRole('row').slice(1);
  expect(rows.map((it) => it.textContent)).toEqual([
    expect.stringMatching(/^9.*W1LOT1021,200BCO1$/),
    expect.stringMatching(/^8.*W1LOT1011,200BCO1$/),
    expect.stringMatching(/^7/),
  ]);
  const checked = () => screen.getAllByRole<HTMLInputElement>('checkbox').map((it) => it.checked);
  expect(checked()).toEqual([true, true, false]);
  await waitFor(() => expect(press().hasAttribute('disabled')).toBe(false));
  await user.click(press());
  await user.type(screen.getByRole('textbox'), 'mistyped');
  await user.click(press());
  await waitFor(() => expect(onDone).toHaveBeenCalled());
  expect(callsTo(path).map((it) => it.input)).toEqual([
    { ids: [9, 8], dryRun: true },
    { ids: [9, 8], versions: { 8: 1, 9: 2 }, remark: 'mistyped' },
  ]);
});

it('asks anew for what is chosen, and says which entry stops it', async () => {
  const { user, callsTo } = await opens(refuses('entryStops', 'Nothing was rolled back. Entry 9'));
  expect(await screen.findByText(/Entry 9/)).toBeTruthy();
  expect(press().hasAttribute('disabled')).toBe(true);
  await user.click(screen.getByRole('checkbox', { name: '7' }));
  await waitFor(() => expect(callsTo(path).at(-1)?.input).toEqual({ ids: [9, 8, 7], dryRun: true }));
});
