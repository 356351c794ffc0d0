// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { DialogProps } from '#app/parts/dialog.ts';
import { openPage, refuses } from '#app/parts/openPage.tsx';
import MergeDialog from './MergeDialog.tsx';

const lot = (wipId: string, chipQty: number, waferIds = '02', version = 5) => ({
  ...{ version, wipId, waferLotId: 'LOT1', waferIds, chipQty, workOrderNo: 'BCO1', inTime: null },
});
async function opens(answers: Record<string, unknown>) {
  const onClose = vi.fn();
  const rows = [{ id: 7, version: 3, wipId: 'W1', chipQty: 90 }];
  const props = { module: 'icopWip', rows, button: { btnName: 'Merge lots' }, onDone: vi.fn(), onClose };
  const page = await openPage(<MergeDialog {...(props as unknown as DialogProps)} />, { lang: 'en', answers });
  return { ...page, onClose };
}
const [asked, sent] = ['/api/icopWip/toMerge.json', '/api/icopWip/merge.json'] as const;
const press = () => screen.getByRole('button', { name: 'Merge lots' });

it('merges the lots that were chosen of those that are the same goods, and says what comes of it', async () => {
  const answers = { [asked]: { items: [lot('W2', 80), lot('W3', 70)] }, [sent]: { wipId: 'W9' } };
  const { user, callsTo, onClose } = await opens(answers);
  expect(await screen.findByRole('dialog', { name: 'Merge lots · W1' })).toBeTruthy();
  await screen.findByRole('checkbox', { name: 'W2' });
  expect(press().hasAttribute('disabled')).toBe(true);
  await user.click(screen.getByRole('checkbox', { name: 'W2' }));
  await user.click(screen.getByRole('checkbox', { name: 'W3' }));
  await user.click(screen.getByRole('checkbox', { name: 'W2' }));
  expect(screen.getByRole('status').textContent).toBe('2 lots, 160 dies in the new lot');
  await user.click(press());
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(callsTo(sent).map((it) => it.input)).toMatchObject([
    { id: '7', version: '3', wipIds: 'W3', versions: '5', chipQtys: '70' },
  ]);
});

it('has a column of wafers only where a lot names some', async () => {
  const heads = () => screen.getAllByRole('columnheader').map((it) => it.textContent);
  const { unmount } = await opens({ [asked]: { items: [lot('W2', 80, ''), lot('W3', 70)] } });
  await screen.findByRole('checkbox', { name: 'W2' });
  expect(heads()).toEqual(['', 'WIP', 'Wafer lot', 'Chips', 'Wafers', 'Work order']);
  unmount();
  await opens({ [asked]: { items: [lot('W2', 80, ''), lot('W3', 70, '')] } });
  await screen.findByRole('checkbox', { name: 'W2' });
  expect(heads()).toEqual(['', 'WIP', 'Wafer lot', 'Chips', 'Work order']);
});

it('says where there is nothing to merge, and why a merge was refused', async () => {
  const empty = await opens({ [asked]: { items: [] } });
  expect(await screen.findByText('No other lot in this bank is the same goods')).toBeTruthy();
  empty.unmount();
  const { user } = await opens({ [asked]: { items: [lot('W2', 80)] }, [sent]: refuses('notSameGoods', 'W2 is empty') });
  await user.click(await screen.findByRole('checkbox', { name: 'W2' }));
  await user.click(press());
  expect(await screen.findByText(/W2 is empty/)).toBeTruthy();
});

it('says which lot has changed since, keeps what was chosen, and reads the lots anew', async () => {
  const answers = { [asked]: { items: [lot('W2', 80)] }, [sent]: refuses('lotChanged', 'W2 held 80, now 60') };
  const { user, callsTo } = await opens(answers);
  await user.click(await screen.findByRole('checkbox', { name: 'W2' }));
  await user.click(press());
  expect((await screen.findByRole('alert')).textContent).toContain('W2 held 80, now 60');
  const before = callsTo(asked).length;
  await user.click(screen.getByRole('button', { name: 'Look again' }));
  await waitFor(() => expect(callsTo(asked).length).toBeGreaterThan(before));
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getByRole('checkbox', { name: 'W2' })).toHaveProperty('checked', true);
});
