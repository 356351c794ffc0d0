import { sql } from 'kysely';
import type { InputOf } from '#domain/call.ts';
import { drillsOf, is } from '#domain/drill.ts';
import { Refusal } from '#domain/refusal.ts';
import { mayDo } from '#domain/rights.ts';
import type { Context } from '#server/context.ts';
import { inSites } from '#server/db/conditions.ts';
import { choicesOf } from '#server/engine/describe.ts';
import { recordInLedger } from '#server/ledger.ts';
import type { coinChange } from './contract.ts';

/**
 * The coins that can be watched, the user's own selected; the first one until somebody chose. Rule: hash-rate#coins.
 */
export async function readCoins(ctx: Context) {
  const choices = choicesOf('coins', ctx);
  const chosen = await ctx.db
    .selectFrom('user_coin')
    .select('coin')
    .where('userId', '=', ctx.currentUser.userId)
    .executeTakeFirst();
  const selected = choices.some((it) => it.value === chosen?.coin) ? chosen?.coin : choices[0]?.value;
  return choices.map((it) => ({ ...it, selected: it.value === selected }));
}

/** What the accounts of this coin compute now, in TH/s, in how many accounts, and how many machines do it. Rule: hash-rate#spans. */
export async function readHashRate(coin: string | undefined, { db, currentUser }: Context) {
  if (!coin || !mayDo(currentUser.rights, 'userSpeed:list')) return null;
  const { rows } = await sql<{ rate: number; online: number; accounts: number }>`
    SELECT coalesce(sum("currentRate"), 0)::float8 AS rate, coalesce(sum("workersOnline"), 0)::int AS online,
           count(*)::int AS accounts
      FROM user_speed WHERE coin = ${coin} AND ${inSites('siteId', currentUser)}`.execute(db);
  const told = rows[0] ?? { rate: 0, online: 0, accounts: 0 };
  return { coin, ...told, drills: drillsOf(told, { accounts: { module: 'userSpeed', rules: [is('coin', coin)] } }) };
}

/** Watches another coin from now on; refuses one that is not on the list. */
export async function changeCoin({ coinName }: InputOf<typeof coinChange>, ctx: Context): Promise<object> {
  if (!choicesOf('coins', ctx).some((it) => it.value === coinName))
    throw new Refusal({
      key: 'notFound',
      field: 'coinName',
      args: { what: { zh: '币种', en: 'The coin' }, value: coinName },
    });
  await ctx.db
    .insertInto('user_coin')
    .values({ userId: ctx.currentUser.userId, coin: coinName })
    .onConflict((it) => it.column('userId').doUpdateSet({ coin: coinName }))
    .execute();
  await recordInLedger(ctx, {
    what: 'coinChange',
    module: 'adminUser',
    recordId: ctx.currentUser.userId,
    to: { coin: coinName },
  });
  return {};
}
