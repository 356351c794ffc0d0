import type pg from 'pg';
import { at, get, median, post, startBare, measureTimes, withPool } from './measure.ts';

export interface StationFigures {
  lookupP95Ms: number;
  submitP95Ms: number;
  changeMs: number;
  bareUpdateMs: number;
}

const UNITS = 60;
const CHANGES = 200;

/** What a station asks and submits, one SN at a time, and what one changed row costs beside a bare UPDATE over HTTP. */
export interface Station {
  /** Asks for the verdict on the i-th unit, as a scan does. */
  scan(i: number): Promise<{ ok: boolean; text: string }>;
  submit(i: number): Promise<{ ok: boolean; text: string }>;
}

/** The aging station, with units of its node. */
export function openStation(base: string, token: string, databaseUrl: string): Promise<Station> {
  return withPool(databaseUrl, 1, async (pool) => {
    const headers = { token };
    const passed = await passCode(base, headers);
    const { rows } = await pool.query<{ sn: string }>(
      `SELECT sn FROM rma_inventory WHERE "siteId" = 'SZ' AND "ivyId" = '70' ORDER BY md5(sn) LIMIT $1`,
      [UNITS],
    );
    const unit = (i: number) => ({ sn: rows[i % rows.length]?.sn ?? '', icdId: passed });
    return {
      scan: (i) => post(`${base}/api/rmaBurninBill/attemptBurnin.json`, unit(i), headers),
      submit: (i) =>
        post(
          `${base}/api/rmaBurninBill/submitBurninBill.json`,
          { rmaBurninBillLineList: [unit(i)] },
          { ...headers, 'idempotency-key': `bench-${unit(i).sn}-${Date.now()}` },
        ),
    };
  });
}

export async function measureStation(
  base: string,
  station: Station,
  admin: string,
  databaseUrl: string,
): Promise<StationFigures> {
  return {
    lookupP95Ms: at(await measureTimes(UNITS, station.scan), 0.95),
    submitP95Ms: at(await measureTimes(UNITS, station.submit), 0.95),
    ...(await withPool(databaseUrl, 2, (pool) => measureChange(base, admin, pool, databaseUrl))),
  };
}

async function passCode(base: string, headers: Record<string, string>): Promise<number> {
  const { text } = await post(`${base}/api/rmaBurninBill/loadIssueCodeList.json`, {}, headers);
  const { data } = JSON.parse(text) as { data: { issueCodeList: { codeId: number; code: string }[] } };
  const code = data.issueCodeList.find((it) => it.code === 'AT00');
  if (!code) throw new Error('The code AT00 is missing');
  return code.codeId;
}

/** The remark of a maintain bill, with its ledger row and its idempotency key, against `UPDATE … WHERE id = $1`. */
async function measureChange(base: string, token: string, pool: pg.Pool, databaseUrl: string) {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM rma_maintain_bill WHERE "createBy" = 'seed' AND "billStatus" IN ('0', '1', '3') ORDER BY id LIMIT $1`,
    [CHANGES],
  );
  const forms: Record<string, unknown>[] = [];
  for (const { id } of rows) forms.push(await readForm(base, token, id));
  const run = Date.now();
  const changes = await measureTimes(forms.length, (i) =>
    post(
      `${base}/api/rmaMaintainBill/modifyById.json`,
      { ...forms[i], remark: `run ${run}` },
      { token, 'idempotency-key': `bench-${run}-${i}` },
    ),
  );
  const bare = await startBare(databaseUrl, async (on, request) => {
    const text = `UPDATE rma_maintain_bill SET remark = $2, version = version + 1 WHERE id = $1 RETURNING id, version`;
    const values = [Number(request.url?.slice(2)), `bare ${run}`];
    return (await on.query({ name: 'update', text, values })).rows;
  });
  const updates = await measureTimes(rows.length, (i) => get(`${bare.url}?${rows[i]?.id}`));
  await bare.stop();
  return { changeMs: median(changes), bareUpdateMs: median(updates) };
}

/** What the form of a bill sends back when nothing has been typed. */
async function readForm(base: string, token: string, id: string): Promise<Record<string, unknown>> {
  const { text } = await get(`${base}/api/rmaMaintainBill/toModify.json?id=${id}`, { token });
  const { item, items } = (
    JSON.parse(text) as { data: { item: Record<string, unknown>; items: { queryName: string; readOnly?: boolean }[] } }
  ).data;
  const fields = items.filter((it) => !it.readOnly).map((it) => [it.queryName, item[it.queryName]] as const);
  return { ...Object.fromEntries(fields), id: item['id'], version: item['version'] };
}
