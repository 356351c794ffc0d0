import { withPool } from './measure.ts';

export interface BulkFigures {
  rows: number;
  /** Of each action: until somebody hears how far it is, until the answer, and what it is made of, bare. */
  actions: Record<string, { firstMs: number; ms: number; bareMs: number }>;
}

const ROWS = 7000;
const CODES = 'BULK';
const TIMES = 3;

/** What is asked, and the statements that it comes to when nothing is judged. */
const ACTIONS: Readonly<Record<string, { body: object; bare: string }>> = {
  modify: {
    body: { action: 'modify', values: { disposition: 'scrap' } },
    bare: `WITH done AS (UPDATE ubs_issue_code SET disposition = 'scrap', version = version + 1, "updateTime" = now()
                          WHERE code LIKE '${CODES}%' RETURNING *)`,
  },
  deleteAll: {
    body: { action: 'deleteAll' },
    bare: `WITH done AS (DELETE FROM ubs_issue_code WHERE code LIKE '${CODES}%' RETURNING *)`,
  },
};

/** Dry runs of 7,000 rows, against the same statements bare, taken back likewise. Rule: operating#measuring. */
export async function measureBulk(base: string, token: string, databaseUrl: string): Promise<BulkFigures> {
  await fill(databaseUrl);
  const actions: BulkFigures['actions'] = {};
  for (const [action, { body, bare }] of Object.entries(ACTIONS)) {
    // The shortest of some, in turns: a machine is not as quick at all times.
    const found = { firstMs: Infinity, ms: Infinity, bareMs: Infinity };
    for (let i = 0; i < TIMES; i++) {
      const { firstMs, ms } = await preview(base, token, body);
      const bareMs = await runBare(databaseUrl, bare);
      found.firstMs = Math.min(found.firstMs, firstMs);
      found.ms = Math.min(found.ms, ms);
      found.bareMs = Math.min(found.bareMs, bareMs);
    }
    actions[action] = found;
  }
  return { rows: ROWS, actions };
}

async function preview(base: string, token: string, body: object): Promise<{ firstMs: number; ms: number }> {
  const began = performance.now();
  const reply = await fetch(`${base}/api/ubsIssueCode/bulk.json`, {
    method: 'POST',
    headers: { token, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ ...body, matching: { query: { code: CODES } }, dryRun: true }),
  });
  let firstMs: number | undefined;
  let text = '';
  const decoder = new TextDecoder();
  for await (const part of reply.body ?? []) {
    firstMs ??= performance.now() - began;
    text += decoder.decode(part, { stream: true });
  }
  const ms = performance.now() - began;
  const last = JSON.parse(
    text
      .trimEnd()
      .split('\n\n')
      .at(-1)
      ?.replace(/^data: /, '') ?? '{}',
  ) as {
    msg: string;
    data?: { doneCount: number };
  };
  if (last.data?.doneCount !== ROWS) throw new Error(`The preview says ${last.msg || last.data?.doneCount}`);
  return { firstMs: firstMs ?? ms, ms };
}

/** With an entry of each row in the ledger. */
function runBare(databaseUrl: string, statement: string): Promise<number> {
  return withPool(databaseUrl, 1, async (pool) => {
    const client = await pool.connect();
    try {
      const began = performance.now();
      await client.query('BEGIN');
      await client.query(
        `${statement} INSERT INTO ledger ("userId", "siteId", what, module, "recordId", after, "requestId")
         SELECT 'bench', 'SZ', 'bench', 'ubsIssueCode', id::text, to_jsonb(done), 'bench' FROM done`,
      );
      await client.query('ROLLBACK');
      return performance.now() - began;
    } finally {
      client.release(true);
    }
  });
}

/** Codes that nothing uses. */
function fill(url: string): Promise<unknown> {
  return withPool(url, 1, (pool) =>
    pool.query(
      `INSERT INTO ubs_issue_code ("codeId", code, name, "nameEn", "billType", disposition)
       SELECT 1000000 + i, $1 || i, $1 || i, $1 || i, '2', 'repair' FROM generate_series(1, $2::int) AS i
           ON CONFLICT DO NOTHING`,
      [CODES, ROWS],
    ),
  );
}
