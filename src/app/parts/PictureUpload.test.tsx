// @vitest-environment jsdom
import { useState } from 'react';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openPage, refuses, type Answers } from '#app/parts/openPage.tsx';
import { LARGEST_FILE } from '#app/parts/pictures.ts';
import { PictureUpload } from '#app/parts/PictureUpload.tsx';

const path = '/api/RmaPicture/upload.json';
let sent = 0;
const stores = () => ({ url: `/file/picture${(sent += 1)}` });

/** What a browser makes of a picture's bytes; small enough to go as it is. */
beforeEach(() => {
  vi.stubGlobal('createImageBitmap', () => Promise.resolve({ width: 640, height: 480, close: () => undefined }));
});

function Place({ max, maxAtOnce, withLogs }: { max: number; maxAtOnce?: number; withLogs?: boolean }) {
  const [urls, setUrls] = useState<readonly string[]>([]);
  const props = { label: 'Photos', max, maxAtOnce, withLogs };
  return <PictureUpload {...props} urls={urls} onChange={setUrls} />;
}

async function opens(
  place = { max: 4 } as { max: number; maxAtOnce?: number; withLogs?: boolean },
  answers: Answers = {},
) {
  const page = await openPage(<Place {...place} />, { lang: 'en', answers: { [path]: stores, ...answers } });
  const input = document.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement;
  const choose = (...files: File[]) => fireEvent.change(input, { target: { files } });
  return { ...page, input, choose };
}
const file = (name: string, type = 'image/jpeg') => new File(['x'], name, { type });
const photos = (count: number) => Array.from({ length: count }, (_, i) => file(`${i}.jpg`));

describe('pictures', () => {
  it.each(['a.jpg', 'a.jpeg', 'A.PNG'])('takes %s, says so and shows it [W-IMG-01] [W-IMG-10]', async (name) => {
    const { choose, of } = await opens();
    choose(file(name, /png/i.test(name) ? 'image/png' : 'image/jpeg'));
    expect(await screen.findByText('Upload succeeded')).toBeTruthy();
    expect(of(path)).toHaveLength(1);
    expect(screen.getByRole('button', { name: 'Enlarge picture 1' })).toBeTruthy();
  });

  it.each(['a.gif', 'a.pdf', 'a.txt'])('refuses %s without sending it [W-IMG-01]', async (name) => {
    const { choose, asked } = await opens();
    choose(file(name, ''));
    expect(screen.getByText('Only jpg or png')).toBeTruthy();
    expect(asked).toEqual([]);
  });

  it('takes a machine log where the place allows it [W-IMG-01]', async () => {
    const { choose } = await opens({ max: 4, withLogs: true }, { [path]: { url: '/file/log.txt' } });
    choose(file('log.txt', 'text/plain'));
    expect(await screen.findByRole('link', { name: 'Machine log 1' })).toBeTruthy();
  });

  it('refuses what is larger than 5 MiB [W-IMG-02]', async () => {
    const { choose, asked } = await opens();
    const large = file('a.jpg');
    Object.defineProperty(large, 'size', { value: LARGEST_FILE + 1 });
    choose(large);
    expect(await screen.findByText('The size cannot exceed 5M')).toBeTruthy();
    expect(asked).toEqual([]);
  });

  it.each([
    [{ max: 4 }, 5, 'At most 4 images'],
    [{ max: 4, maxAtOnce: 3 }, 4, 'At most 3 images'],
    [{ max: 2 }, 3, 'At most 2 images'],
  ] as const)('with room for %o refuses %i at once: %s [W-IMG-04] [W-IMG-05]', async (place, count, words) => {
    const { choose, asked } = await opens(place);
    choose(...photos(count));
    expect(screen.getByText(words)).toBeTruthy();
    expect(asked).toEqual([]);
  });

  it('says when nothing was chosen [W-IMG-09]', async () => {
    const { input } = await opens();
    fireEvent(input, new Event('cancel'));
    expect(screen.getByText('No upload file selected')).toBeTruthy();
  });

  it('says that an upload failed and keeps what was there [W-IMG-11]', async () => {
    let works = true;
    const { choose } = await opens({ max: 4 }, { [path]: () => (works ? stores() : refuses('000500', '')) });
    choose(...photos(1));
    await screen.findByText('Upload succeeded');
    works = false;
    choose(...photos(1));
    expect(await screen.findByText('Image upload failed, try later')).toBeTruthy();
    await waitFor(() => expect(screen.getAllByRole('button', { name: /Enlarge/ })).toHaveLength(1));
  });
});
