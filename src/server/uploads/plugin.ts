import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import { Refusal } from '#domain/refusal.ts';
import { mayDo } from '#domain/rights.ts';
import {
  LARGEST_FILE,
  LARGEST_WORKBOOK,
  MAX_PAPERS,
  documentKinds,
  pictureKinds,
  type FileKind,
} from '#domain/uploads.ts';
import { success } from '#server/answer.ts';
import type { Config } from '#server/config.ts';
import type { Tables } from '#server/db/tables.ts';
import type { Importers } from '#server/imports/importers.ts';
import { mountImports } from '#server/imports/routes.ts';
import type { Enter } from '#server/uploads/byModule.ts';
import { mountDocuments } from '#server/uploads/documents.ts';
import { saveFiles } from '#server/uploads/saveFiles.ts';
import { readMultipart } from '#server/uploads/multipart.ts';
import { mountFile } from '#server/uploads/serve.ts';

interface UploadDeps {
  db: Kysely<Tables>;
  config: Config;
  enter: Enter;
  importerOf: Importers;
}

interface UploadCall {
  path: `/api/${string}`;
  /** Any one of these; a file is uploaded for a step of the work, so who may do none of them uploads nothing. */
  rights: readonly string[];
  kinds: readonly FileKind[];
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
const documentRights = ['rmaRepairFeeBill:uploadInvoice', 'rmaLogisticsCostsBill:uploadCertificate'];

export const uploadCalls: readonly UploadCall[] = [
  {
    path: '/api/rmaPicture/upload.json',
    rights: [...stationRights, ...billRights],
    kinds: pictureKinds,
    maxFiles: 1,
  },
  {
    path: '/api/rmaPicture/uploadBillPic.json',
    rights: [...stationRights, ...billRights],
    kinds: ['picture'],
    maxFiles: 1,
  },
  {
    path: '/api/rmaAppendix/upload.json',
    rights: [...stationRights, ...billRights, ...documentRights],
    kinds: [...documentKinds, 'text'],
    maxFiles: MAX_PAPERS,
  },
];

/** Uploads and the files that they become. Rule: uploads#serving. */
export async function uploadsPlugin(app: FastifyInstance, deps: UploadDeps): Promise<void> {
  await app.register(multipart, {
    limits: {
      fileSize: LARGEST_WORKBOOK,
      files: MAX_PAPERS,
      fields: 10,
      parts: MAX_PAPERS + 10,
      fieldNameSize: 100,
      fieldSize: 1000,
      headerPairs: 50,
    },
  });
  for (const call of uploadCalls) mountUpload(app, deps, call);
  mountDocuments(app, deps.enter);
  mountImports(app, deps.enter, deps.importerOf);
  mountFile(app, deps);
}

function mountUpload(app: FastifyInstance, deps: UploadDeps, { path, rights, kinds, maxFiles }: UploadCall): void {
  app.post(path, { config: { right: rights.join(' ') } }, async (request) => {
    const ctx = await deps.enter(request);
    if (!rights.some((it) => mayDo(ctx.currentUser.rights, it))) throw new Refusal({ key: 'noRight' });
    const { files } = await readMultipart(request, { maxFiles, maxBytes: LARGEST_FILE });
    return success({ url: (await saveFiles(ctx, files, { kinds })).join('##') });
  });
}
