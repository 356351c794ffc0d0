import { at, get, post, withPool } from './measure.ts';

export interface TransferFigures {
  /** Of both stations, by how many SNs the transfer has. */
  deliverCheckP95Ms: number;
  deliverCheckP95OfTenMs: number;
  receiveCheckP95Ms: number;
  receiveCheckP95OfTenMs: number;
  deliverSubmitMs: number;
  receiveSubmitMs: number;
}

const MANY = 2000;
const FEW = 10;
/** Scans of each transfer: they take turns, so that both have the same machine. */
const SCANS = 200;
const BILLS = 'api/rmaStockTransferBill';

interface Transfer {
  sktbId: string;
  sktblId: string;
  line: Record<'salesCode' | 'itemType' | 'storageType', string>;
  sns: string[];
}

/** A transfer of as many units as one takes against one of ten: the verdict on a scan at both its stations, and the submits. */
export async function measureTransfer(
  base: string,
  { sender, receiver }: { sender: string; receiver: string },
  databaseUrl: string,
): Promise<TransferFigures> {
  const call = async (token: string, path: string, body: unknown): Promise<Record<string, unknown>> => {
    const headers = { token, 'idempotency-key': `bench-${path}-${Date.now()}-${Math.random()}` };
    const { text } = await post(`${base}/${BILLS}/${path}.json`, body, headers);
    const { code, msg, data } = JSON.parse(text) as { code: string; msg: string; data: Record<string, unknown> };
    if (code !== '000000') throw new Error(`${path}: ${msg}`);
    return data;
  };
  const made = async (count: number): Promise<Transfer> => {
    const { salesCode, itemType, sns } = await stockOf(databaseUrl, count);
    const line = { salesCode, itemType, storageType: '0' };
    const { sktbId } = await call(sender, 'initiate', {
      ...{ deliverSiteId: 'SZ', receiveSiteId: 'NB', remark: null },
      rmaStockTransferLineRequestList: [{ ...line, count }],
    });
    const { text } = await get(`${base}/${BILLS}/loadTransfer.json?sktbId=${String(sktbId)}`, { token: sender });
    const { data } = JSON.parse(text) as { data: { rmaStockTransferBillLineList: { sktblId: string }[] } };
    const sktblId = data.rmaStockTransferBillLineList[0]?.sktblId ?? '';
    return { sktbId: String(sktbId), sktblId, line, sns };
  };
  const [many, few] = [await made(MANY), await made(FEW)];
  const onShelf = await inTurns([many, few], async ({ sns, line }, i) => {
    const sn = sns[i % sns.length] ?? '';
    const query = new URLSearchParams({ sn, siteId: 'SZ', ...line });
    return get(`${base}/${BILLS}/querySnInfo.json?${query.toString()}`, { token: sender });
  });
  const deliver = ({ sktbId, sktblId, sns }: Transfer) =>
    call(sender, 'deliverAccept', { sktbId, deliverSiteId: 'SZ', lineList: [{ sktblId, snList: sns }] });
  const deliverSubmitMs = await timeOf(() => deliver(many));
  await deliver(few);
  const arriving = await inTurns([many, few], ({ sktbId, sns }, i) =>
    post(`${base}/${BILLS}/attemptReceiverAccept.json`, { sktbId, sn: sns[i % sns.length] }, { token: receiver }),
  );
  const { rows } = await withPool(databaseUrl, 1, (pool) =>
    pool.query<{ id: string }>(`SELECT id FROM rma_stock_transfer_bill_line_item WHERE "sktbId" = $1`, [many.sktbId]),
  );
  const idList = rows.map((it) => Number(it.id));
  const receiveSubmitMs = await timeOf(() =>
    call(receiver, 'receiverAccept', { sktbId: many.sktbId, receiveSiteId: 'NB', idList }),
  );
  const [manyOut = [], fewOut = []] = onShelf;
  const [manyIn = [], fewIn = []] = arriving;
  return {
    deliverCheckP95Ms: at(manyOut, 0.95),
    deliverCheckP95OfTenMs: at(fewOut, 0.95),
    receiveCheckP95Ms: at(manyIn, 0.95),
    receiveCheckP95OfTenMs: at(fewIn, 0.95),
    deliverSubmitMs,
    receiveSubmitMs,
  };
}

/** Who signs for transfers at the other site: the demo has nobody for that. */
export const RECEIVER = 'benchNB';
export async function addReceiver(databaseUrl: string): Promise<void> {
  await withPool(databaseUrl, 1, (pool) =>
    pool.query(
      `INSERT INTO admin_user ("userId", "userName", password, "roleIds", "siteId", "allSites", status)
       SELECT $1, $1, password, "roleIds", 'NB', '0', '1' FROM admin_user
        WHERE "userId" = 'warehouse' AND NOT EXISTS (SELECT 1 FROM admin_user WHERE "userId" = $1)`,
      [RECEIVER],
    ),
  );
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Asks for each of them in turn; gives the sorted times of each. */
async function inTurns(
  transfers: readonly Transfer[],
  ask: (transfer: Transfer, i: number) => Promise<{ ok: boolean; text: string }>,
): Promise<number[][]> {
  const times = transfers.map((): number[] => []);
  for (let i = 0; i < SCANS; i++) {
    for (const [k, transfer] of transfers.entries()) {
      const began = performance.now();
      const { text } = await ask(transfer, i);
      times[k]?.push(performance.now() - began);
      if (!text.includes('"000000"')) throw new Error(`A scan was refused: ${text}`);
    }
  }
  return times.map((it) => it.sort((a, b) => a - b));
}

/** So many machines of the site's own stock, of one model, where a bulk of bills has them: they are taken off theirs. */
function stockOf(databaseUrl: string, count: number): Promise<{ salesCode: string; itemType: string; sns: string[] }> {
  return withPool(databaseUrl, 1, async (pool) => {
    const { rows } = await pool.query<{ sn: string; salesCode: string; itemType: string }>(
      `WITH model AS (SELECT "salesCode" FROM rma_inventory WHERE "siteId" = 'SZ' AND "ivyId" = '900'
                       GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1),
            picked AS (SELECT sn FROM rma_inventory JOIN model USING ("salesCode")
                        WHERE "siteId" = 'SZ' AND "ivyId" = '900' ORDER BY md5(sn) LIMIT $1)
       UPDATE rma_inventory AS u
          SET "ivyId" = '100', "mtbId" = NULL, "mtblId" = NULL, "mtbliId" = NULL, "subinventoryCode" = 'FG', "storageType" = '0'
         FROM picked, ubs_item AS i WHERE u.sn = picked.sn AND i."salesCode" = u."salesCode"
       RETURNING u.sn, u."salesCode", coalesce(i."itemType", '0') AS "itemType"`,
      [count],
    );
    if (rows.length < count) throw new Error(`Only ${rows.length} machines are there to be sent`);
    const { salesCode = '', itemType = '0' } = rows[0] ?? {};
    return { salesCode, itemType, sns: rows.map((it) => it.sn) };
  });
}
