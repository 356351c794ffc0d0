import { screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { ListContextProvider, type ListControllerResult } from 'ra-core';
import { vi } from 'vitest';
import { notices } from '#app/notify.ts';
import type { DialogProps } from '#app/parts/dialog.ts';
import { openPage, type Answers, type Opening } from '#app/parts/openPage.tsx';
import { Notices } from '#app/shell/Notices.tsx';

/** As react-admin tells what lies under a dialog. */
const list = { data: [] } as unknown as ListControllerResult;

export type OpenedDialog = Awaited<ReturnType<typeof openDialog>>;

/** A feature's dialog over a list of no rows, for its tests. */
export async function openDialog(
  Dialog: ComponentType<DialogProps>,
  module: string,
  answers: Answers = {},
  opening: Omit<Opening, 'answers'> = {},
) {
  notices.closeAll();
  const [onDone, onClose] = [vi.fn(), vi.fn()];
  const props = { menuNo: `${module}List`, module, rows: [], onDone, onClose } as unknown as DialogProps;
  const button = { id: 'b', btnNo: 'b', btnName: '导出汇总', btnScript: 'report' };
  const page = await openPage(
    <>
      <ListContextProvider value={list}>
        <Dialog {...props} button={button} />
      </ListContextProvider>
      <Notices />
    </>,
    { ...opening, answers },
  );
  return { ...page, onDone, onClose };
}

export const labelled = (name: string) => screen.getByLabelText(new RegExp(`^${name}`));
/** Types into a field anew. */
export async function enter({ user }: OpenedDialog, name: string, value: string): Promise<void> {
  await user.clear(labelled(name));
  await user.type(labelled(name), value);
}
export const said = () => screen.getByRole('alert').textContent;
