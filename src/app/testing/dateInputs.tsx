import { fireEvent, render } from '@testing-library/react';
import type { ReactElement } from 'react';
import { type BuilderContext, ConditionValue } from '#app/engine/ConditionValue.tsx';
import { groupOf, type Query, type SearchColumn, searchColumnsOf } from '#app/engine/advancedQuery.ts';
import { SearchInput } from '#app/engine/SearchInput.tsx';
import { filterOf } from '#app/engine/searchValues.ts';
import type { SearchItem, SearchMetadata } from '#app/engine/wire.ts';
import { currentUser, type UserState } from '#app/session.ts';

type Type = (text: string) => unknown;

/** Where a test asks for days as somebody types them: in the search form, and in the builder of conditions. */
export const dateInputs = {
  /** Whoever is signed in works in a workshop of this zone. */
  signIn: (timeZone: string): void => currentUser.set({ timeZone } as UserState),

  /** @returns types in the form's field, and tells what that hands on */
  drawSearch: (item: SearchItem): Type => draw((onChange) => <SearchInput item={item} value="" onChange={onChange} />),
  searchOf: (entered: Record<string, unknown>, items: readonly SearchItem[]) => filterOf(entered, items),

  /** How a column is asked for; undefined where it is not. */
  inputOf: (metadata: SearchMetadata, name: string): SearchColumn['input'] | undefined =>
    searchColumnsOf(metadata).find((it) => it.name === name)?.input,
  /** The same in the builder, for this relation. */
  drawCondition: (metadata: SearchMetadata, name: string, relation: string): Type => {
    const context: BuilderContext = { module: '', columns: searchColumnsOf(metadata) };
    const asked = { value: '', operator: relation, field: name, title: name, context };
    return draw((onChange) => (
      <ConditionValue {...(asked as unknown as Parameters<typeof ConditionValue>[0])} handleOnChange={onChange} />
    ));
  },
  conditionsOf: (metadata: SearchMetadata, rules: readonly { field: string; operator: string; value: unknown }[]) =>
    groupOf(
      { rules: rules.flatMap((it, i) => (i === 0 ? [it] : ['and', it])) } as unknown as Query,
      searchColumnsOf(metadata),
    ),
};

function draw(input: (onChange: (value: unknown) => void) => ReactElement): Type {
  let value: unknown;
  const { container } = render(input((it) => (value = it)));
  return (text) => {
    value = undefined;
    fireEvent.change(container.querySelector('input') as HTMLInputElement, { target: { value: text } });
    return value;
  };
}
