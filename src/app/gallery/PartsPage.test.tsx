// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { notShown, specimensIn } from '#app/gallery/specimens.tsx';
import { openPage } from '#app/parts/openPage.tsx';

vi.mock('#app/parts/Chart.tsx', () => ({ default: () => <div /> }));

const sources = import.meta.glob<string>(
  ['../parts/*.tsx', '../parts/choiceProps.ts', '!../parts/*.test.tsx', '!../parts/open*.tsx'],
  {
    query: '?raw',
    import: 'default',
    eager: true,
  },
);
const parts = Object.values(sources).flatMap((it) =>
  [...it.matchAll(/^export (?:default )?(?:function|const) ([A-Z]\w*[a-z]\w*)/gm)].map(([, name]) => String(name)),
);

it('shows every part, or says why not', () => {
  const shown = specimensIn('en').map((it) => it.part);
  expect(parts.length).toBeGreaterThan(40);
  expect(parts.filter((it) => !shown.includes(it) && !(it in notShown))).toEqual([]);
  const named = [...shown, ...Object.keys(notShown)];
  expect(named.filter((it) => !parts.includes(it))).toEqual(['DateInput', 'FieldInput']);
  expect(new Set(named).size).toBe(named.length);
});

/** What a part can be by its props, and the state of the gallery that shows it so. */
const statesOfProps = {
  error: 'wrong',
  problem: 'wrong',
  disabled: 'disabled',
  state: ['loading', 'failed'],
  asked: ['asked, empty', 'asked, filled', 'asked, wrong', 'asked, loading', 'asked, failed'],
  options: ['empty', 'filled'],
  values: ['empty', 'filled'],
} as const;

it('shows each choice in every state that its props can bring it to', () => {
  const choices = specimensIn('en').filter((it) => it.part.endsWith('Choice') && it.part !== 'FileChoice');
  expect(choices.map((it) => it.part)).toEqual(['Choice', 'QuickChoice', 'ManyChoice']);
  for (const { part, states } of choices) {
    const own = sources[`../parts/${part}.tsx`] ?? '';
    const source = own.includes('ChoiceProps') ? `${own}${sources['../parts/choiceProps.ts']}` : own;
    const demanded = Object.entries(statesOfProps).flatMap(([prop, wanted]) =>
      new RegExp(`^  ${prop}\\??:`, 'm').test(source) && !(prop === 'asked' && part === 'ManyChoice') ? wanted : [],
    );
    expect(demanded.length, part).toBeGreaterThan(2);
    expect(
      [...new Set(demanded)].filter((it) => !(it in states)),
      part,
    ).toEqual([]);
  }
});

it.each(['zh', 'en'] as const)('draws each of them in %s', async (lang) => {
  for (const { part, states } of specimensIn(lang)) {
    for (const [state, specimen] of Object.entries(states)) {
      const { unmount } = await openPage(<section aria-label={`${part}, ${state}`}>{specimen}</section>, { lang });
      expect(screen.getByRole('region', { name: `${part}, ${state}` }).childNodes.length, part).toBeGreaterThanOrEqual(
        0,
      );
      unmount();
    }
  }
});
