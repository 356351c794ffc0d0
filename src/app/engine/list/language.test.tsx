// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import { beforeAll, expect, it } from 'vitest';
import { lookup } from '#domain/call.ts';
import { Type } from 'typebox';
import { openList, rows, theRow, warmUp } from '#app/engine/list/testList.ts';
import { download } from '#app/parts/download.ts';
import { expectComplaints } from '#app/testing/renderApp.tsx';

beforeAll(warmUp);

const secondRepair = lookup({
  path: '/api/rmaReport/exportSecondRepair.json',
  right: 'rmaReport:exportSecondRepair',
  input: Type.Object({ startDate: Type.String() }),
  data: Type.Object({}),
});
const form = { data: { items: [{ name: 'Note', queryName: 'note', type: 'String' }], item: rows[0] } };

it.each(['zh', 'en'] as const)(
  'what brings words asks for them in the language of the user: %s [P-LNG-03]',
  async (language) => {
    expectComplaints();
    const { server, go } = await openList({
      language,
      answers: {
        '/api/rmaCheckBill/toAdd.json': form,
        '/api/rmaCheckBill/toModify.json': form,
        [secondRepair.path]: { key: 'downloadFailed', msg: 'none' },
      },
    });
    await theRow('CKB1');
    await go('/rmaCheckBillList/create');
    await screen.findByRole('textbox', { name: /Note/ });
    await go('/rmaCheckBillList/modify/1');
    await waitFor(() => expect(server.calls('/api/rmaCheckBill/toModify.json')).toHaveLength(1));
    await go('/rmaCheckBillList/detail/1');
    await waitFor(() => expect(server.calls('/api/rmaCheckBill/queryById.json')).toHaveLength(1));
    await expect(download(secondRepair, { startDate: '2026-11-01' })).rejects.toThrow('none');
    for (const path of [
      '/api/sysMenu/queryTree.json',
      '/api/rmaCheckBill/searchItems.json',
      '/api/sysBtn/queryByMenuNo.json',
      '/api/rmaCheckBill/queryById.json',
      '/api/rmaCheckBill/toAdd.json',
      '/api/rmaCheckBill/toModify.json',
      secondRepair.path,
    ]) {
      expect([path, server.calls(path)[0]?.query['lang']]).toEqual([path, language]);
    }
  },
);
