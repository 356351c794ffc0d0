// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { useLabelOf, useOptions } from '#app/parts/optionLabels.ts';
import { chooseLanguage, currentUser, type UserState } from '#app/session.ts';

afterEach(() => currentUser.set(null));

const user = { userId: 'li', access: [] } as unknown as UserState;
const label = (en: string) => ({ zh: en, en });

describe('an option list on a page of code', () => {
  it('is as it was shipped, and as it is published as soon as that is known; what is retired is named and not offered', () => {
    chooseLanguage('en');
    const { result } = renderHook(() => ({ options: useOptions('yesNo'), labelOf: useLabelOf() }));
    expect(result.current.options).toEqual([
      { value: '0', label: 'No' },
      { value: '1', label: 'Yes' },
    ]);
    const yesNo = [
      { value: '1', label: label('Certainly') },
      { value: '0', label: label('Never'), retired: true as const },
    ];
    act(() => currentUser.set({ ...user, options: { yesNo } }));
    expect(result.current.options).toEqual([{ value: '1', label: 'Certainly' }]);
    expect(result.current.labelOf('yesNo', '0')).toBe('Never');
    expect(result.current.labelOf('yesNo', '7')).toBe('7');
  });
});
