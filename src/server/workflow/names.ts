import { sql, type Kysely, type RawBuilder } from 'kysely';
import { OperateStatus } from '#domain/enums.ts';
import { refuseIfAny, type Problem } from '#domain/refusal.ts';
import { seesSite, type Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import type { Tables } from '#server/db/tables.ts';

type Db = Kysely<Tables>;

/** What a unit is called now, and every SN that it has or had. */
interface UnitNames {
  now: string;
  all: string[];
}

/** Changes that were not rolled back. */
const standing = sql`(
  SELECT id, "itemObjectId", "oldSn", "newSn" FROM ubs_sn_change_log
   WHERE "operateStatus" IS DISTINCT FROM ${sql.lit(OperateStatus.Rollbacked)} AND "itemObjectId" IS NOT NULL)`;

/** In SQL: what the changes `c` and `l` of one unit have to do with this SN. */
const changesOf = (sn: RawBuilder<unknown>) => sql`
  ${standing} AS c JOIN ${standing} AS l ON l."itemObjectId" = c."itemObjectId"
    WHERE c."oldSn" = ${sn} OR c."newSn" = ${sn}`;

/**
 * What the units of these SNs are called, present and former, by the SN that was asked: everything that looks up the
 * past of a unit asks here. An SN that was never changed stands for itself alone. Rule: units#former-sns.
 */
export async function namesOf(db: Db, sns: readonly string[]): Promise<Map<string, UnitNames>> {
  const names = new Map(sns.map((sn): [string, UnitNames] => [sn, { now: sn, all: [sn] }]));
  if (sns.length === 0) return names;
  const { rows } = await sql<{ sn: string; now: string; all: string[] }>`
    SELECT a.sn, n.now, n."all"
      FROM unnest(${[...names.keys()]}::text[]) AS a(sn)
     CROSS JOIN LATERAL (SELECT (array_agg(l."newSn" ORDER BY l.id DESC))[1] AS now,
                                array_agg(l."newSn") || array_agg(l."oldSn") AS "all"
                           FROM ${changesOf(sql`a.sn`)}) AS n
     WHERE n.now IS NOT NULL`.execute(db);
  for (const { sn, now, all } of rows) names.set(sn, { now, all: [...new Set([now, ...all])] });
  return names;
}

/** What one unit is called, by any of its SNs. Rule: units#former-sns. */
export const namesOfOne = async (db: Db, sn: string): Promise<UnitNames> =>
  (await namesOf(db, [sn])).get(sn) ?? { now: sn, all: [sn] };

/**
 * What one unit is called, by any of its SNs; where nobody has that one, also by one that was given and taken back.
 * Rule: units#one-page.
 */
export async function namesToShow(db: Db, sn: string): Promise<UnitNames> {
  const names = await namesOfOne(db, sn);
  if (names.all.length > 1) return names;
  const { rows } = await sql<{ sn: string }>`
    SELECT o.sn FROM ubs_sn_change_log AS l JOIN ubs_item_object AS o ON o.id = l."itemObjectId"
     WHERE l."newSn" = ${sn} AND NOT EXISTS (SELECT 1 FROM ubs_item_object AS there WHERE there.sn = ${sn})
     ORDER BY l.id DESC LIMIT 1`.execute(db);
  return rows[0] ? namesOfOne(db, rows[0].sn) : names;
}

/** All SNs of these units in one list, and what each of them stands for now. Rule: units#former-sns. */
export async function widen(db: Db, sns: readonly string[]): Promise<{ all: string[]; now: Map<string, string> }> {
  const names = [...(await namesOf(db, sns)).values()];
  const now = new Map(names.flatMap((it) => it.all.map((sn): [string, string] => [sn, it.now])));
  return { all: [...now.keys()], now };
}

/** In SQL: all SNs of the unit of this SN, itself among them. Rule: units#former-sns. */
export const namesIn = (sn: RawBuilder<unknown>): RawBuilder<string[]> => sql`(
  SELECT array_agg(l."oldSn"::text) || array_agg(l."newSn"::text) || ${sn}::text FROM ${changesOf(sn)})::text[]`;

/** In SQL: what the unit of this SN is called now. Rule: units#former-sns. */
export const nowIn = (sn: RawBuilder<unknown>): RawBuilder<string> => sql`
  coalesce((SELECT (array_agg(l."newSn"::text ORDER BY l.id DESC))[1] FROM ${changesOf(sn)}), ${sn})`;

/**
 * In SQL: the rows of a table of units that were called otherwise once, each with that SN as `former`; `range` says
 * which SNs are meant. Rule: units#former-sns, lists#find.
 */
export const formerlyCalled = (table: string, range: (column: RawBuilder<unknown>) => RawBuilder<unknown>) => sql`
  SELECT DISTINCT t.*, l."oldSn" AS former
    FROM ${standing} AS l JOIN ubs_item_object AS o ON o.id = l."itemObjectId" AND o.sn <> l."oldSn"
    JOIN ${sql.table(table)} AS t ON t.sn = o.sn
   WHERE ${range(sql.ref('l.oldSn'))}`;

/** In SQL: what units are called now of which a former SN is asked for. Rule: units#former-sns. */
export const presentSns = (asked: (column: RawBuilder<unknown>) => RawBuilder<unknown>) => sql`
  SELECT o.sn FROM ${standing} AS l JOIN ubs_item_object AS o ON o.id = l."itemObjectId" AND o.sn <> l."oldSn"
   WHERE ${asked(sql.ref('l.oldSn'))}`;

/**
 * In SQL: a table of the sales codes of all units by each SN that they have or had, for what reads the whole history: a
 * stay that has ended is written down under the SN of then. Rule: units#former-sns.
 */
export const codesByAnySn = sql`(
  SELECT sn, "salesCode" FROM rma_inventory
  UNION ALL
  SELECT former, "salesCode" FROM (${formerlyCalled('rma_inventory', (sn) => sql`${sn} IS NOT NULL`)}) AS f)`;

/**
 * What forbids to work with these SNs because they are former ones: the label that is stuck on the unit is to be
 * replaced, so it is said what the unit is called now; of another site's unit no more than that.
 * Rule: units#former-sns, rights#other-sites.
 */
export async function validateFormer(
  { db, currentUser }: Context,
  sns: readonly string[],
  fieldOf: (sn: string) => string = () => 'sn',
): Promise<Problem[]> {
  const names = [...(await namesOf(db, sns)).entries()].filter(([sn, { now }]) => sn !== now);
  if (names.length === 0) return [];
  const units = await db
    .selectFrom('rma_inventory')
    .select(['sn', 'siteId'])
    .where('sn', '=', anyOf(names.map(([, { now }]) => now)))
    .where('ivyId', 'is not', null)
    .execute();
  const elsewhere = new Set(units.filter((it) => !seesSite(currentUser, it.siteId)).map((it) => it.sn));
  return names.map(([sn, { now }]): Problem => {
    const field = fieldOf(sn);
    return elsewhere.has(now)
      ? { key: 'otherSite', field, args: { sn } }
      : { key: 'formerSn', field, args: { sn, now } };
  });
}

/** Refuses former SNs among these. Rule: units#former-sns. */
export async function refuseFormer(
  ctx: Context,
  sns: readonly string[],
  fieldOf?: (sn: string) => string,
): Promise<void> {
  refuseIfAny(await validateFormer(ctx, sns, fieldOf));
}

/** The change by which the archived thing got the SN that it has now, if it was changed. */
export async function latestChange(db: Db, itemObjectId: number) {
  return db
    .selectFrom('ubs_sn_change_log')
    .selectAll()
    .where('itemObjectId', '=', itemObjectId)
    .where('operateStatus', 'is distinct from', OperateStatus.Rollbacked)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}
