// @vitest-environment jsdom
import { act, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { DefinitionChange } from '#domain/definition/change.ts';
import { DraftStatus } from '#domain/enums.ts';
import { openPage } from '#app/parts/openPage.tsx';
import { currentUser } from '#app/session.ts';
import { checkDraft, readDraft, saveChange } from './contract.ts';
import DraftPage from './DraftPage.tsx';

const fax = { type: 'String', label: { zh: '传真', en: 'Fax' } } as const;
const before = { definition: { fields: {} }, options: {}, menu: [], rights: {} };

/** A draft with a new field whose column holds seven values, as the server keeps it. */
async function openDraft(access: string[], may = ['keep', 'empty']) {
  let [change, version]: [DefinitionChange, number] = [{ fields: { fax } }, 1];
  const page = await openPage(<DraftPage menuNo="sysDraftList" id="7" />, {
    lang: 'en',
    answers: {
      [readDraft.path]: () => ({
        ...{ id: 7, name: 'Mine', version, status: DraftStatus.Open, publishId: null },
        parts: [{ module: 'ubsSite', change, version, updateBy: 'anna', updateTime: 0, before }],
        names: { modules: { ubsSite: { zh: '站点', en: 'Sites' } }, fields: {}, roles: {}, standard: {} },
      }),
      [checkDraft.path]: () => {
        const answer = change.contents?.fields?.['fax'];
        const isThere = change.fields?.['fax'] !== undefined;
        const problem = {
          ...{ kind: 'ForbiddenChange', rule: 'columnHolds', module: 'ubsSite', path: 'fields.fax', name: 'fax' },
          count: 7,
        };
        const held = { module: 'ubsSite', field: 'fax', table: 'ubs_site', count: 7, may, ...(answer && { answer }) };
        const problems = isThere && !answer ? [problem] : [];
        return { problems, contents: isThere ? [held] : [], warnings: [], statements: [], broken: [], uses: [] };
      },
      [saveChange.path]: (input: { change: DefinitionChange }) => {
        [change, version] = [input.change, version + 1];
        return { version };
      },
    },
  });
  act(() => currentUser.set({ ...currentUser.get(), access } as never));
  const problem = await screen.findByRole('listitem');
  return { ...page, problem, saved: () => change };
}
const group = { name: 'What to do with it' };

it('what a column still holds is answered where it is told, by the keys, and otherwise as long as it is not published', async () => {
  const { user, problem, saved } = await openDraft(['sysDraft:publish', 'sysModule:configure']);
  expect(problem.textContent).toContain('The column “fax” still holds 7 values of a field that was there before.');
  within(problem).getByRole('button', { name: 'Keep' }).focus();
  await user.tab();
  await user.keyboard('{Enter}');
  await screen.findByText('Nothing is wrong: the draft can be published.');
  expect(saved().contents).toEqual({ fields: { fax: 'empty' } });
  const emptying = within(screen.getByRole('group', group)).getByRole('button', { name: 'Empty for good' });
  expect(emptying.getAttribute('aria-pressed')).toBe('true');
  expect(screen.getByText(/^Sites · Fax holds 7 values/)).toBeDefined();
  expect(await screen.findByText('Emptied for good')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Keep' }));
  await screen.findByText('Kept');
  expect(saved().contents).toEqual({ fields: { fax: 'keep' } });
});

it('another name is a way out for whoever may choose nothing else', async () => {
  const { user, problem, saved } = await openDraft(['sysModule:configure'], []);
  const buttons = within(within(problem).getByRole('group', group)).getAllByRole('button');
  expect(buttons.map((it) => it.textContent)).toEqual(['Use another name']);
  await user.click(buttons[0] as HTMLElement);
  await screen.findByText('Nothing is wrong: the draft can be published.');
  expect(saved()).toEqual({ fields: { fax2: fax } });
});

it('nothing is chosen by who may not configure', async () => {
  const { problem } = await openDraft(['sysDraft:publish']);
  expect(within(problem).queryByRole('button')).toBeNull();
});
