// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { SUCCESS } from '#domain/call.ts';
// Compiled ahead, so that no test waits for it.
import '#app/engine/ListPage.tsx';
import { refused } from '#app/testing/refused.ts';
import { renderApp, user } from '#app/testing/renderApp.tsx';

const module = 'ubsIssueCode';
const button = (script: string, btnName: string, more: object = {}) => ({
  id: script,
  btnNo: script,
  btnName,
  btnScript: script,
  ...more,
});
const rows = [1, 2, 3].map((id) => ({ id, code: `FX0${id}` }));
const verdict = (id: number, done = true) => ({
  id,
  name: `FX0${id}`,
  version: id + 6,
  amount: null,
  done,
  code: done ? SUCCESS : 'shared by many',
  ...(!done && { key: 'inUse' }),
  msg: done ? '' : 'is used',
});

const codeButtons = [
  button('modify', 'Modify', { rows: 1 }),
  button('deleteAll', 'Delete', { rows: 'many', tone: 'danger' }),
  button('detail', 'Detail', { rows: 1 }),
  button('bulk', 'Bulk', { rows: 'many', all: true }),
];

/** An answer that comes event by event. */
function eventStream() {
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (it) => void (controller = it) });
  const encoder = new TextEncoder();
  return {
    answer: new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    events: {
      tell: (event: object) => controller.enqueue(encoder.encode(`data: ${JSON.stringify(event)}\n\n`)),
      end: () => controller.close(),
    },
  };
}

function answers(
  bulk: (body: Record<string, unknown>) => object | Promise<object>,
  module = 'ubsIssueCode',
  buttons = codeButtons,
) {
  return {
    '/api/sysMenu/queryTree.json': {
      data: { items: [{ menuNo: `${module}List`, menuName: 'Codes', module, children: [] }] },
    },
    '/api/userInfo.json': { data: { ...user, access: [`${module}List`, `${module}:list`] } },
    [`/api/${module}/searchItems.json`]: { data: { items: [] } },
    '/api/sysBtn/queryByMenuNo.json': { data: { items: buttons } },
    [`/api/${module}/pager.json`]: {
      data: {
        title: { code: 'Code' },
        columns: [{ name: 'code', label: 'Code', type: 'String' }],
        items: rows,
        itemTotal: 3,
        tableName: 'Codes',
      },
    },
    [`/api/${module}/bulk.json`]: async ({ body }: { body: string }) => {
      const asked = JSON.parse(body) as Record<string, unknown>;
      const answer = await bulk(asked);
      return 'code' in answer || 'results' in answer === false ? (answer as never) : { data: answer };
    },
  };
}
const answerOf = (results: object[], dryRun: boolean) => {
  const doneCount = results.filter((it) => (it as { done: boolean }).done).length;
  const unchangedCount = results.filter((it) => 'unchanged' in it).length;
  const refusedCount = results.length - doneCount - unchangedCount;
  return { dryRun, total: results.length, doneCount, unchangedCount, refusedCount, results };
};

