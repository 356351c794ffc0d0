import sharp from 'sharp';
import type { TestApp } from '#tests/support/app.ts';

/** A small picture as a camera would send it. */
export const jpeg = (): Promise<Buffer> =>
  sharp({ create: { width: 900, height: 600, channels: 3, background: '#b5651d' } })
    .jpeg()
    .toBuffer();

/** Uploads a picture as a station does; its address. */
export async function uploadPicture({ app, openToken }: TestApp, as: string): Promise<string> {
  const boundary = 'reflowtestboundary';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="board.jpg"\r\nContent-Type: image/jpeg\r\n\r\n`;
  const reply = await app.inject({
    method: 'POST',
    url: '/api/RmaPicture/upload.json',
    headers: { token: await openToken(as), 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat([Buffer.from(head), await jpeg(), Buffer.from(`\r\n--${boundary}--\r\n`)]),
  });
  return reply.json<{ data: { url: string } }>().data.url;
}
