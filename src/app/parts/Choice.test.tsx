// @vitest-environment jsdom
import { useState } from 'react';
import { act, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { Choice } from '#app/parts/Choice.tsx';
import type { ChoiceProps } from '#app/parts/choiceProps.ts';
import { ManyChoice } from '#app/parts/ManyChoice.tsx';
import { openPage } from '#app/parts/openPage.tsx';

const OPTIONS = '/api/rmaCheckBill/options.json';
const few = [
  { value: 'SF', label: 'SF Express' },
  { value: 'YL', label: 'Yellow Truck' },
];
const asked = { module: 'rmaCheckBill', field: 'shipId' };
const all = [...few, { value: 'DH', label: 'DHL' }, { value: 'DX', label: 'DHX' }];
const answer = ({ search = '', value }: { search?: string; value?: string }) => ({
  options: all
    .filter((it) =>
      value ? it.value === value : `${it.value} ${it.label}`.toLowerCase().includes(search.toLowerCase()),
    )
    .map((it) => ({ value: it.value, optionName: it.label })),
});

type Given = Partial<ChoiceProps> & { start?: string };
async function open({ start = '', ...more }: Given, answers: object = { [OPTIONS]: answer }) {
  const onSubmit = vi.fn();
  const onChange = vi.fn();
  const chosen = { value: start };
  function Form() {
    const [value, setValue] = useState(start);
    chosen.value = value;
    return (
      <form onSubmit={onSubmit}>
        <Choice
          label="Carrier"
          options={few}
          {...more}
          value={value}
          onChange={(it) => {
            onChange(it);
            setValue(it);
          }}
        />
        <button type="submit">Save</button>
      </form>
    );
  }
  const page = await openPage(<Form />, { lang: 'en', answers: answers as Record<string, unknown> });
  const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: /Carrier/ });
  return { ...page, field, chosen, onChange, onSubmit };
}

it('picks one of a few by key, and takes it back by Delete or by its button', async () => {
  const { user, field, chosen } = await open({ none: 'Any' });
  field().focus();
  await user.keyboard('{Enter}');
  await user.click(await screen.findByRole('option', { name: 'Yellow Truck' }));
  expect(chosen.value).toBe('YL');
  await waitFor(() => expect(screen.queryByRole('listbox')).toBeNull());
  field().focus();
  await user.keyboard('{Delete}');
  expect(chosen.value).toBe('');
  expect(screen.queryByRole('button', { name: 'Clear Carrier' })).toBeNull();
});

it('has no way back where one must be chosen', async () => {
  const { user, field, chosen } = await open({ none: 'please select', required: true, start: 'SF' });
  field().focus();
  await user.keyboard('{Delete}');
  expect(chosen.value).toBe('SF');
  expect(screen.queryByRole('button', { name: 'Clear Carrier' })).toBeNull();
});

it.each([
  ['loading', 'Looking'],
  ['failed', 'The options cannot be read'],
  [undefined, 'Nothing to choose from'],
] as const)('says why there is nothing to choose from: %s', async (state, words) => {
  const { user, field } = await open({ state, options: [] });
  await user.click(field());
  expect((await screen.findByRole('option')).textContent).toBe(words);
});

it('has the server look for what is typed, and names what was chosen before', async () => {
  const { user, field, chosen, asked: calls } = await open({ asked, start: 'DH' });
  await waitFor(() => expect(field().value).toBe('DHL'));
  await user.clear(field());
  await user.type(field(), 'yel');
  await user.click(await screen.findByRole('option', { name: 'Yellow Truck' }));
  expect(chosen.value).toBe('YL');
  expect(calls.map((it) => it.input)).toEqual([
    { field: 'shipId', value: 'DH', lang: 'en' },
    { field: 'shipId', search: 'yel', lang: 'en' },
  ]);
});

it('chooses what a scanner typed and sent off, and sends no form off with it', async () => {
  const { user, field, chosen, onSubmit } = await open({ asked });
  await user.type(field(), 'dh{Enter}');
  expect(onSubmit).not.toHaveBeenCalled();
  await waitFor(() => expect(field().value).toBe('DHL'));
  expect(chosen.value).toBe('DH');
});

