import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { Refusal } from '#domain/refusal.ts';
import { sizeInWords } from '#domain/uploads.ts';

const TOO_LARGE = 'FST_REQ_FILE_TOO_LARGE';

export interface Sent {
  name: string;
  bytes: Buffer;
}

interface Expected {
  maxFiles: number;
  maxBytes: number;
  /** The fields that may come beside the file; any other one is refused by its name. */
  fields?: readonly string[];
}

/**
 * What a multipart body holds, read whole (the bounds are small) and refused as soon as a file is too large, one too
 * many comes, or a field that nobody knows. Nothing is written on the way, so nothing is left of a broken upload.
 */
export async function readMultipart(
  request: FastifyRequest,
  { maxFiles, maxBytes, fields: known = [] }: Expected,
): Promise<{ files: Sent[]; fields: Record<string, string> }> {
  if (!request.isMultipart()) throw new Refusal({ key: 'noFile', field: 'file' });
  const files: Sent[] = [];
  const fields: Record<string, string> = {};
  try {
    for await (const part of request.parts({ limits: { fileSize: maxBytes, files: maxFiles } })) {
      if (part.type === 'file') {
        const bytes = await readWhole(part.file, Math.min(maxBytes, lengthOf(request)));
        if (part.filename === '' && bytes.length === 0) continue;
        files.push({ name: part.filename, bytes });
      } else {
        const unknown = !known.includes(part.fieldname);
        if (unknown) throw new Refusal({ key: 'unknownField', field: part.fieldname, args: { field: part.fieldname } });
        fields[part.fieldname] = String(part.value);
      }
    }
  } catch (error) {
    throw toRefusal(error, maxFiles, maxBytes);
  }
  if (files.length === 0) throw new Refusal({ key: 'noFile', field: 'file' });
  return { files, fields };
}

/** What a body says that it holds; one that comes in pieces does not say it. */
const lengthOf = ({ headers }: FastifyRequest): number => Number(headers['content-length'] ?? Infinity);

/**
 * A file as it comes, copied piece by piece to where it stays: to put a large one together at its end takes the event loop a tenth
 * of a second, and many that end at once as many of them. Memory that nothing is copied to is only named.
 */
async function readWhole(file: MultipartFile['file'], most: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(most);
  let size = 0;
  for await (const piece of file as AsyncIterable<Buffer>) size += piece.copy(bytes, size);
  if (file.truncated) throw Object.assign(new Error('too large'), { code: TOO_LARGE });
  return bytes.subarray(0, size);
}

function toRefusal(error: unknown, maxFiles: number, maxBytes: number): Refusal {
  if (error instanceof Refusal) return error;
  const { code } = error as { code?: string };
  const max = sizeInWords(maxBytes);
  if (code === TOO_LARGE) return new Refusal({ key: 'tooLarge', field: 'file', args: { max } });
  if (code === 'FST_FILES_LIMIT') return new Refusal({ key: 'images', field: 'file', args: { min: 1, max: maxFiles } });
  // Whatever else goes wrong while a body is read is the body's fault: broken off, or no multipart at all.
  return new Refusal({ key: 'format', field: 'file', args: { field: { zh: '上传内容', en: 'The upload' } } });
}
