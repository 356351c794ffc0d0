// @vitest-environment jsdom
import { useState } from 'react';
import { fireEvent, act, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { ValueEditorProps } from 'react-querybuilder';
import { ConditionValue } from '#app/engine/ConditionValue.tsx';
import { FieldInput } from '#app/engine/FieldInput.tsx';
import { SearchInput } from '#app/engine/SearchInput.tsx';
import { NumberField } from '#app/parts/NumberField.tsx';
import { openPage } from '#app/parts/openPage.tsx';

function Held({ start = '' }: { start?: string }) {
  const [value, setValue] = useState(start);
  return (
    <>
      <NumberField kind="money" currency="CNY" label="Price" value={value} onChange={setValue} />
      <button>After</button>
    </>
  );
}
const field = () => screen.getByLabelText<HTMLInputElement>('Price');
const told = () => [field().value, field().getAttribute('aria-invalid') === 'true'];

describe('an amount', () => {
  it('that is come to otherwise than by a click is selected, so that what is typed replaces it', async () => {
    const { user } = await openPage(<Held start="1234.5" />, { lang: 'en' });
    // As by Shift and Tab, after which a browser selects nothing of a value that changes.
    act(() => field().focus());
    expect([field().value, field().selectionStart, field().selectionEnd]).toEqual(['1234.5', 0, 6]);
    await user.keyboard('7');
    expect(field().value).toBe('7');
  });

  it('that is clicked has the cursor and nothing selected', async () => {
    const { user } = await openPage(<Held start="1234.5" />, { lang: 'en' });
    await user.click(field());
    expect(field().selectionStart).toBe(field().selectionEnd);
    await user.keyboard('7');
    expect(field().value).toBe('1234.57');
  });

  it.each([
    ['en', 'A number below 0 can', 'Write decimals with a point', 'Amounts here are in CNY'],
    ['zh', '此处不能填负数', '请用小数点', '此处金额的币种是 CNY'],
  ] as const)('that is none stays as it was entered, and says why, in %s', async (lang, negative, comma, foreign) => {
    const { user } = await openPage(<Held />, { lang });
    await user.click(field());
    await user.keyboard('4,20');
    expect(told()).toEqual(['4,20', false]);
    await user.tab();
    expect(told()).toEqual(['4,20', true]);
    expect(screen.getByText(comma, { exact: false })).toBeTruthy();
    await user.clear(field());
    await user.keyboard('1,234.5');
    await user.tab();
    expect(told()).toEqual(['1,234.50', false]);
    await user.clear(field());
    await user.keyboard('-5');
    expect(told()).toEqual(['-5', true]);
    expect(screen.getByText(negative, { exact: false })).toBeTruthy();
    await user.clear(field());
    await user.paste('€5');
    expect(told()).toEqual(['€5', true]);
    expect(screen.getByText(foreign, { exact: false })).toBeTruthy();
  });

  it.each([
    ['en', 'Enter one number', 'at most 24 digits'],
    ['zh', '请只填一个数字', '最多 24 位'],
  ] as const)('that is pasted is what was copied, or is refused, in %s', async (lang, one, long) => {
    const { user } = await openPage(<Held />, { lang });
    const put = async (text: string) => {
      await user.clear(field());
      await user.paste(text);
      const now = told();
      await user.tab();
      const left = told();
      await user.click(field());
      return [now, left];
    };
    for (const [text, seen] of [
      ['100\n200', '100⏎200'],
      ['100\r\n200', '100⏎200'],
      ['25\t350', '25\t350'],
    ] as const) {
      const same = [seen, true];
      expect([text, await put(text)]).toEqual([text, [same, same]]);
      expect(screen.getByText(one, { exact: false })).toBeTruthy();
    }
    await user.clear(field());
    fireEvent.drop(field(), { dataTransfer: { getData: () => '100\n200' } });
    expect(told(), 'dropped').toEqual(['100⏎200', true]);
    expect(await put('4 20')).toEqual([
      ['4 20', false],
      ['4 20', true],
    ]);
    expect((await put(`${' '.repeat(20)}1234.50`))[1]).toEqual(['1,234.50', false]);
    expect((await put('1234.50\r\n'))[1]).toEqual(['1,234.50', false]);
    expect((await put('1,234.'))[1]).toEqual(['1,234.00', false]);
    expect((await put('1'.repeat(25)))[0]).toEqual(['1'.repeat(25), true]);
    expect(screen.getByText(long, { exact: false })).toBeTruthy();
  });
});

it('a number is cut nowhere: in a field, a form, a search, or a condition', async () => {
  const onChange = () => undefined;
  const item = { name: 'Searched', queryName: 'count', type: 'Integer' } as const;
  const asked = { module: 'it', columns: [{ name: 'count', label: 'Count', input: 'number' }] };
  const condition = { field: 'count', operator: 'EQUAL', title: 'Asked', context: asked, handleOnChange: onChange };
  await openPage(
    <>
      <Held />
      <FieldInput field={{ ...item, name: 'Filled' }} value="" required={false} onChange={onChange} />
      <SearchInput item={item} value="" onChange={onChange} />
      <ConditionValue {...(condition as unknown as ValueEditorProps)} />
    </>,
    { lang: 'en' },
  );
  const fields = screen.getAllByRole<HTMLInputElement>('textbox');
  expect(fields.map((it) => it.maxLength)).toEqual([-1, -1, -1, -1]);
});
