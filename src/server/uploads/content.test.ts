import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { documentKinds } from '#domain/uploads.ts';
import { readContent } from '#server/uploads/content.ts';
import { oldWorkbook, workbook, workbookAround, zip } from '#tests/support/workbooks.ts';

const PICTURES = ['picture'] as const;
const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#336699' } });

const pictures = [
  ['jpeg', await picture(1600, 1200).jpeg().toBuffer(), 'image/jpeg'],
  ['png', await picture(1600, 1200).png().toBuffer(), 'image/png'],
] as const;

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>');
const others: [string, Buffer][] = [
  ['an svg', svg],
  ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['a gif', await picture(9, 9).gif().toBuffer()],
  ['a webp', await picture(9, 9).webp().toBuffer()],
  ['a jpeg that breaks off', (await picture(900, 900).jpeg().toBuffer()).subarray(0, 400)],
  ['the first bytes of a png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['nothing', Buffer.alloc(0)],
  ['text, where only pictures belong', Buffer.from('hash rate 12.5')],
];

describe('a picture', () => {
  it.each(pictures)('of format %s is encoded anew, 800 wide', async (format, bytes, mime) => {
    const content = await readContent(bytes, PICTURES);
    expect(content).toMatchObject({ kind: 'picture', mime });
    expect(await sharp(content.bytes).metadata()).toMatchObject({ format, width: 800, height: 600 });
  });

  it('that is narrower keeps its width', async () => {
    const { bytes } = await readContent(await picture(300, 200).png().toBuffer(), PICTURES);
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 300, height: 200 });
  });

  it('loses what it carried besides its pixels', async () => {
    const exif = { IFD0: { ImageDescription: '<script>alert(1)</script>', Artist: 'somebody' } };
    const sent = await picture(40, 40).withExif(exif).jpeg().toBuffer();
    const { bytes } = await readContent(Buffer.concat([sent, Buffer.from('<script>alert(2)</script>')]), PICTURES);
    expect(sent.includes('<script>')).toBe(true);
    expect(bytes.includes('<script>')).toBe(false);
    expect((await sharp(bytes).metadata()).exif).toBe(undefined);
  });

  it('of more than 25 million pixels is refused, however small its file is', async () => {
    const flood = await picture(6000, 6000).png().toBuffer();
    expect(flood.length).toBeLessThan(1024 * 1024);
    await expect(readContent(flood, PICTURES)).rejects.toMatchObject({ problems: [{ key: 'imageFormat' }] });
  });
});

describe('anything else is refused, whatever it is called [P-UPL-02]', () => {
  it.each(others)('%s', async (_, bytes) => {
    await expect(readContent(bytes, PICTURES)).rejects.toMatchObject({
      problems: [{ key: 'imageFormat', field: 'file' }],
    });
  });

  it('text is taken where it is allowed, as nothing but text', async () => {
    const bytes = Buffer.from('<script>算力</script>');
    expect(await readContent(bytes, ['picture', 'text'])).toMatchObject({
      kind: 'text',
      mime: 'text/plain; charset=utf-8',
      bytes,
    });
    for (const no of [Buffer.from([0xff, 0xfe, 0x41]), Buffer.from('a\0b'), Buffer.alloc(0)]) {
      await expect(readContent(no, ['picture', 'text'])).rejects.toMatchObject({ problems: [{ key: 'imageFormat' }] });
    }
  });
});

describe('papers are told by their content as well', () => {
  const PAPERS = documentKinds;
  const pdf = Buffer.from('%PDF-1.7\n…\n%%EOF\n');

  it('a pdf, a workbook of today and one of old', async () => {
    const xlsx = await workbook([['a']]);
    const kinds = await Promise.all([pdf, xlsx, oldWorkbook('Workbook')].map((it) => readContent(it, PAPERS)));
    expect(kinds.map((it) => it.endings[0])).toEqual(['pdf', 'xlsx', 'xls']);
    expect(kinds[1]?.bytes.equals(xlsx)).toBe(true);
  });

  it('a workbook of old, where rows are read from it, is not', async () => {
    await expect(readContent(oldWorkbook('Workbook'), ['workbook'])).rejects.toMatchObject({
      problems: [{ key: 'oldWorkbook', field: 'file' }],
    });
  });

  it.each<[string, () => Buffer]>([
    ['text', () => Buffer.from('text')],
    ['a page that mentions a pdf', () => Buffer.from('<script>%PDF-1.4 %%EOF')],
    ['a pdf that breaks off', () => pdf.subarray(0, 9)],
    ['a program', () => Buffer.concat([Buffer.from('MZ'), Buffer.alloc(100)])],
    ['an archive of something else', () => zip([{ name: 'a.txt', content: 'a' }])],
    ['a workbook with macros', () => workbookAround('<worksheet/>', [{ name: 'xl/vbaProject.bin', content: 'x' }])],
    ['an old workbook with macros', () => oldWorkbook('Workbook', '_VBA_PROJECT')],
    ['an old container without a workbook', () => oldWorkbook('WordDocument')],
  ])('and not %s', async (_, bytes) => {
    await expect(readContent(bytes(), PAPERS)).rejects.toMatchObject({
      problems: [{ key: 'fileFormat', field: 'file' }],
    });
  });
});
