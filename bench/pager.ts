import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type pg from 'pg';
import { at, get, median, perSecond, post, startBare, measureTimes, withPool } from './measure.ts';

export interface PagerFigures {
  withTotalMs: number;
  pageAloneMs: number;
  bareMs: number;
  perSecond: number;
  barePerSecond: number;
  perSecondWhileWriting: number;
  barePerSecondWhileWriting: number;
  /** Totals that differed from a count made right before and after, while the table was written to. */
  wrongTotals: number;
  deepP95Ms: number;
  bareDeepP95Ms: number;
  nestedP95Ms: number;
  bareNestedP95Ms: number;
}

const REQUESTS = 400;
const SLOW_REQUESTS = 40;
/** Where the pages far down begin: one after another, as somebody leafs through them, so that none is asked for twice. */
const FAR_DOWN = 100_000;
const WRITES_A_SECOND = 20;
const FROM = 'FROM rma_inventory t';
const SIMPLE = `${FROM} WHERE t."siteId" = $1 AND t."ivyId" = $2`;
const NESTED = `${FROM} WHERE t."siteId" = $1 AND ((t."ivyId" = $2 OR t."ivyId" = $3) AND t."salesCode" ILIKE $4)`;

/** `pager.json` and `advancedSearch.json` with exact totals, each beside the same SQL on a bare endpoint in the same run. */
export function measurePager(base: string, token: string, databaseUrl: string): Promise<PagerFigures> {
  return withPool(databaseUrl, 4, (pool) => measure(base, token, databaseUrl, pool));
}

async function measure(base: string, token: string, databaseUrl: string, pool: pg.Pool): Promise<PagerFigures> {
  const headers = { token };
  const list = `${base}/api/rmaInventory/pager.json`;
  const url = `${list}?siteId=SZ&ivyId=50&sortBy=sn&order=asc&pageStart=0&pageCount=10`;
  const deep = `${list}?sortBy=sn&order=asc&pageCount=10`;
  const nested = `${base}/api/rmaInventory/advancedSearch.json?pageCount=10&sortBy=sn&order=asc`;
  const salesCode = await frequentSalesCode(pool);

  const bare = await startBare(databaseUrl, (on) => page(on, SIMPLE, ['SZ', '50'], 0));
  const bareDeep = await startBare(databaseUrl, (on, request) => page(on, FROM, [], startIn(request)));
  const bareNested = await startBare(databaseUrl, (on, request) =>
    page(on, NESTED, ['SZ', '50', '60', `%${salesCode}%`], startIn(request)),
  );
  try {
    const simple = {
      withTotalMs: median(await measureTimes(REQUESTS, () => get(url, headers))),
      pageAloneMs: median(await measureTimes(REQUESTS, () => get(`${url}&total=none`, headers))),
      bareMs: median(await measureTimes(REQUESTS, () => get(bare.url))),
      perSecond: await perSecond(url, headers),
      barePerSecond: await perSecond(bare.url),
    };
    const writer = writeTo(pool);
    const exact = watchTotals(url, headers, pool);
    const writing = {
      perSecondWhileWriting: await perSecond(url, headers),
      barePerSecondWhileWriting: await perSecond(bare.url),
    };
    const wrongTotals = await exact.stop();
    await writer.stop();
    return {
      ...simple,
      ...writing,
      wrongTotals,
      deepP95Ms: at(
        await measureTimes(SLOW_REQUESTS, (i) => get(`${deep}&pageStart=${FAR_DOWN + i * 10}`, headers)),
        0.95,
      ),
      bareDeepP95Ms: at(await measureTimes(SLOW_REQUESTS, (i) => get(`${bareDeep.url}?${FAR_DOWN + i * 10}`)), 0.95),
      nestedP95Ms: at(
        await measureTimes(SLOW_REQUESTS, (i) =>
          post(`${nested}&pageStart=${i * 10}`, conditionOf(salesCode), headers),
        ),
        0.95,
      ),
      bareNestedP95Ms: at(await measureTimes(SLOW_REQUESTS, (i) => get(`${bareNested.url}?${i * 10}`)), 0.95),
    };
  } finally {
    await Promise.all([bare.stop(), bareDeep.stop(), bareNested.stop()]);
  }
}

