// @vitest-environment jsdom
import { createEvent, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { BillLoader } from '#app/parts/BillLoader.tsx';
import { openPage } from '#app/parts/openPage.tsx';

async function opens(initial: string) {
  const onLoad = vi.fn((_: string) => Promise.resolve(''));
  await openPage(<BillLoader label="Ship no" initial={initial} isLoaded isLoading={false} onLoad={onLoad} />, {
    lang: 'en',
  });
  const field = screen.getByLabelText<HTMLInputElement>('Ship no');
  let now = 0;
  /** Keys as far apart as they are typed; each stands at the end of what is there. */
  const type = (text: string, gap: number) => {
    for (const key of [...text, 'Enter']) {
      const event = createEvent.keyDown(field, { key });
      Object.defineProperty(event, 'timeStamp', { value: (now += gap) });
      fireEvent(field, event);
      if (key !== 'Enter') fireEvent.change(field, { target: { value: field.value + key } });
    }
  };
  return { field, type, onLoad };
}

describe('the number of a bill', () => {
  it('is the one that was scanned, whatever stood there [W-COM-09]', async () => {
    const { field, type, onLoad } = await opens('SF111');
    type('sf222', 10);
    await waitFor(() => expect(onLoad).toHaveBeenCalledWith('SF222'));
    expect(field.value).toBe('sf222');
  });

  it('is what stands there after somebody has typed', async () => {
    const { type, onLoad } = await opens('SF11');
    type('13', 200);
    await waitFor(() => expect(onLoad).toHaveBeenCalledWith('SF1113'));
  });
});