describe('the bulk dialog', () => {
  it('foresees, does what would be done, and tells of each row what came of it', async () => {
    const { server, person } = await renderApp(`/${module}List`, {
      answers: answers(({ ids, dryRun }) =>
        answerOf(
          (ids as number[]).map((id) => ({
            ...verdict(id, id !== 2),
            ...(dryRun === true && id === 1 && { notes: ['ends FX09'], foreseen: 'ends' }),
          })),
          dryRun === true,
        ),
      ),
    });
    for (const { code } of rows) await person.click(await screen.findByText(code));
    await person.click(await screen.findByRole('button', { name: 'Bulk' }));
    const dialog = await screen.findByRole('dialog', { name: 'Bulk · 3 rows' });
    await person.click(within(dialog).getByRole('combobox', { name: /What to do/ }));
    expect((await screen.findAllByRole('option')).map((it) => it.textContent)).toEqual(['Modify', 'Delete']);
    await person.click(screen.getByRole('option', { name: 'Delete' }));
    await person.click(within(dialog).getByRole('button', { name: 'Preview the result' }));
    expect(await within(dialog).findByText('Delete: to be done 2, refused 1')).toBeDefined();
    expect(within(dialog).getByText('is used')).toBeDefined();
    expect(within(dialog).getByText('ends FX09')).toBeDefined();
    await person.click(within(dialog).getByRole('button', { name: 'Delete (2)' }));
    expect(await within(dialog).findByText('Done: 2, refused: 1')).toBeDefined();
    const asked = server.calls(`/api/${module}/bulk.json`).map((it) => JSON.parse(it.body) as object);
    expect(asked).toEqual([
      { action: 'deleteAll', ids: [1, 2, 3], dryRun: true },
      { action: 'deleteAll', ids: [1, 3], versions: { 1: 7, 3: 9 }, foreseen: { 1: 'ends' } },
    ]);
    const table = within(dialog).getByRole('table', { name: 'Results row by row' });
    const cells = within(table)
      .getAllByRole('row')
      .slice(1)
      .map((it) => it.textContent);
    expect(cells).toEqual(['FX02Refusedis used', 'FX01Done', 'FX03Done']);
    expect(within(dialog).queryByRole('button', { name: 'Cancel' })).toBeNull();
    const read = server.calls(`/api/${module}/pager.json`).length;
    await person.click(within(dialog).getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(server.calls(`/api/${module}/pager.json`).length).toBeGreaterThan(read));
  });

  it('of a row that has gone since keeps the name, and of one that is called otherwise says both', async () => {
    const { person } = await renderApp(`/${module}List`, {
      answers: answers(({ ids, dryRun }) => {
        const run = [
          { ...verdict(1, false), name: '1', version: null, msg: 'is gone' },
          { ...verdict(2, false), name: 'FX20', msg: 'was changed' },
          verdict(3),
        ];
        return answerOf(dryRun ? (ids as number[]).map((id) => verdict(id)) : run, dryRun === true);
      }),
    });
    for (const { code } of rows) await person.click(await screen.findByText(code));
    await person.click(await screen.findByRole('button', { name: 'Bulk' }));
    const dialog = await screen.findByRole('dialog', { name: 'Bulk · 3 rows' });
    await person.click(within(dialog).getByRole('combobox', { name: /What to do/ }));
    await person.click(await screen.findByRole('option', { name: 'Delete' }));
    await person.click(within(dialog).getByRole('button', { name: 'Preview the result' }));
    await person.click(await within(dialog).findByRole('button', { name: 'Delete (3)' }));
    await within(dialog).findByText('Done: 1, refused: 2');
    const table = within(dialog).getByRole('table', { name: 'Results row by row' });
    const told = within(table).getAllByRole('row').slice(1);
    expect(told.map((it) => it.textContent)).toEqual([
      'FX01Refusedis gone',
      'FX02 → FX20Refusedwas changed',
      'FX03Done',
    ]);
  });

  it('says of a row that was changed since what it was and what it is, in words', async () => {
    const fields = [
      { name: 'remark', label: 'Remark', type: 'String' },
      { name: 'siteId', label: 'Site', type: 'select' },
      { name: 'note', label: 'Note', type: 'String' },
      ...Array.from({ length: 5 }, (_, i) => ({ name: `n${i}`, label: `No. ${i}`, type: 'Number' })),
    ];
    const note = (end: string) => `${'n'.repeat(100)}😀${end}`;
    const was = { remark: 'a'.repeat(80), siteId: 'SZ', note: note('old'), n0: 1 };
    const is = { siteId: 'BJ', note: note('new'), ...Object.fromEntries([0, 1, 2, 3, 4].map((i) => [`n${i}`, 5])) };
    const { person } = await renderApp(`/${module}List`, {
      answers: answers(({ ids, dryRun }) => {
        const run = [
          { ...verdict(1, false), key: 'stale', msg: 'was changed', row: is },
          { ...verdict(2, false), key: 'stale', msg: 'was changed', row: was },
          verdict(3),
        ];
        const shown = (ids as number[]).map((id) => ({ ...verdict(id), row: was }));
        return {
          ...answerOf(dryRun ? shown : run, dryRun === true),
          fields,
          labels: { siteId: dryRun ? { SZ: 'Shenzhen' } : { BJ: 'Beijing' } },
        };
      }),
    });
    for (const { code } of rows) await person.click(await screen.findByText(code));
    await person.click(await screen.findByRole('button', { name: 'Bulk' }));
    const dialog = await screen.findByRole('dialog', { name: 'Bulk · 3 rows' });
    await person.click(within(dialog).getByRole('combobox', { name: /What to do/ }));
    await person.click(await screen.findByRole('option', { name: 'Delete' }));
    await person.click(within(dialog).getByRole('button', { name: 'Preview the result' }));
    await person.click(await within(dialog).findByRole('button', { name: 'Delete (3)' }));
    await within(dialog).findByText('Done: 1, refused: 2');
    const [changed, same] = within(within(dialog).getByRole('table', { name: 'Results row by row' }))
      .getAllByRole('row')
      .slice(1);
    expect([...(changed?.querySelectorAll('td:last-child > div') ?? [])].map((it) => it.textContent)).toEqual([
      `Remark: ${'a'.repeat(60)}… → –`,
      'Site: Shenzhen → Beijing',
      `Note: …${'n'.repeat(19)}😀old → …${'n'.repeat(19)}😀new`,
      'No. 0: 1 → 5',
      'No. 1: – → 5',
      'and 3 more fields',
    ]);
    expect(same?.textContent).toContain('What is shown here is the same');
  });

  it('lists two buttons of one script as two', async () => {
    const again = { ...button('modify', 'Modify settled', { rows: 1 }), id: 'settled', btnNo: 'settled' };
    const { person } = await renderApp(`/${module}List`, {
      answers: {
        ...answers(() => answerOf([], true), module, [...codeButtons, again]),
        [`/api/${module}/toModify.json`]: { data: { items: [], rows: [], item: { id: 1 } } },
      },
    });
    await person.click(await screen.findByText('FX01'));
    await person.click(await screen.findByRole('button', { name: 'Bulk' }));
    const dialog = await screen.findByRole('dialog', { name: 'Bulk · 1 row' });
    const choice = within(dialog).getByRole('combobox', { name: /What to do/ });
    for (const name of ['Modify settled', 'Modify']) {
      await person.click(choice);
      await person.click(await screen.findByRole('option', { name }));
      expect(choice.textContent).toBe(name);
    }
  });

  it('with nothing selected is meant for all that match, and goes on under the same key after a lost answer', async () => {
    let lost = true;
    const { server, person } = await renderApp(`/${module}List`, {
      answers: answers(({ ids, dryRun }) => {
        if (!dryRun && lost) {
          lost = false;
          return { code: '', msg: 'lost', status: 200 };
        }
        return answerOf(
          ((ids as number[] | undefined) ?? [1, 2, 3]).map((id) => verdict(id)),
          dryRun === true,
        );
      }),
    });
    await screen.findByText('FX01');
    await person.click(await screen.findByRole('button', { name: 'Bulk' }));
    const dialog = await screen.findByRole('dialog', { name: 'Bulk · 3 rows' });
    await person.click(within(dialog).getByRole('combobox', { name: /What to do/ }));
    await person.click(await screen.findByRole('option', { name: 'Delete' }));
    await person.click(within(dialog).getByRole('button', { name: 'Preview the result' }));
    expect(await within(dialog).findByText('Delete: all 3 rows would be done, none refused')).toBeDefined();
    await person.click(await within(dialog).findByRole('button', { name: 'Delete (3)' }));
    await within(dialog).findByText(/lost/);
    await person.click(within(dialog).getByRole('button', { name: 'Continue' }));
    expect(await within(dialog).findByText('Done: 3, refused: 0')).toBeDefined();
    const [dry, first, again] = server.calls(`/api/${module}/bulk.json`);
    expect(JSON.parse(dry?.body ?? '')).toEqual({
      action: 'deleteAll',
      matching: { query: {}, all: true },
      dryRun: true,
    });
    expect(again?.headers.get('idempotency-key')).toBe(first?.headers.get('idempotency-key'));
  });

  it('sets no field that was ticked and not filled in, empties one that is to be empty, and runs no row that has it', async () => {
    const form = [
      { queryName: 'name', name: 'Name', type: 'String', required: true },
      { queryName: 'note', name: 'Note', type: 'String' },
    ];
    const { server, person } = await renderApp(`/${module}List`, {
      answers: {
        ...answers(({ ids, dryRun }) =>
          answerOf(
            (ids as number[]).map((id) =>
              id === 2 ? { ...verdict(id, false), unchanged: true, msg: '' } : verdict(id),
            ),
            dryRun === true,
          ),
        ),
        [`/api/${module}/toModify.json`]: { data: { items: form, data: rows[0] } },
      },
    });
    for (const { code } of rows) await person.click(await screen.findByText(code));
    await person.click(await screen.findByRole('button', { name: 'Bulk' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Bulk · 3 rows' }));
    await person.click(dialog.getByRole('combobox', { name: /What to do/ }));
    await person.click(await screen.findByRole('option', { name: 'Modify' }));
    await person.click(await dialog.findByRole('checkbox', { name: 'Set Note' }));
    await person.click(dialog.getByRole('checkbox', { name: 'Set Name' }));
    await person.click(dialog.getByRole('button', { name: 'Preview the result' }));
    expect(dialog.getByText('Fill it in, or choose to leave it empty')).toBeDefined();
    expect(dialog.getByText('Fill it in; it cannot be empty')).toBeDefined();
    expect(server.calls(`/api/${module}/bulk.json`)).toEqual([]);
    expect(dialog.queryByRole('checkbox', { name: 'Leave Name empty' })).toBeNull();
    await person.click(dialog.getByRole('checkbox', { name: 'Set Name' }));
    await person.click(dialog.getByRole('checkbox', { name: 'Leave Note empty' }));
    await person.click(dialog.getByRole('button', { name: 'Preview the result' }));
    expect(await dialog.findByText('1 row has it already')).toBeDefined();
    expect(dialog.getByText('Unchanged')).toBeDefined();
    await person.click(dialog.getByRole('button', { name: 'Modify (2)' }));
    expect(await dialog.findByText('Done: 2, refused: 0')).toBeDefined();
    const asked = server.calls(`/api/${module}/bulk.json`).map((it) => JSON.parse(it.body) as object);
    expect(asked).toEqual([
      { action: 'modify', values: { note: null }, ids: [1, 2, 3], dryRun: true },
      { action: 'modify', values: { note: null }, ids: [1, 3], versions: { 1: 7, 3: 9 } },
    ]);
  });

  it('tells how far its preview is, and stops it by Esc: what was chosen stays, and nothing else is said', async () => {
    const { events, answer } = eventStream();
    const { server, person } = await renderApp(`/${module}List`, { answers: answers(() => answer) });
    await screen.findByText('FX01');
    await person.click(await screen.findByRole('button', { name: 'Bulk' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Bulk · 3 rows' }));
    await person.click(dialog.getByRole('combobox', { name: /What to do/ }));
    await person.click(await screen.findByRole('option', { name: 'Delete' }));
    await person.click(dialog.getByRole('button', { name: 'Preview the result' }));
    events.tell({ done: 1000, total: 7000 });
    expect(await dialog.findByText('1,000 of 7,000 rows')).toBeDefined();
    expect(dialog.getByRole('progressbar', { name: 'Progress of the preview' }).getAttribute('aria-valuenow')).toBe(
      '14',
    );
    // What is previewed can't be changed meanwhile, for what is shown then is done.
    const choice = dialog.getByRole('combobox', { name: /What to do/ });
    expect(choice.closest('[inert]')).not.toBeNull();
    const [asked] = server.calls(`/api/${module}/bulk.json`);
    expect(asked?.headers.get('accept')).toContain('text/event-stream');
    await person.keyboard('{Escape}');
    expect(await dialog.findByRole('button', { name: 'Cancel' })).toBeDefined();
    expect(dialog.queryByText('1,000 of 7,000 rows')).toBeNull();
    expect(dialog.queryByRole('alert')).toBeNull();
    expect([choice.textContent, choice.closest('[inert]')]).toEqual(['Delete', null]);
  });

  it('shows what the last event of a preview answers, or why there is none', async () => {
    const { events, answer } = eventStream();
    const { person, server } = await renderApp(`/${module}List`, { answers: answers(() => answer) });
    await screen.findByText('FX01');
    await person.click(await screen.findByRole('button', { name: 'Bulk' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Bulk · 3 rows' }));
    await person.click(dialog.getByRole('combobox', { name: /What to do/ }));
    await person.click(await screen.findByRole('option', { name: 'Delete' }));
    await person.click(dialog.getByRole('button', { name: 'Preview the result' }));
    events.tell({ done: 0, total: 3 });
    const refusal = (await refused('stillRunning', 'still running').json()) as object;
    events.tell(refusal);
    events.end();
    expect((await dialog.findByRole('alert')).textContent).toContain('still running');
    const second = eventStream();
    server.answer(answers(() => second.answer));
    await person.click(dialog.getByRole('button', { name: 'Preview the result' }));
    const data = answerOf(
      [1, 2, 3].map((id) => verdict(id)),
      true,
    );
    second.events.tell({ code: SUCCESS, msg: '', data });
    second.events.end();
    expect(await dialog.findByText('Delete: all 3 rows would be done, none refused')).toBeDefined();
  });

  it('stops a run between its parts, and goes on with what is left', async () => {
    const many = Array.from({ length: 450 }, (_, i) => i + 1);
    let part = 0;
    let letGo = (): void => undefined;
    const held = new Promise<void>((go) => (letGo = go));
    const { server, person } = await renderApp(`/${module}List`, {
      answers: answers(({ ids, dryRun }) => {
        const answer = answerOf(
          ((ids as number[] | undefined) ?? many).map((id) => verdict(id)),
          dryRun === true,
        );
        if (dryRun) return answer;
        part += 1;
        return part === 1 ? held.then(() => answer) : answer;
      }),
    });
    await screen.findByText('FX01');
    await person.click(await screen.findByRole('button', { name: 'Bulk' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Bulk · 3 rows' }));
    await person.click(dialog.getByRole('combobox', { name: /What to do/ }));
    await person.click(await screen.findByRole('option', { name: 'Delete' }));
    await person.click(dialog.getByRole('button', { name: 'Preview the result' }));
    await person.click(await dialog.findByRole('button', { name: 'Delete (450)' }));
    await person.click(await dialog.findByRole('button', { name: 'Stop' }));
    letGo();
    expect(await dialog.findByText('200 of 450 rows')).toBeDefined();
    expect(part).toBe(1);
    await person.click(await dialog.findByRole('button', { name: 'Continue' }));
    expect(await dialog.findByText('Done: 450, refused: 0')).toBeDefined();
    const sent = server.calls(`/api/${module}/bulk.json`).map((it) => JSON.parse(it.body) as { ids?: number[] });
    expect(sent.slice(1).flatMap((it) => it.ids)).toEqual(many);
  });

  it('decides about many bills: the same word for all, and a no only with its reason', async () => {
    const bills = 'rmaPriceBill';
    const buttons = [
      button('financialReview', 'Financial review', { rows: 1, bulk: true }),
      button('bulk', 'Review many', { rows: 'many', all: true }),
    ];
    const verdicts = (body: Record<string, unknown>) =>
      answerOf(
        ((body['ids'] as number[] | undefined) ?? [1, 2, 3]).map((id) => verdict(id)),
        body['dryRun'] === true,
      );
    const { server, person } = await renderApp(`/${bills}List`, { answers: answers(verdicts, bills, buttons) });
    await screen.findByText('FX01');
    await person.click(await screen.findByRole('button', { name: 'Review many' }));
    const dialog = await screen.findByRole('dialog', { name: 'Review many · 3 rows' });
    const preview = within(dialog).getByRole('button', { name: 'Preview the result' });
    expect(preview).toHaveProperty('disabled', true);
    await person.click(within(dialog).getByRole('combobox', { name: /Decision/ }));
    await person.click(await screen.findByRole('option', { name: 'Reject' }));
    expect(within(dialog).getByText('Enter the reason for rejecting it')).toBeDefined();
    expect(preview).toHaveProperty('disabled', true);
    await person.type(within(dialog).getByRole('textbox', { name: /Review remark/ }), 'no papers');
    await person.click(preview);
    await person.click(await within(dialog).findByRole('checkbox', { name: 'FX02' }));
    await person.click(await within(dialog).findByRole('button', { name: 'Financial review (2)' }));
    expect(await within(dialog).findByText('Done: 2, refused: 0')).toBeDefined();
    const asked = server.calls(`/api/${bills}/bulk.json`).map((it) => JSON.parse(it.body) as object);
    const values = { result: '1', remark: 'no papers' };
    expect(asked).toEqual([
      { action: 'financialReview', values, matching: { query: {}, all: true }, dryRun: true },
      { action: 'financialReview', values, ids: [1, 3], versions: { 1: 7, 3: 9 } },
    ]);
  });
});
