import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import autocannon from 'autocannon';
import pg from 'pg';

export interface PagerFigures {
  withTotalMs: number;
  pageAloneMs: number;
  bareMs: number;
  perSecond: number;
  barePerSecond: number;
}

const REQUESTS = 400;
const SECONDS = 6;

/** `pager.json` with two filters, a sort and its exact total, beside the same SQL on a bare `node:http` + `pg` endpoint. */
export async function measurePager(base: string, token: string, databaseUrl: string): Promise<PagerFigures> {
  const query = 'siteId=SZ&ivyId=50&sortBy=sn&order=asc&pageStart=0&pageCount=10';
  const url = `${base}/api/rmaInventory/pager.json?${query}`;
  const bare = await startBare(databaseUrl);
  const headers = { token };
  const figures = {
    withTotalMs: await median(url, headers),
    pageAloneMs: await median(`${url}&total=none`, headers),
    bareMs: await median(bare.url, {}),
    perSecond: await perSecond(url, headers),
    barePerSecond: await perSecond(bare.url, {}),
  };
  await bare.stop();
  return figures;
}

/** What the page costs with nothing around it: one pool of 10, prepared statements, the same columns and the count. */
async function startBare(databaseUrl: string): Promise<{ url: string; stop(): Promise<void> }> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  const where = `FROM rma_inventory t WHERE t."siteId" = $1 AND t."ivyId" = $2`;
  const server = createServer((_, response) => {
    const values = ['SZ', '50'];
    void Promise.all([
      pool.query({ name: 'page', text: `SELECT * ${where} ORDER BY t.sn, t.id LIMIT 10 OFFSET 0`, values }),
      pool.query({ name: 'count', text: `SELECT count(*)::int AS n ${where}`, values }),
    ]).then(([page, count]) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ items: page.rows, itemTotal: (count.rows[0] as { n: number }).n }));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      await pool.end();
    },
  };
}

async function median(url: string, headers: Record<string, string>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < REQUESTS; i++) {
    const began = performance.now();
    const reply = await fetch(url, { headers });
    const text = await reply.text();
    times.push(performance.now() - began);
    if (!text.includes('"itemTotal"')) throw new Error(`Not a page: ${text.slice(0, 200)}`);
  }
  return times.sort((a, b) => a - b)[REQUESTS / 2] as number;
}

async function perSecond(url: string, headers: Record<string, string>): Promise<number> {
  const result = await autocannon({ url, headers, connections: 50, duration: SECONDS });
  if (result.non2xx > 0) throw new Error(`${result.non2xx} answers were no success`);
  return result.requests.average;
}
