// @vitest-environment jsdom
import { useState } from 'react';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { DateKind, Edge } from '#app/fields/typedDate.ts';
import { DateField } from '#app/parts/DateField.tsx';
import { openPage } from '#app/parts/openPage.tsx';
import { currentUser, type UserState } from '#app/session.ts';

afterEach(() => vi.useRealTimers());

function Held({ kind, start = '', edge }: { kind: DateKind; start?: string; edge?: Edge }) {
  const [value, setValue] = useState(start);
  return (
    <>
      <DateField kind={kind} edge={edge} label="When" value={value} onChange={setValue} />
      <output data-testid="value">{value}</output>
      <button onClick={() => setValue('')}>Reset</button>
    </>
  );
}
const open = (kind: DateKind, start = '', lang: 'zh' | 'en' = 'en', edge?: Edge) =>
  openPage(<Held kind={kind} start={start} edge={edge} />, { lang });
const field = () => screen.getByLabelText<HTMLInputElement>('When');
const value = () => screen.getByTestId('value').textContent;

describe('a date', () => {
  it('is typed in any of the usual ways, and written in the one of this place when the field is left', async () => {
    const { user } = await open('day');
    await user.type(field(), '2026/11/3');
    expect([field().value, value()]).toEqual(['2026/11/3', '2026-11-03']);
    await user.tab();
    expect(field().value).toBe('2026-11-03');
  });

  it('is pasted', async () => {
    const { user } = await open('moment');
    await user.click(field());
    await user.paste('2026-11-03 09:05:07');
    expect(value()).toBe('2026-11-03 09:05:07');
  });

  it('stays as it was typed where it is none, and is told so once the field is left', async () => {
    const { user } = await open('day');
    await user.type(field(), '2026-02-30');
    expect(field().getAttribute('aria-invalid')).not.toBe('true');
    await user.tab();
    expect([field().value, value(), field().getAttribute('aria-invalid')]).toEqual(['2026-02-30', '', 'true']);
    expect(screen.getByText(/write it as yyyy-MM-dd/)).toBeTruthy();
  });

  it('is picked from a calendar that the keyboard opens, in the language of the app', async () => {
    const { user } = await open('day', '2026-11-03', 'zh');
    await user.click(field());
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
    const calendar = within(await screen.findByRole('dialog', { name: '选择日期' }));
    expect(calendar.getByText('2026年11月')).toBeTruthy();
    const weekdays = calendar.getAllByRole('columnheader').map((it) => it.textContent);
    expect(weekdays).toEqual(['一', '二', '三', '四', '五', '六', '日']);
    await user.click(calendar.getByRole('gridcell', { name: '17' }));
    expect(value()).toBe('2026-11-17');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('begins its weeks on Sunday in English', async () => {
    const { user } = await open('day', '2026-11-03');
    await user.click(screen.getByRole('button', { name: 'Choose a date' }));
    const calendar = within(await screen.findByRole('dialog'));
    expect(calendar.getByText('November 2026')).toBeTruthy();
    expect(calendar.getAllByRole('columnheader')[0]?.textContent).toBe('S');
  });

  it('is a month', async () => {
    const { user } = await open('month', '2026-11');
    await user.click(screen.getByRole('button', { name: 'Choose a date' }));
    await user.click(await screen.findByRole('radio', { name: 'September' }));
    expect(value()).toBe('2026-09');
  });

  it('keeps its time when another day is picked; a day without one ends with it at the end of a range', async () => {
    const first = await open('moment', '2026-11-03 09:05:07');
    await first.user.click(screen.getByRole('button', { name: 'Choose a date' }));
    await first.user.click(await screen.findByRole('gridcell', { name: '17' }));
    expect(value()).toBe('2026-11-17 09:05:07');
    first.unmount();
    const { user } = await open('moment', '', 'en', 'end');
    await user.click(screen.getByRole('button', { name: 'Choose a date' }));
    await user.click(await screen.findByRole('gridcell', { name: '17' }));
    expect(value()).toMatch(/-17 23:59:59$/);
  });

  it('has every hour of a day on which the browser’s clock is put forward', async () => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    const { user } = await open('moment', '2026-03-28 02:30:00');
    await user.click(screen.getByRole('button', { name: 'Choose a date' }));
    await user.click(await screen.findByRole('gridcell', { name: '29' }));
    expect(value()).toBe('2026-03-29 02:30:00');
    vi.unstubAllEnvs();
  });

  it.each([
    ['Pacific/Kiritimati', 14],
    ['Pacific/Pago_Pago', -11],
  ])('knows today by the workshop in %s, wherever the browser is', async (timeZone, ahead) => {
    const { user } = await open('day');
    currentUser.set({ ...(currentUser.get() as UserState), timeZone });
    await user.click(screen.getByRole('button', { name: 'Choose a date' }));
    const calendar = within(await screen.findByRole('dialog'));
    const there = new Date(Date.now() + ahead * 3_600_000).toISOString().slice(0, 10);
    const today = calendar.getAllByRole('gridcell').find((it) => it.getAttribute('aria-current') === 'date');
    expect(today?.textContent).toBe(String(Number(there.slice(8))));
    await user.click(calendar.getByRole('button', { name: 'Today' }));
    expect(value()).toBe(there);
  });
});
