import { sql } from 'kysely';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { requireDefinition } from '#server/requireDefinition.ts';
import { createScopeCondition } from '#server/engine/scope.ts';
import { route } from '#server/route.ts';
import { userSpeedChart, userWorkerSpeedChart } from './contract.ts';
import { inUnit } from './rules.ts';
import { readPoints } from './queries.ts';

export const chartRoutes = [
  route(userSpeedChart, async ({ userOid, interval = 'hour' }, ctx) => {
    await findIn('userSpeed', { userOid }, ctx);
    return inUnit(await readPoints(ctx, { by: 'userOid', value: userOid, interval }));
  }),

  route(userWorkerSpeedChart, async ({ workerId, userOid, interval = 'hour' }, ctx) => {
    await findIn('userWorker', { workerId, ...(userOid && { userOid }) }, ctx);
    return inUnit(await readPoints(ctx, { by: 'workerId', value: workerId, interval }));
  }),
];

/** The account or machine is one that the user sees; another site's is none. Rule: rights#sites. */
async function findIn(module: string, by: Record<string, string>, ctx: Context): Promise<void> {
  const definition = requireDefinition(ctx.model, module);
  const wanted = Object.entries(by).map(([name, value]) => sql`${sql.ref(`t.${name}`)} = ${value}`);
  const { rows } = await sql`
    SELECT 1 FROM ${sql.table(definition.table)} AS t
     WHERE ${sql.join([...wanted, createScopeCondition(definition, ctx.currentUser, ctx.model)], sql` AND `)} LIMIT 1`.execute(
    ctx.db,
  );
  if (rows.length > 0) return;
  const [field = '', value = ''] = Object.entries(by)[0] ?? [];
  throw new Refusal({ key: 'notFound', field, args: { what: { module, field }, value } });
}
