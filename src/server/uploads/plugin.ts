import { join } from 'node:path';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { Refusal } from '#domain/refusal.ts';
import { mayDo } from '#domain/rights.ts';
import { success } from '#server/answer.ts';
import type { Config } from '#server/config.ts';
import type { Who } from '#server/context.ts';
import type { Tables } from '#server/db/tables.ts';
import { whoOf } from '#server/session/sessions.ts';
import { contentOf, type Content } from '#server/uploads/content.ts';
import { folderStore, isFileId, newFileId, type FileStore } from '#server/uploads/fileStore.ts';

export interface UploadDeps {
  db: Kysely<Tables>;
  config: Config;
  /** By the header `token` alone; refuses with '401'. */
  authenticate(request: FastifyRequest): Promise<Who>;
}

export interface UploadCall {
  path: `/api/${string}`;
  /** Any one of these; a file is uploaded for a step of the work, so who may do none of them uploads nothing. */
  rights: readonly string[];
  mayBeText: boolean;
  maxFiles: number;
}

const stationRights = [
  'rmaReceiveBill:receive',
  'rmaCheckBill:check',
  'rmaRepairBill:repair',
  'rmaBurninBill:burnin',
  'rmaExamineBill:examine',
];
const billRights = ['rmaMaintainBill:create', 'rmaMaintainBill:modify'];

export const uploadCalls: readonly UploadCall[] = [
  { path: '/api/rmaPicture/upload.json', rights: [...stationRights, ...billRights], mayBeText: true, maxFiles: 1 },
  {
    path: '/api/rmaPicture/uploadBillPic.json',
    rights: [...stationRights, ...billRights],
    mayBeText: false,
    maxFiles: 1,
  },
  { path: '/api/rmaAppendix/upload.json', rights: [...stationRights, ...billRights], mayBeText: true, maxFiles: 4 },
];

const MAX_BYTES = 5 * 1024 * 1024;

/** Uploads and the files that they become. Specification 1, Uploads; design sections 5 and 9. */
export async function uploadsPlugin(app: FastifyInstance, deps: UploadDeps): Promise<void> {
  const store = folderStore(join(deps.config.dataDir, 'files'));
  await app.register(multipart, {
    limits: {
      fileSize: MAX_BYTES,
      files: 4,
      fields: 10,
      parts: 14,
      fieldNameSize: 100,
      fieldSize: 1000,
      headerPairs: 50,
    },
  });
  for (const call of uploadCalls) mountUpload(app, deps, store, call);
  mountFile(app, deps, store);
}

function mountUpload(app: FastifyInstance, deps: UploadDeps, store: FileStore, call: UploadCall): void {
  app.post(call.path, { config: { right: call.rights.join(' ') } }, async (request) => {
    const who = await deps.authenticate(request);
    if (!call.rights.some((it) => mayDo(who.rights, it))) throw new Refusal({ key: 'noRight' });
    const sent = await filesOf(request, call.maxFiles);
    const files = await Promise.all(
      sent.map(async ({ name, bytes }) => ({ id: newFileId(), name, content: await contentOf(bytes, call.mayBeText) })),
    );
    try {
      for (const it of files) await store.put(it.id, it.content.bytes);
      await deps.db
        .insertInto('file')
        .values(files.map((it) => rowOf(it, who)))
        .execute();
    } catch (error) {
      await Promise.all(files.map((it) => store.remove(it.id)));
      throw error;
    }
    return success({ url: files.map((it) => `/file/${it.id}`).join('##') });
  });
}

const rowOf = ({ id, name, content }: { id: string; name: string; content: Content }, who: Who) => ({
  id,
  kind: content.kind,
  name,
  mime: content.mime,
  size: content.bytes.length,
  siteId: who.siteId,
  createBy: who.userId,
});

interface Sent {
  name: string;
  bytes: Buffer;
}

/** The files of a multipart body, read whole (they are small) and refused as soon as one is too large or too many. */
async function filesOf(request: FastifyRequest, maxFiles: number): Promise<Sent[]> {
  if (!request.isMultipart()) throw new Refusal({ key: 'noFile', field: 'file' });
  const files: Sent[] = [];
  try {
    for await (const part of request.files()) {
      const bytes = await part.toBuffer();
      if (part.filename === '' && bytes.length === 0) continue;
      files.push({ name: nameOf(part.filename), bytes });
    }
  } catch (error) {
    throw refusalOf(error, maxFiles);
  }
  if (files.length === 0) throw new Refusal({ key: 'noFile', field: 'file' });
  if (files.length > maxFiles) throw tooManyFiles(maxFiles);
  return files;
}

function refusalOf(error: unknown, maxFiles: number): Refusal {
  const { code } = error as { code?: string };
  if (code === 'FST_REQ_FILE_TOO_LARGE') return new Refusal({ key: 'tooLarge', field: 'file', args: { max: '5M' } });
  if (code === 'FST_FILES_LIMIT') return tooManyFiles(maxFiles);
  // Whatever else goes wrong while a body is read is the body's fault: broken off, or no multipart at all.
  return new Refusal({ key: 'format', field: 'file', args: { field: { zh: '上传内容', en: 'The upload' } } });
}

const tooManyFiles = (max: number) => new Refusal({ key: 'images', field: 'file', args: { min: 1, max } });
/** Shown to people only, so it is cut and stripped of what could break a header. */
const nameOf = (name: string): string =>
  [...name]
    .filter((it) => it >= ' ' && it !== '\x7f')
    .slice(-100)
    .join('');

function mountFile(app: FastifyInstance, deps: UploadDeps, store: FileStore): void {
  app.get<{ Params: { id: string } }>('/file/:id', { config: { right: 'signedIn' } }, async (request, reply) => {
    const who = await readerOf(request, deps.db);
    const { id } = request.params;
    const file = isFileId(id)
      ? await deps.db.selectFrom('file').selectAll().where('id', '=', id).executeTakeFirst()
      : undefined;
    const isSeen =
      file !== undefined &&
      (who.sites === 'all' || who.sites.includes(file.siteId)) &&
      (file.right === '' || mayDo(who.rights, file.right));
    if (!isSeen) throw new Refusal({ key: 'noSuchCall', args: { path: `/file/${id.slice(0, 40)}` } });
    const how = file.kind === 'picture' ? 'inline' : 'attachment';
    return reply
      .type(file.mime)
      .headers({
        'content-length': file.size,
        'content-disposition': `${how}; filename*=UTF-8''${encodeURIComponent(file.name)}`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': 'private, max-age=3600',
        'cross-origin-resource-policy': 'same-origin',
      })
      .send(store.get(id));
  });
}

/**
 * The one place where a cookie counts: an `<img>` can't send a header. It only reads, and only for our own pages; a
 * browser that says that another site asks gets the answer of nobody. Design section 5.
 */
async function readerOf(request: FastifyRequest, db: Kysely<Tables>): Promise<Who> {
  const header = request.headers['token'];
  const site = request.headers['sec-fetch-site'];
  const isOwn = site === undefined || site === 'same-origin' || site === 'none';
  const token = typeof header === 'string' && header !== '' ? header : isOwn ? cookieToken(request) : null;
  const who = await whoOf(db, token);
  if (!who) throw new Refusal({ key: 'noSession' });
  return who;
}

function cookieToken(request: FastifyRequest): string | null {
  const cookies = (request.headers.cookie ?? '').split(';').map((it) => it.trim());
  return cookies.find((it) => it.startsWith('token='))?.slice('token='.length) ?? null;
}