/** The bare endpoint is told where its page begins by nothing but a number. */
const startIn = (request: IncomingMessage): number => Number(request.url?.slice(2));

async function page(pool: pg.Pool, from: string, values: string[], start: number): Promise<unknown> {
  const tail = `ORDER BY t.sn, t.id LIMIT 10 OFFSET $${values.length + 1}`;
  const [rows, count] = await Promise.all([
    pool.query(prepared(`SELECT t.* ${from} ${tail}`, [...values, String(start)])),
    pool.query<{ n: number }>(prepared(`SELECT count(*)::int AS n ${from}`, values)),
  ]);
  return { items: rows.rows, itemTotal: count.rows[0]?.n };
}

const prepared = (text: string, values: string[]) => ({
  name: createHash('md5').update(text).digest('hex'),
  text,
  values,
});

const rule = (column: string, relation: string, value: string, connector = 'AND') => ({
  connector,
  column,
  relation,
  value,
});
const conditionOf = (salesCode: string) => ({
  adminAdvancedSearchGroup: {
    connector: 'AND',
    rules: [rule('siteId', 'EQUAL_TO', 'SZ')],
    groups: [
      {
        connector: 'AND',
        rules: [
          rule('ivyId', 'EQUAL_TO', '50'),
          rule('ivyId', 'EQUAL_TO', '60', 'OR'),
          rule('salesCode', 'LIKE', salesCode),
        ],
      },
    ],
  },
});

/** What is sought is what there is most of, so that there is more than one page of it. */
async function frequentSalesCode(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ code: string }>(
    `SELECT mode() WITHIN GROUP (ORDER BY t."salesCode") AS code ${FROM} WHERE t."siteId" = 'SZ' AND t."ivyId" IN ('50', '60')`,
  );
  return rows[0]?.code ?? '';
}

/** A station at work: 20 units a second move from one node to another and back. */
function writeTo(pool: pg.Pool) {
  let n = 0;
  const timer = setInterval(() => {
    const [from, to] = n++ % 2 === 0 ? ['50', '60'] : ['60', '50'];
    void pool.query(
      `UPDATE rma_inventory SET "ivyId" = $2, version = version + 1
        WHERE id = (SELECT id FROM rma_inventory WHERE "siteId" = 'SZ' AND "ivyId" = $1 ORDER BY sn LIMIT 1)`,
      [from, to],
    );
  }, 1000 / WRITES_A_SECOND);
  return {
    stop: async () => {
      clearInterval(timer);
      await pool.query('SELECT 1');
    },
  };
}

/** Asks for the total between two counts, again and again: it may be neither below the lower nor above the higher. */
function watchTotals(url: string, headers: Record<string, string>, pool: pg.Pool) {
  let isDone = false;
  let wrong = 0;
  const count = async () =>
    (await pool.query<{ n: number }>(`SELECT count(*)::int AS n ${SIMPLE}`, ['SZ', '50'])).rows[0]?.n ?? -1;
  const watching = (async () => {
    while (!isDone) {
      const before = await count();
      const { itemTotal } = (JSON.parse((await get(url, headers)).text) as { data: { itemTotal: number } }).data;
      const after = await count();
      // At 20 writes a second a few may fall between the counts.
      if (itemTotal < Math.min(before, after) - 2 || itemTotal > Math.max(before, after) + 2) wrong++;
      await new Promise((done) => setTimeout(done, 100));
    }
  })();
  return {
    stop: async () => {
      isDone = true;
      await watching;
      return wrong;
    },
  };
}
