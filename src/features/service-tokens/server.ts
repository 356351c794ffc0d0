import { sql } from 'kysely';
import { recordName } from '#domain/definition/recordName.ts';
import { ServiceTokenStatus } from '#domain/enums.ts';
import { INGEST } from '#domain/hashRate.ts';
import { Refusal } from '#domain/refusal.ts';
import { isUnseen } from '#domain/signs.ts';
import type { Context } from '#server/context.ts';
import { seesSite } from '#server/context.ts';
import { createScopeCondition } from '#server/engine/scope.ts';
import { recordInLedger } from '#server/ledger.ts';
import { requireDefinition } from '#server/requireDefinition.ts';
import { route } from '#server/route.ts';
import { addSecret, endSecrets } from '#server/session/services.ts';
import { touch } from '#server/touch.ts';
import { issue, revoke, rotate } from './contract.ts';

const MODULE = 'sysServiceToken';

export const serviceTokenRoutes = [
  route(issue, ({ name: typed, siteId, userOid, days }, ctx) =>
    alone(ctx, async (inside) => {
      const { db, currentUser } = inside;
      const name = typed.trim();
      if (isUnseen(name)) throw new Refusal({ key: 'required', field: 'name', args: { fields: [label('name')] } });
      await findSite(siteId, inside);
      const account = userOid?.trim() || null;
      if (account) await refuseForeignAccount(account, siteId, inside);
      const row = await db
        .insertInto('service_token')
        .values({
          name,
          scope: INGEST,
          siteId,
          userOid: account,
          status: ServiceTokenStatus.Valid,
          expireTime: sql<string>`now() + make_interval(days => ${days}::int)`,
          createBy: currentUser.userId,
        })
        .returning(['id', 'expireTime'])
        .executeTakeFirstOrThrow();
      const secret = await addSecret(db, row.id);
      const to = { name, scope: INGEST, siteId, userOid: account, expireTime: row.expireTime };
      await recordInLedger(inside, { what: 'issue', module: MODULE, recordId: String(row.id), to });
      return { id: row.id, secret };
    }),
  ),

  route(rotate, ({ id, hours }, ctx) =>
    alone(ctx, async (inside) => {
      const { db, currentUser } = inside;
      await findValid(id, inside);
      const overlapTime = await endSecrets(db, id, hours);
      const secret = await addSecret(db, id);
      await db
        .updateTable('service_token')
        .set({ overlapTime: new Date(overlapTime), ...touch(currentUser) })
        .where('id', '=', id)
        .execute();
      await recordInLedger(inside, { what: 'rotate', module: MODULE, recordId: String(id), to: { overlapTime } });
      return { id, secret };
    }),
  ),

  route(revoke, async ({ id }, ctx) => {
    const { db, currentUser } = ctx;
    await findValid(id, ctx);
    await endSecrets(db, id, 0);
    await db
      .updateTable('service_token')
      .set({ status: ServiceTokenStatus.Revoked, ...touch(currentUser) })
      .where('id', '=', id)
      .execute();
    const [from, to] = [{ status: ServiceTokenStatus.Valid }, { status: ServiceTokenStatus.Revoked }];
    await recordInLedger(ctx, { what: 'revokeToken', module: MODULE, recordId: String(id), from, to });
    return { id };
  }),
];

/** All of it in one transaction, whose answer is kept nowhere. */
const alone = <T>(ctx: Context, work: (inside: Context) => Promise<T>): Promise<T> =>
  ctx.db.transaction().execute((db) => work({ ...ctx, db, cache: undefined }));

const label = (field: string) => ({ module: MODULE, field });

async function findSite(siteId: string, { db, currentUser }: Context): Promise<void> {
  const found = await db.selectFrom('ubs_site').select('id').where('siteId', '=', siteId).executeTakeFirst();
  if (found && seesSite(currentUser, siteId)) return;
  throw new Refusal({ key: 'notFound', field: 'siteId', args: { what: label('siteId'), value: siteId } });
}

/** An account that nobody has reported for yet may be named; one of another site may not. */
async function refuseForeignAccount(userOid: string, siteId: string, { db }: Context): Promise<void> {
  const found = await db.selectFrom('user_speed').select('siteId').where('userOid', '=', userOid).executeTakeFirst();
  if (!found || found.siteId === siteId) return;
  throw new Refusal({ key: 'accountElsewhere', field: 'userOid', args: { account: userOid } });
}

/** The token of a site that the user sees, held until the transaction ends; one that was revoked stays so. */
async function findValid(id: number, { db, currentUser, model }: Context): Promise<void> {
  const definition = requireDefinition(model, MODULE);
  const { rows } = await sql<{ status: string }>`
    SELECT t.status FROM service_token AS t
     WHERE t.id = ${id} AND ${createScopeCondition(definition, currentUser, model)} FOR NO KEY UPDATE OF t`.execute(db);
  const [found] = rows;
  if (!found)
    throw new Refusal({ key: 'notFound', field: 'id', args: { what: recordName(definition), value: String(id) } });
  if (found.status !== ServiceTokenStatus.Valid) throw new Refusal({ key: 'stale' });
}
