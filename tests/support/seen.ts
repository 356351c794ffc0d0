import { sql, type Kysely } from 'kysely';
import type { Call, InputOf } from '#domain/call.ts';
import type { Definition, Model } from '#domain/definition/grammar.ts';
import { isReviewed } from '#domain/review.ts';
import { exactId } from '#domain/exact.ts';
import type { Tables } from '#server/db/tables.ts';
import { besideCorrection } from '#server/workflow/corrections.ts';
import { foreseePrice } from '#features/reviews/queries.ts';
import { readModel } from '#server/definitions/read.ts';
import { features, registers } from '#tests/support/features.ts';

/** The calls that decide about a row, by their path: they say which version of it was seen. */
export const decidingPaths: ReadonlySet<string> = new Set(
  features.routes
    .map((it) => it.call)
    .filter(({ writes, input }) => writes && (input as { required?: string[] }).required?.includes('version'))
    .map((it) => it.path)
    // A change of the studio goes by the version of a draft's module.
    .filter((it) => !it.startsWith('/api/sysModule/')),
);

/** An input as who has just looked sends it; a test that is about the version says it. */
export type Unseen<C extends Call> =
  InputOf<C> extends { version: number }
    ? Omit<InputOf<C>, Seen> & Partial<Pick<InputOf<C>, Seen & keyof InputOf<C>>>
    : InputOf<C>;
type Seen = 'version' | 'settledVersion';

const ours = readModel(registers);

/**
 * The input with the version of the row as it stands, as who has just looked at it would send it; one that says a version
 * itself, or asks for no decision, goes as it is.
 */
export async function asJustSeen<Input>(
  db: Kysely<Tables>,
  path: string,
  input: Input,
  model: Model = ours,
): Promise<Input> {
  const sent = input as Record<string, unknown>;
  const [, , module = '', call = ''] = path.split('/');
  const definition = model.definitions.get(module);
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return input;
  if (call === 'bulk.json' && definition && sent['dryRun'] !== true && !('versions' in sent))
    return { ...input, versions: await versionsOf(db, definition, sent['ids']) };
  if (call === 'deleteAll.json' && definition && isReviewed(module) && !('versions' in sent || 'version' in sent))
    return { ...input, versions: await versionsOf(db, definition, sent['ids']) };
  const foreseen = foretold[path] && { foreseen: await foretold[path](db, sent['id']) };
  const deletes = call === 'deleteById.json' && isReviewed(module);
  if (!(deletes || decidingPaths.has(path)) || 'version' in sent) return { ...foreseen, ...input };
  const lots = path === MERGE && (await lotsOf(db, sent['wipIds']));
  const settled = path === RESUBMIT && { settledVersion: await settledVersionOf(db, sent['id']) };
  return { ...settled, ...lots, ...foreseen, ...input, version: (await versionOf(db, definition, sent)) ?? 1 };
}

/** A merge says what it was shown of each chosen lot. */
const MERGE = '/api/icopWip/merge.json';
async function lotsOf(db: Kysely<Tables>, wipIds: unknown) {
  const ids = String(wipIds ?? '')
    .split(',')
    .map((it) => it.trim())
    .filter(Boolean);
  const { rows } = await sql<{ version: number; chipQty: number }>`
    SELECT coalesce(w.version, 1) AS version, coalesce(w."chipQty", 0) AS "chipQty"
      FROM unnest(${ids}::text[]) WITH ORDINALITY AS it (id, n) LEFT JOIN icop_wip AS w ON w."wipId" = it.id
     ORDER BY n`.execute(db);
  return { versions: rows.map((it) => it.version).join(), chipQtys: rows.map((it) => it.chipQty).join() };
}

type Foretells = (db: Kysely<Tables>, id: unknown) => Promise<string>;
const foretellsPrice: Foretells = async (db, id) => {
  const rowId = exactId(id);
  return rowId === null ? '' : (await foreseePrice({ db }, rowId)).foreseen;
};
const foretellsCorrection: Foretells = async (db, id) => {
  const row = await db.selectFrom('rma_correction_bill').selectAll().where('id', '=', exactId(id)).executeTakeFirst();
  return row && (row.rfbId ?? row.lcbId) !== null ? (await besideCorrection({ db }, row)).foreseen : '';
};
/** Whoever passes a price was told what that does, whoever judges a correction what else corrects its lines. */
const foretold: Readonly<Record<string, Foretells>> = {
  '/api/rmaPriceBill/financialReview.json': foretellsPrice,
  '/api/rmaCorrectionBill/financialReview.json': foretellsCorrection,
  '/api/rmaCorrectionBill/financialAudit.json': foretellsCorrection,
};

/** A correction that is handed in again goes by the settled bill as well. */
const RESUBMIT = '/api/rmaCorrectionBill/resubmit.json';
async function settledVersionOf(db: Kysely<Tables>, id: unknown): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    SELECT coalesce(f.version, l.version) AS version
      FROM rma_correction_bill AS c LEFT JOIN rma_repair_fee_bill AS f ON f."rfbId" = c."rfbId"
      LEFT JOIN rma_logistics_costs_bill AS l ON l."lcbId" = c."lcbId"
     WHERE c.id = ${exactId(id)}`.execute(db);
  return rows[0]?.version ?? 1;
}

async function versionOf(db: Kysely<Tables>, definition: Definition | undefined, sent: Record<string, unknown>) {
  const { id, ckbId, sn } = sent;
  if (ckbId !== undefined) {
    const { rows } = await sql<{ version: number }>`
      SELECT version FROM rma_check_bill_line
       WHERE "ckbId" = ${String(ckbId).trim()} AND sn = upper(${String(sn).trim()})`.execute(db);
    return rows[0]?.version;
  }
  if (!definition || id === undefined || id === null) return undefined;
  const rowId = exactId(id);
  const isRow =
    rowId === null
      ? sql`${sql.ref(definition.number?.field ?? 'id')}::text = upper(${String(id).trim()})`
      : sql`id = ${rowId}`;
  const { rows } = await sql<{
    version: number;
  }>`SELECT version FROM ${sql.table(definition.table)} WHERE ${isRow}`.execute(db);
  return rows[0]?.version;
}

async function versionsOf(db: Kysely<Tables>, definition: Definition, ids: unknown) {
  const wanted = Array.isArray(ids) ? ids.map(exactId).filter((it) => it !== null) : null;
  const { rows } = await sql<{ id: number; version: number }>`
    SELECT id, version FROM ${sql.table(definition.table)}
     WHERE ${wanted === null ? sql`true` : sql`id = ANY(${wanted})`}`.execute(db);
  return Object.fromEntries(rows.map((it) => [it.id, it.version]));
}