it('has chosen what is known by the end of the stroke, as the next one may send the form off', async () => {
  const { user, field, onChange } = await open({ asked });
  await user.type(field(), 'dhl');
  await screen.findByRole('option', { name: 'DHL' });
  act(() => {
    field().dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    expect(onChange.mock.calls).toEqual([['DH']]);
  });
  expect(onChange).toHaveBeenCalledOnce();
});

it('chooses what is called as typed, and not what was chosen before and is found too', async () => {
  const both = { options: ['DH', 'DHX'].map((it) => ({ value: it, optionName: it })) };
  const { user, field, chosen } = await open({ asked, start: 'DHX' }, { [OPTIONS]: both });
  await waitFor(() => expect(field().value).toBe('DHX'));
  await user.click(field());
  await user.keyboard('DH');
  await screen.findByRole('option', { name: 'DH' });
  await user.keyboard('{Enter}');
  await waitFor(() => expect(chosen.value).toBe('DH'));
  await user.keyboard('D');
  await screen.findByRole('option', { name: 'DHX' });
  await user.keyboard('{ArrowUp}{Enter}');
  expect(chosen.value).toBe('DHX');
});

it('shows what is offered no more as it is, and lets it be taken off', async () => {
  const { user, field, chosen } = await open({ none: 'Any', start: 'GONE' });
  expect(field().textContent).toBe('GONE');
  field().focus();
  await user.keyboard('{Delete}');
  expect(chosen.value).toBe('');
});

it('leaves what is called by no choice unchosen', async () => {
  const { user, field, chosen, onSubmit } = await open({ asked });
  await user.type(field(), 'nobody{Enter}');
  expect(await screen.findByText('Nothing matches')).toBeTruthy();
  expect(chosen.value).toBe('');
  expect(onSubmit).not.toHaveBeenCalled();
});

it('says that the options cannot be read, and asks once more', async () => {
  let isDown = true;
  const { user, field } = await open(
    { asked },
    { [OPTIONS]: (it: object) => (isDown ? new Response('', { status: 502 }) : answer(it)) },
  );
  await user.type(field(), 'yel');
  const retry = await screen.findByRole('button', { name: 'Try again' });
  isDown = false;
  await user.click(retry);
  expect(await screen.findByRole('option', { name: 'Yellow Truck' })).toBeTruthy();
});

it('takes several, by name as by scan', async () => {
  const chosen: { values: readonly string[] } = { values: [] };
  function Form() {
    const [values, setValues] = useState<readonly string[]>(['SF']);
    chosen.values = values;
    return <ManyChoice label="Carriers" options={few} asked={asked} values={values} onChange={setValues} />;
  }
  const { user } = await openPage(<Form />, { lang: 'en', answers: { [OPTIONS]: answer } });
  const field = screen.getByRole('combobox', { name: /Carriers/ });
  await user.type(field, 'DX{Enter}');
  await waitFor(() => expect(chosen.values).toEqual(['SF', 'DX']));
  expect(screen.getByText('DHX')).toBeTruthy();
  await user.type(field, '{Backspace}');
  expect(chosen.values).toEqual(['SF']);
});

it('takes the next scan in place of one that is still looked up, and says of what is no choice', async () => {
  let answerAll: () => void = () => undefined;
  const later = new Promise<void>((done) => (answerAll = done));
  const slow = { [OPTIONS]: (input: Parameters<typeof answer>[0]) => later.then(() => answer(input)) };
  const { user, field, chosen } = await open({ asked, options: [] }, slow);
  await user.type(field(), 'DH{Enter}');
  await user.keyboard('DX{Enter}');
  expect(field().value).toBe('DX');
  answerAll();
  await waitFor(() => expect(chosen.value).toBe('DX'));
  await user.clear(field());
  await user.keyboard('RX99{Enter}');
  await screen.findByText('RX99 is none of the choices: scan or type another one');
  await user.keyboard('DH{Enter}');
  await waitFor(() => expect(chosen.value).toBe('DH'));
  expect(screen.queryByText(/none of the choices/)).toBeNull();
});
