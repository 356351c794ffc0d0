import sharp from 'sharp';
import { Refusal } from '#domain/refusal.ts';
import { endingsOfAll, PICTURE_WIDTH, type FileKind } from '#domain/uploads.ts';
import { parseDirectory } from '#server/uploads/zip.ts';

/** 25 megapixels: a small file may claim to be a huge picture. Rule: uploads#content. */
const MAX_PIXELS = 25_000_000;

interface Content {
  kind: FileKind;
  mime: string;
  /** The endings that a name of this content may have; the first is given to a name that has none of them. */
  endings: readonly [string, ...string[]];
  bytes: Buffer;
}

/**
 * What a file is, told by its content and never by its name. A picture is decoded and encoded anew, at most 800 wide,
 * so that nothing but its pixels is kept; other kinds only where the call allows them; no workbook with macros. Rule:
 * uploads#content. @throws Refusal imageFormat (a place of pictures), oldWorkbook (one of rows) or fileFormat for anything else.
 */
export async function readContent(bytes: Buffer, kinds: readonly FileKind[]): Promise<Content> {
  const may = (kind: FileKind) => kinds.includes(kind);
  if (may('picture') && isPicture(bytes)) {
    const picture = await encodedAnew(bytes).catch(() => null);
    if (picture) return picture;
  }
  if (may('pdf') && isPdf(bytes)) return { kind: 'pdf', mime: 'application/pdf', endings: ['pdf'], bytes };
  const workbook = may('workbook') ? parseWorkbook(bytes) : null;
  if (workbook && !may(workbook.kind)) throw new Refusal({ key: 'oldWorkbook', field: 'file' });
  if (workbook) return workbook;
  if (may('text') && isPlainText(bytes)) {
    return { kind: 'text', mime: 'text/plain; charset=utf-8', endings: ['txt'], bytes };
  }
  if (!may('pdf') && !may('workbook')) throw new Refusal({ key: 'imageFormat', field: 'file' });
  throw new Refusal({ key: 'fileFormat', field: 'file', args: { formats: endingsOfAll(kinds).join(', ') } });
}

async function encodedAnew(bytes: Buffer): Promise<Content | null> {
  const image = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 });
  const { format } = await image.metadata();
  const sized = image.autoOrient().resize({ width: PICTURE_WIDTH, withoutEnlargement: true });
  if (format === 'jpeg') {
    const encoded = await sized.jpeg({ quality: 80 }).toBuffer();
    return { kind: 'picture', mime: 'image/jpeg', endings: ['jpg', 'jpeg'], bytes: encoded };
  }
  if (format !== 'png') return null;
  return { kind: 'picture', mime: 'image/png', endings: ['png'], bytes: await sized.png().toBuffer() };
}

const startsWith = (bytes: Buffer, start: readonly number[]): boolean =>
  bytes.subarray(0, start.length).equals(Buffer.from(start));

/** JPEG and PNG say so in their first bytes; no other decoder is ever reached. */
const isPicture = (bytes: Buffer): boolean =>
  startsWith(bytes, [0xff, 0xd8, 0xff]) || startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Begins and ends as a PDF does; it is only ever handed out as a download. */
const isPdf = (bytes: Buffer): boolean =>
  bytes.subarray(0, 5).toString('latin1') === '%PDF-' && bytes.subarray(-1024).includes('%%EOF');

/** xlsx: a sound archive that holds a workbook; xls: the older container with one. Macros in neither. */
function parseWorkbook(bytes: Buffer): Content | null {
  if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])) {
    const entries = parseDirectory(bytes);
    if (typeof entries === 'string') return null;
    const names = entries.map((it) => it.name.toLowerCase());
    const isWorkbook = names.includes('[content_types].xml') && names.includes('xl/workbook.xml');
    if (!isWorkbook || names.some((it) => it.endsWith('vbaproject.bin'))) return null;
    const mime = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    return { kind: 'workbook', mime, endings: ['xlsx'], bytes };
  }
  if (!startsWith(bytes, [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])) return null;
  const holds = (stream: string) => bytes.includes(Buffer.from(stream, 'utf16le'));
  if (!holds('Workbook') || holds('_VBA_PROJECT')) return null;
  return { kind: 'oldWorkbook', mime: 'application/vnd.ms-excel', endings: ['xls'], bytes };
}

function isPlainText(bytes: Buffer): boolean {
  if (bytes.length === 0 || bytes.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
