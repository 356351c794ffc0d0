import { at, measureTimes, post, withPool } from './measure.ts';

export interface FindManyFigures {
  /** 5,000 SNs of the workshop, one in ten of them unknown, asked at once. */
  p50Ms: number;
  /** The units of the same SNs read from the table alone. */
  bareMs: number;
}

const SNS = 5000;
const TIMES = 15;

/** As many SNs as may be pasted, spread over the whole table and new each time. */
export async function measureFindMany(base: string, token: string, databaseUrl: string): Promise<FindManyFigures> {
  return withPool(databaseUrl, 1, async (pool) => {
    const pick = async () => {
      const { rows } = await pool.query<{ sn: string }>(
        `SELECT u.sn FROM (SELECT max(id) AS most FROM rma_inventory) AS m,
                LATERAL (SELECT (random() * m.most)::bigint AS id FROM generate_series(1, $1::int)) AS r
           JOIN rma_inventory AS u ON u.id = r.id`,
        [SNS],
      );
      const sns = [...new Set(rows.map((it) => it.sn))].map((sn, i) => (i % 10 === 0 ? `X${sn}` : sn));
      for (let i = 0; sns.length < SNS; i++) sns.push(`NOBODY${i}`);
      return sns;
    };
    const lists = await Promise.all(Array.from({ length: TIMES }, pick));
    const asked = await measureTimes(TIMES, (i) =>
      post(`${base}/api/rmaInventory/findMany.json`, { sns: lists[i] }, { token }),
    );
    const bare = await measureTimes(TIMES, async (i) => {
      const { rows } = await pool.query('SELECT * FROM rma_inventory WHERE sn = ANY($1::text[])', [lists[i]]);
      return { ok: rows.length > 0, text: '' };
    });
    return { p50Ms: at(asked, 0.5), bareMs: at(bare, 0.5) };
  });
}
