import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** What a handler returns when its answer is a file instead of data. */
export class FileAnswer {
  constructor(
    /** With the id of a kept file, that it was given is written down; without one it is made anew for each. */
    readonly file: { id?: string; name: string; mime: string; size: number },
    readonly open: () => Readable | Promise<Readable>,
  ) {}
}

/** A file to be saved, never shown: its name in the form that every browser understands. RFC 6266. */
export function sendFile(reply: FastifyReply, file: Omit<FileAnswer['file'], 'id'>, content: Readable): FastifyReply {
  return reply
    .type(file.mime)
    .headers({
      'content-length': file.size,
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
    })
    .send(content);
}
