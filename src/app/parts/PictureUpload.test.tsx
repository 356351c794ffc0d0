// @vitest-environment jsdom
import { Activity, useState } from 'react';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { LARGEST_FILE, LARGEST_RAW } from '#domain/uploads.ts';
import { openPage, refuses, type Answers } from '#app/parts/openPage.tsx';
import { PictureUpload } from '#app/parts/PictureUpload.tsx';

const path = '/api/RmaPicture/upload.json';
let sent = 0;
const stores = () => ({ url: `/file/picture${(sent += 1)}` });

/** What a browser makes of a picture's bytes; jsdom can neither decode nor draw. */
let pictureWidth = 640;
let smallSize = 1;
const decode = vi.fn((_: Blob, options?: ImageBitmapOptions) => {
  const width = options?.resizeWidth ?? pictureWidth;
  const height = options?.resizeHeight ?? (pictureWidth * 3) / 4;
  return Promise.resolve({ width, height, close: () => undefined });
});
const drawn: string[] = [];
beforeEach(() => {
  [pictureWidth, smallSize] = [640, 1];
  decode.mockClear();
  drawn.length = 0;
  vi.stubGlobal('createImageBitmap', decode);
  HTMLCanvasElement.prototype.getContext = (() => ({ drawImage: () => undefined })) as never;
  HTMLCanvasElement.prototype.toBlob = function toBlob(done: BlobCallback, type = '') {
    drawn.push(`${type} ${this.width} x ${this.height}`);
    done(Object.defineProperty(new Blob(['small'], { type }), 'size', { value: smallSize }));
  };
});

function UploadForm({ max, maxAtOnce, withLogs }: { max: number; maxAtOnce?: number; withLogs?: boolean }) {
  const [urls, setUrls] = useState<readonly string[]>([]);
  const props = { label: 'Photos', max, maxAtOnce, withLogs };
  const onArrive = (url: string) => setUrls((now) => [...now, url]);
  const onRemove = (url: string) => setUrls((now) => now.filter((it) => it !== url));
  const [why, setWhy] = useState('');
  return (
    <>
      <PictureUpload {...props} urls={urls} onArrive={onArrive} onRemove={onRemove} onOpen={setWhy} />
      <output>{why}</output>
    </>
  );
}

async function opens(
  props = { max: 4 } as { max: number; maxAtOnce?: number; withLogs?: boolean },
  answers: Answers = {},
) {
  const page = await openPage(<UploadForm {...props} />, { lang: 'en', answers: { [path]: stores, ...answers } });
  const input = document.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement;
  const choose = (...files: File[]) => fireEvent.change(input, { target: { files } });
  return { ...page, input, choose };
}
const file = (name: string, type = 'image/jpeg') => new File(['x'], name, { type });
const sized = (name: string, size: number) => Object.defineProperty(file(name), 'size', { value: size });
const photos = (count: number) => Array.from({ length: count }, (_, i) => file(`${i}.jpg`));
const shown = () => screen.queryAllByRole('button', { name: /Enlarge/ });

