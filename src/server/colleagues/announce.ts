import { sql } from 'kysely';
import { announceScans, SHARED_FOR_S, sharedStations, type SharedStation } from '#domain/colleagues.ts';
import type { InputOf } from '#domain/call.ts';
import { Refusal } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { CHANNEL, payloadOf } from '#server/colleagues/hub.ts';
import { route, type Route } from '#server/route.ts';

/** Bills that one person may have scans on at a time. */
const MAX_LISTS = 20;

/** The calls by which people announce their scans, one for each station under its right. */
export const colleagueRoutes: readonly Route[] = (Object.keys(sharedStations) as SharedStation[]).map((station) =>
  route(announceScans(station), (input, ctx) => announce(station, input, ctx)),
);

/** Stores a user's list for a while and notifies every server when it has changed. */
async function announce(
  station: SharedStation,
  { bill, snList, submitted = false }: InputOf<ReturnType<typeof announceScans>>,
  { db, currentUser }: Context,
): Promise<object> {
  const { userId, userName, siteId } = currentUser;
  const scope = { siteId, station, bill };
  await db.transaction().execute(async (inside) => {
    // One at a time for a user, so that the bound holds and each knows what was there before.
    await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`scans ${userId}`}, 0))`.execute(inside);
    const active = await inside
      .selectFrom('station_scans')
      .select(['siteId', 'station', 'bill', 'snList'])
      .where('userId', '=', userId)
      .where('expiresAt', '>', sql<number>`now()`)
      .execute();
    const before = active.find((it) => it.siteId === siteId && it.station === station && it.bill === bill);
    if (snList.length === 0) {
      await inside
        .deleteFrom('station_scans')
        .where('siteId', '=', siteId)
        .where('station', '=', station)
        .where('bill', '=', bill)
        .where('userId', '=', userId)
        .execute();
    } else {
      if (!before && active.length >= MAX_LISTS) {
        throw new Refusal({ key: 'tooMany', args: { seconds: SHARED_FOR_S } });
      }
      const list = { userName, snList, expiresAt: sql<Date>`now() + make_interval(secs => ${SHARED_FOR_S})` };
      await inside
        .insertInto('station_scans')
        .values({ ...scope, userId, ...list })
        .onConflict((it) => it.columns(['siteId', 'station', 'bill', 'userId']).doUpdateSet(list))
        .execute();
    }
    const isNews = submitted || (before?.snList ?? []).join() !== snList.join();
    if (isNews) {
      await sql`SELECT pg_notify(${CHANNEL}, ${payloadOf(scope, submitted ? userId : '')})`.execute(inside);
    }
  });
  return {};
}
