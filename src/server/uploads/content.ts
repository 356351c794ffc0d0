import sharp from 'sharp';
import { Refusal } from '#domain/refusal.ts';

export const WIDTH = 800;
/** 25 megapixels: a small file may claim to be a huge picture. Safety 2.2, case 17. */
const MAX_PIXELS = 25_000_000;

export interface Content {
  kind: 'picture' | 'text';
  mime: 'image/jpeg' | 'image/png' | 'text/plain; charset=utf-8';
  bytes: Buffer;
}

/**
 * What a file is, told by its content and never by its name. A picture is decoded and encoded anew, at most 800 wide,
 * so that nothing but its pixels is kept; plain text only where it is allowed. Specification 1, Uploads.
 * @throws Refusal imageFormat for anything else.
 */
export async function contentOf(bytes: Buffer, mayBeText: boolean): Promise<Content> {
  const picture = isPicture(bytes) ? await encodedAnew(bytes).catch(() => null) : null;
  if (picture) return picture;
  if (mayBeText && isPlainText(bytes)) return { kind: 'text', mime: 'text/plain; charset=utf-8', bytes };
  throw new Refusal({ key: 'imageFormat', field: 'file' });
}

async function encodedAnew(bytes: Buffer): Promise<Content | null> {
  const image = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 });
  const { format } = await image.metadata();
  const sized = image.autoOrient().resize({ width: WIDTH, withoutEnlargement: true });
  if (format === 'jpeg') {
    return { kind: 'picture', mime: 'image/jpeg', bytes: await sized.jpeg({ quality: 80 }).toBuffer() };
  }
  if (format === 'png') return { kind: 'picture', mime: 'image/png', bytes: await sized.png().toBuffer() };
  return null;
}

/** JPEG and PNG say so in their first bytes; no other decoder is ever reached. */
const isPicture = (bytes: Buffer): boolean =>
  bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])) ||
  bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));

function isPlainText(bytes: Buffer): boolean {
  if (bytes.length === 0 || bytes.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