describe('pictures', () => {
  it.each(['a.jpg', 'a.jpeg', 'A.PNG'])(
    'takes %s, says so and shows it [W-IMG-01] [W-IMG-10] [P-UPL-02]',
    async (name) => {
      const { choose, callsTo } = await opens();
      choose(file(name, /png/i.test(name) ? 'image/png' : 'image/jpeg'));
      expect(await screen.findByText('Upload succeeded')).toBeTruthy();
      expect(callsTo(path)).toHaveLength(1);
      expect(screen.getByRole('button', { name: 'Enlarge picture 1' })).toBeTruthy();
    },
  );

  it.each(['a.gif', 'a.pdf', 'a.txt'])('refuses %s without sending it [W-IMG-01] [P-UPL-02]', async (name) => {
    const { choose, asked } = await opens();
    choose(file(name, ''));
    expect(screen.getByText('Only jpg or png')).toBeTruthy();
    expect(asked).toEqual([]);
  });

  it('refuses a page that calls itself a picture', async () => {
    const { choose, asked } = await opens();
    choose(file('a.jpg', 'text/html'));
    expect(screen.getByText('Only jpg or png')).toBeTruthy();
    expect(asked).toEqual([]);
  });

  it('takes a machine log where the place allows it [W-IMG-01] [P-UPL-02]', async () => {
    const { choose } = await opens({ max: 4, withLogs: true }, { [path]: { url: '/file/log.txt' } });
    choose(file('log.txt', 'text/plain'));
    expect(await screen.findByRole('link', { name: 'Machine log 1' })).toBeTruthy();
    expect(decode).not.toHaveBeenCalled();
  });

  it('refuses what is larger than 5 MiB once it is small, and a raw one beyond 102400 KB [W-IMG-02] [P-UPL-03]', async () => {
    smallSize = LARGEST_FILE + 1;
    const { choose, asked } = await opens();
    choose(sized('a.jpg', LARGEST_FILE + 1));
    expect(await screen.findByText('The size cannot exceed 5M')).toBeTruthy();
    choose(sized('b.jpg', LARGEST_RAW + 1));
    expect(screen.getByText('The size cannot exceed 5M')).toBeTruthy();
    expect(asked).toEqual([]);
  });

  it('takes a raw photo that becomes small enough [P-UPL-03]', async () => {
    pictureWidth = 4000;
    const { choose, callsTo } = await opens();
    choose(sized('a.jpg', LARGEST_RAW));
    expect(await screen.findByText('Upload succeeded')).toBeTruthy();
    expect(callsTo(path)).toHaveLength(1);
  });

  it.each([
    ['a.jpg', 'image/jpeg', 4000, 'image/jpeg 800 x 600'],
    ['a.png', 'image/png', 801, 'image/png 800 x 600'],
    ['A.JPEG', 'image/jpeg', 1600, 'image/jpeg 800 x 600'],
  ])(
    'makes %s (%s) of width %i small before it is sent: %s [P-UPL-04] [W-IMG-03]',
    async (name, type, width, wanted) => {
      pictureWidth = width;
      const { choose, callsTo } = await opens();
      choose(file(name, type));
      await screen.findByText('Upload succeeded');
      expect(drawn).toEqual([wanted]);
      expect(decode).toHaveBeenLastCalledWith(expect.any(File), {
        resizeWidth: 800,
        resizeHeight: 600,
        resizeQuality: 'high',
      });
      expect((callsTo(path)[0]?.input['file'] as File).size).toBe(5);
    },
  );

  it('leaves a picture of width 800 as it is', async () => {
    pictureWidth = 800;
    const { choose } = await opens();
    choose(file('a.jpg'));
    await screen.findByText('Upload succeeded');
    expect(drawn).toEqual([]);
  });

  it.each([
    [{ max: 4 }, 5, 'At most 4 images'],
    [{ max: 4, maxAtOnce: 3 }, 4, 'At most 3 images'],
    [{ max: 2 }, 3, 'At most 2 images'],
  ] as const)(
    'with room for %o refuses %i at once: %s [W-IMG-04] [W-IMG-05] [P-UPL-05]',
    async (props, count, words) => {
      const { choose, asked } = await opens(props);
      choose(...photos(count));
      expect(screen.getByText(words)).toBeTruthy();
      expect(asked).toEqual([]);
    },
  );

  it('refuses a further one when the place is full [P-UPL-05]', async () => {
    const { choose, callsTo } = await opens({ max: 2 });
    choose(...photos(2));
    await waitFor(() => expect(shown()).toHaveLength(2));
    choose(...photos(1));
    expect(screen.getByText('At most 2 images')).toBeTruthy();
    expect(callsTo(path)).toHaveLength(2);
  });

  it('says when nothing was chosen, and sends nothing [W-IMG-09] [P-UPL-06]', async () => {
    const { input, asked } = await opens();
    fireEvent(input, new Event('cancel'));
    expect(screen.getByText('No upload file selected')).toBeTruthy();
    expect(asked).toEqual([]);
  });

  it('says so in Chinese [P-UPL-06]', async () => {
    await openPage(<UploadForm max={4} />, { lang: 'zh' });
    fireEvent(document.querySelector('input[type=file]') as Element, new Event('cancel'));
    expect(screen.getByText('未选择上传文件')).toBeTruthy();
  });

  it('says that an upload failed, keeps what was there, and tries again [W-IMG-11] [P-UPL-07]', async () => {
    let works = true;
    const { choose, user } = await opens({ max: 4 }, { [path]: () => (works ? stores() : refuses('unknown', '')) });
    choose(...photos(1));
    await screen.findByText('Upload succeeded');
    works = false;
    choose(file('b.jpg'));
    expect(await screen.findByText(/^image upload failed, try later$/i)).toBeTruthy();
    expect(shown()).toHaveLength(1);
    works = true;
    await user.click(screen.getByRole('button', { name: 'Try b.jpg again' }));
    await waitFor(() => expect(shown()).toHaveLength(2));
    expect(screen.queryByRole('button', { name: /Try b.jpg/ })).toBeNull();
  });

  it.each(['Try b.jpg again', 'Cancel b.jpg'])(
    'holds back what is submitted until a failed one is settled (%s), and says it no longer then',
    async (button) => {
      let works = false;
      const { choose, user } = await opens(
        { max: 4 },
        {
          [path]: () => (works ? stores() : refuses('noSession', 'Login is invalid')),
        },
      );
      choose(file('b.jpg'));
      // What the sign-in says is not said again.
      expect(await screen.findByText(/^image upload failed, try later$/i)).toBeTruthy();
      expect(document.querySelector('output')?.textContent).toBe('b.jpg did not arrive: try it again or cancel it');
      works = true;
      await user.click(screen.getByRole('button', { name: button }));
      await waitFor(() => expect(document.querySelector('output')?.textContent).toBe(''));
      expect(screen.queryByText(/upload failed/i)).toBeNull();
    },
  );

  it('says the same when no answer comes', async () => {
    const { choose } = await opens({ max: 4 }, { [path]: () => Promise.reject(new TypeError('Failed to fetch')) });
    choose(...photos(1));
    expect(await screen.findByText(/^image upload failed, try later$/i)).toBeTruthy();
  });

  it('shows each picture and how far it is while it goes, and leaves one out on the way [P-UPL-01]', async () => {
    const gates: (() => void)[] = [];
    const answer = () => new Promise((done) => gates.push(() => done(stores())));
    const { choose, user, callsTo } = await opens({ max: 4 }, { [path]: answer });
    choose(file('a.jpg'), file('b.jpg'), file('c.jpg'));
    for (const name of ['a.jpg', 'b.jpg', 'c.jpg']) {
      expect(await screen.findByRole('img', { name: `Preview of ${name}` })).toHaveProperty(
        'src',
        expect.stringMatching(/^blob:/),
      );
    }
    const bar = screen.getByRole('progressbar', { name: 'Upload progress of a.jpg' });
    await waitFor(() => expect(Number(bar.getAttribute('aria-valuenow'))).toBeGreaterThan(30));
    await user.click(screen.getByRole('button', { name: 'Cancel b.jpg' }));
    await user.click(screen.getByRole('button', { name: 'Cancel a.jpg' }));
    await waitFor(() => expect(callsTo(path)).toHaveLength(2));
    await act(async () => gates.forEach((it) => it()));
    await waitFor(() => expect(shown()).toHaveLength(1));
    expect(screen.queryByRole('img', { name: /Preview/ })).toBeNull();
  });

  it('takes what is dropped on it and what is pasted', async () => {
    const { callsTo } = await opens();
    const zone = screen.getByRole('button', { name: 'Photos' });
    fireEvent.drop(zone, { dataTransfer: { files: [file('dropped.jpg')], types: ['Files'] } });
    await waitFor(() => expect(callsTo(path)).toHaveLength(1));
    fireEvent.paste(document.body, { clipboardData: { files: [file('pasted.png', 'image/png')] } });
    await waitFor(() => expect(shown()).toHaveLength(2));
  });

  it('enlarges, turns and zooms by keyboard', async () => {
    const { choose, user } = await opens();
    choose(...photos(2));
    await waitFor(() => expect(shown()).toHaveLength(2));
    await user.click(screen.getByRole('button', { name: 'Enlarge picture 1' }));
    const box = await screen.findByRole('dialog', { name: 'Enlarged picture' });
    expect(within(box).getByText('Enlarged picture 1 / 2')).toBeTruthy();
    await user.keyboard('{ArrowRight}');
    expect(within(box).getByText('Enlarged picture 2 / 2')).toBeTruthy();
    expect(within(box).getByRole('button', { name: 'Smaller (−)' })).toHaveProperty('disabled', true);
    await user.keyboard('+');
    expect(within(box).getByRole('button', { name: 'Smaller (−)' })).toHaveProperty('disabled', false);
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});

describe('pictures on their way', () => {
  it('go on while another tab is in front', async () => {
    let hide: (is: boolean) => void = () => undefined;
    function Tabs() {
      const [isHidden, set] = useState(false);
      hide = set;
      return (
        <Activity mode={isHidden ? 'hidden' : 'visible'}>
          <UploadForm max={4} />
        </Activity>
      );
    }
    const waiting: (() => void)[] = [];
    const answers = { [path]: () => new Promise((done) => waiting.push(() => done(stores()))) };
    await openPage(<Tabs />, { lang: 'en', answers });
    const input = document.querySelector('input[type=file]') as Element;
    fireEvent.change(input, { target: { files: [file('a.jpg'), file('b.jpg')] } });
    await waitFor(() => expect(waiting).toHaveLength(1));
    act(() => hide(true));
    waiting[0]?.();
    await waitFor(() => expect(waiting).toHaveLength(2));
    waiting[1]?.();
    act(() => hide(false));
    await waitFor(() => expect(document.querySelectorAll('img')).toHaveLength(2));
  });
});
