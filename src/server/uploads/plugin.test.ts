import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFileStore } from '#server/uploads/fileStore.ts';
import { uploadCalls } from '#server/uploads/plugin.ts';
import { startTestApp, type Answer, type TestApp } from '#tests/support/app.ts';

let testApp: TestApp;
let png: Buffer;
beforeAll(async () => {
  testApp = await startTestApp();
  png = await sharp({ create: { width: 1000, height: 500, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
});
afterAll(() => testApp?.close());

const PICTURE = '/api/RmaPicture/upload.json';
const APPENDIX = '/api/RmaAppendix/upload.json';

interface Sent {
  bytes: Buffer | string;
  name?: string;
}

async function upload(path: string, files: Sent[], as: string | null = 'tech', lang = 'en') {
  const form = new FormData();
  for (const { bytes, name = 'photo.png' } of files)
    form.append('file', new Blob([new Uint8Array(Buffer.from(bytes))]), name);
  const body = new Response(form);
  const reply = await testApp.app.inject({
    method: 'POST',
    url: `${path}?lang=${lang}`,
    headers: {
      'content-type': body.headers.get('content-type') ?? '',
      ...(as !== null && { token: await testApp.openToken(as) }),
    },
    payload: Buffer.from(await body.arrayBuffer()),
  });
  return { status: reply.statusCode, ...reply.json<Omit<Answer<{ url: string }>, 'status'>>() };
}

const read = async (url: string, headers: Record<string, string>) => testApp.app.inject({ url, headers });
const readFiles = async () => {
  const { count } = await testApp.db
    .selectFrom('file')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
};
const filesOnDisk = () =>
  readdirSync(join(testApp.config.dataDir, 'files'), { recursive: true }).filter((it) => String(it).length > 2);

describe('an upload is refused, and nothing is kept', () => {
  it.each<[string, string, Sent[], string | null, number, string, RegExp]>([
    ['without a session', PICTURE, [{ bytes: 'x' }], null, 401, '401', /log in again/],
    ['without the right of any step', PICTURE, [{ bytes: 'x' }], 'viewer', 403, '100013', /no permission/],
    ['without a file', PICTURE, [], 'tech', 200, '100001', /^No upload file selected$/],
    ['of a page called photo.png', PICTURE, [{ bytes: '<script>\0' }], 'tech', 200, '100017', /only jpg or png/],
    [
      'of text as a bill picture',
      '/api/RmaPicture/uploadBillPic.json',
      [{ bytes: 'text' }],
      'tech',
      200,
      '100017',
      /only jpg/,
    ],
    [
      'of more than 5M',
      PICTURE,
      [{ bytes: Buffer.alloc(5 * 1024 * 1024 + 1) }],
      'tech',
      413,
      '100051',
      /cannot exceed 5M/,
    ],
    ['of text called photo.png', PICTURE, [{ bytes: 'text' }], 'tech', 200, '100017', /only jpg or png/],
    [
      'of text called a.pdf',
      APPENDIX,
      [{ bytes: 'text', name: 'a.pdf' }],
      'tech',
      200,
      '100017',
      /choose one of: pdf, jpg/,
    ],
    ['of two where one belongs', PICTURE, [{ bytes: 'a' }, { bytes: 'b' }], 'tech', 200, '100017', /at most 1$/],
    [
      'of eleven documents',
      APPENDIX,
      Array.from({ length: 11 }, () => ({ bytes: 'a' })),
      'tech',
      200,
      '100017',
      /at most 10$/,
    ],
    [
      'when one of two is none',
      APPENDIX,
      [{ bytes: 'a' }, { bytes: 'b\0' }],
      'tech',
      200,
      '100017',
      /choose one of: pdf, jpg/,
    ],
  ])('%s', async (_, path, files, as, status, code, msg) => {
    const before = await readFiles();
    const answer = await upload(path, files, as);
    expect(answer).toMatchObject({ status, code });
    expect(answer.msg).toMatch(msg);
    expect(await readFiles()).toBe(before);
  });

  it('in Chinese as well', async () => {
    expect((await upload(PICTURE, [], 'tech', 'zh')).msg).toBe('未选择上传文件');
  });

  it.each([
    ['no multipart', 'application/json', '{}'],
    ['multipart without a boundary', 'multipart/form-data', 'x'],
    [
      'multipart that breaks off',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
    ],
  ])('with %s', async (_, type, payload) => {
    const headers = { 'content-type': type, token: await testApp.openToken('tech') };
    const reply = await testApp.app.inject({ method: 'POST', url: PICTURE, headers, payload });
    expect(reply.statusCode).toBeLessThan(500);
    expect(reply.json<Answer>().code).toMatch(/^1000/);
  });

  it('and no half of a file is left on the disk', async () => {
    await upload(PICTURE, [{ bytes: png }]);
    await upload(APPENDIX, [{ bytes: png }, { bytes: 'b\0' }]);
    await upload(PICTURE, [{ bytes: Buffer.alloc(6 * 1024 * 1024) }]);
    expect(filesOnDisk()).toHaveLength(await readFiles());
  });
});

describe('an upload', () => {
  it.each(uploadCalls.map((it) => it.path))(
    'to %s answers the address of the file [P-UPL-12] [P-UPL-13] [W-IMG-07]',
    async (path) => {
      const { code, data } = await upload(path, [{ bytes: png }]);
      expect(code).toBe('000000');
      expect(data.url).toMatch(/^\/file\/[0-9a-f]{32}$/);
    },
  );

  it('of several documents answers their addresses joined by ## [P-UPL-11]', async () => {
    const { data } = await upload(APPENDIX, [{ bytes: png }, { bytes: 'hash rate', name: 'log.txt' }]);
    expect(data.url.split('##')).toHaveLength(2);
  });

  it('is compressed to a width of 800, whoever sent it [W-IMG-03]', async () => {
    const { data } = await upload(PICTURE, [{ bytes: png }]);
    const reply = await read(data.url, { token: await testApp.openToken('tech') });
    expect(await sharp(reply.rawPayload).metadata()).toMatchObject({ width: 800, height: 400, format: 'png' });
  });
});

describe('a file', () => {
  const photo = async (as = 'tech') => (await upload(PICTURE, [{ bytes: png, name: 'Foto 机器.png' }], as)).data.url;

  it('is shown to its own site and to who sees all, in a header or a cookie', async () => {
    const url = await photo();
    for (const user of ['tech', 'viewer', 'aftersales', 'admin']) {
      const token = await testApp.openToken(user);
      expect((await read(url, { token })).statusCode).toBe(200);
      expect(
        (await read(url, { cookie: `local=zh; token=${token}`, 'sec-fetch-site': 'same-origin' })).statusCode,
      ).toBe(200);
    }
  });

  it('does not exist for another site, nor for nobody', async () => {
    const url = await photo();
    const other = await read(url, { token: await testApp.openToken('techNB') });
    const never = await read(`/file/${'0'.repeat(32)}`, { token: await testApp.openToken('techNB') });
    expect([other.statusCode, never.statusCode]).toEqual([404, 404]);
    expect(other.json<Answer>().code).toBe(never.json<Answer>().code);
    expect((await read(url, {})).statusCode).toBe(401);
    expect((await read(url, { cookie: 'token=' })).statusCode).toBe(401);
  });

  it.each(['cross-site', 'same-site'])('is not shown by the cookie to a page that is %s', async (site) => {
    const cookie = `token=${await testApp.openToken('tech')}`;
    expect((await read(await photo(), { cookie, 'sec-fetch-site': site })).statusCode).toBe(401);
  });

  it('can be nothing in a browser but a picture', async () => {
    const { headers } = await read(await photo(), { token: await testApp.openToken('tech') });
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-disposition': "inline; filename*=UTF-8''Foto%20%E6%9C%BA%E5%99%A8.png",
    });
  });

  it('that is lost is not there, and everything else goes on: the server is ready', async () => {
    const token = await testApp.openToken('tech');
    for (const kind of [PICTURE, APPENDIX]) {
      const url =
        kind === PICTURE ? await photo() : (await upload(kind, [{ bytes: 'hash rate', name: 'log.txt' }])).data.url;
      await openFileStore(testApp.config).remove(/[0-9a-f]{32}/.exec(url)?.[0] ?? '');
      const lost = await read(`${url}?lang=en`, { token });
      expect(lost.statusCode).toBe(404);
      expect(lost.json<Answer>().msg).toMatch(/^The file .* is no longer where it was kept/);
    }
    expect((await testApp.app.inject({ url: '/readyz' })).statusCode).toBe(200);
  });

  it('of text is downloaded and never shown', async () => {
    const { data } = await upload(PICTURE, [{ bytes: '<script>alert(1)</script>', name: 'a.html' }]);
    const { headers, body } = await read(data.url, { token: await testApp.openToken('tech') });
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(headers['content-disposition']).toMatch(/^attachment;/);
    expect(body).toBe('<script>alert(1)</script>');
  });

  it.each([
    '..%2f..%2fetc%2fpasswd',
    '..%5c..%5cetc',
    'abc',
    `${'0'.repeat(32)}%00`,
    'A'.repeat(32),
    `${'0'.repeat(500)}`,
  ])('has an id and no path: %s', async (id) => {
    const reply = await read(`/file/${id}`, { token: await testApp.openToken('admin') });
    expect([reply.statusCode, reply.json<Answer>().code]).toEqual([404, '100050']);
  });
});
