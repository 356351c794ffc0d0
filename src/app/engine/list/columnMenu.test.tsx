// @vitest-environment jsdom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeAll, describe, expect, it } from 'vitest';
import { headings, openList, theRow, warmUp } from '#app/engine/list/testList.ts';
import { user } from '#app/testing/renderApp.tsx';

beforeAll(async () => {
  await warmUp();
  await import('#app/engine/list/ColumnMenu.tsx');
});

const menuOf = async (column: string) => {
  fireEvent.contextMenu(screen.getByRole('columnheader', { name: new RegExp(`^${column}`) }), {
    clientX: 40,
    clientY: 60,
  });
  return screen.findByRole('menu');
};
const entries = () => screen.getAllByRole('menuitem').map((it) => [it.textContent, it.getAttribute('href')]);

describe('the menu of a column', () => {
  it('hides it for whoever looks; only the first one stays', async () => {
    const { person } = await openList();
    await theRow('CKB1');
    await menuOf('Units');
    expect(entries()).toEqual([['Hide this column', null]]);
    await person.click(screen.getByRole('menuitem', { name: 'Hide this column' }));
    await waitFor(() => expect(headings().slice(0, 3)).toEqual(['Bill', 'Status', 'Note']));
    await menuOf('Bill');
    expect(screen.getByRole('menuitem', { name: 'Hide this column' }).getAttribute('aria-disabled')).toBe('true');
  });

  it('leads who shapes lists for everybody to the place in the editor', async () => {
    const access = [...user.access, 'sysModule:configure'];
    await openList({ answers: { '/api/userInfo.json': { data: { ...user, access } } } });
    await theRow('CKB1');
    await menuOf('Units');
    expect(entries()).toEqual([
      ['Hide this column', null],
      ['Rename for everybody', '/sysModuleList/configure/rmaCheckBill?at=fields&name=count'],
      ['Hide or move for everybody', '/sysModuleList/configure/rmaCheckBill?at=list&name=count'],
    ]);
  });
});
