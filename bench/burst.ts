import type { Browser, CDPSession, Page } from '@playwright/test';
import { at, withPool } from './measure.ts';

export interface BurstFigures {
  verdictP95Ms: number;
  verdictP95OfTenMs: number;
  dropped: number;
  /** The longest task of the page meanwhile. */
  longestTaskMs: number;
  tasksOver50Ms: number;
}

const SCANS = 100;
const EVERY_MS = 50;
const LINES = 2000;

/**
 * A scanner at the delivery station, twenty codes a second whatever the page does: a hundred on a stock-up bill of 2,000
 * lines, and as many on ten bills of ten lines.
 */
export async function measureBursts(
  browser: Browser,
  base: string,
  token: string,
  databaseUrl: string,
): Promise<BurstFigures> {
  await makeBill(databaseUrl, 'BURST', LINES);
  for (let i = 0; i < SCANS / 10; i++) await makeBill(databaseUrl, `TEN${i}`, 10);
  const context = await browser.newContext({ locale: 'zh-CN', viewport: { width: 1440, height: 900 } });
  await context.addCookies([{ name: 'token', value: token, url: base }]);
  const page = await context.newPage();
  const keys = await context.newCDPSession(page);
  const small: number[] = [];
  for (let i = 0; i < SCANS / 10; i++) small.push(...(await scanBill(page, keys, base, `TEN${i}`, 10)).times);
  const { times, dropped, tasks } = await scanBill(page, keys, base, 'BURST', SCANS);
  await context.close();
  return {
    verdictP95Ms: at(times.toSorted(byNumber), 0.95),
    verdictP95OfTenMs: at(small.toSorted(byNumber), 0.95),
    dropped: dropped + SCANS - small.length,
    longestTaskMs: Math.max(0, ...tasks),
    tasksOver50Ms: tasks.length,
  };
}

const byNumber = (a: number, b: number) => a - b;

async function scanBill(page: Page, keys: CDPSession, base: string, bill: string, scans: number) {
  await page.goto(`${base}/rmaDeliverBillList/deliver?shipNo=${bill}`);
  await page.locator('input[data-scan=field]:focus').waitFor();
  await page.getByText(`SKB${bill}`).first().waitFor();
  // Somebody takes the first unit in hand.
  await page.waitForTimeout(1000);
  // A text, as tsx alters functions.
  await page.evaluate(`
    window.begun = new Map(); window.told = new Map(); window.tasks = [];
    let typed = '';
    addEventListener('keydown', ({ key, timeStamp }) => {
      if (key !== 'Enter') return void (typed += key);
      window.begun.set(typed, timeStamp);
      typed = '';
    }, true);
    new MutationObserver((changes) => {
      // Its row turns green; one that waits for its verdict so long that the list no longer draws it is dropped here.
      for (const { target, addedNodes } of changes)
        for (const row of [target, ...addedNodes]) {
          if (row.dataset?.state !== 'ok') continue;
          const sn = /${bill}N\\d{5}/.exec(row.textContent)?.[0];
          if (sn && !window.told.has(sn)) window.told.set(sn, performance.now());
        }
    }).observe(document.querySelector('main'), { subtree: true, childList: true, attributes: true, attributeFilter: ['data-state'] });
    new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map((it) => it.duration))).observe({ type: 'longtask' });`);
  const began = performance.now();
  for (let i = 0; i < scans; i++) {
    await new Promise((done) => setTimeout(done, Math.max(0, began + i * EVERY_MS - performance.now())));
    for (const letter of snOf(bill, i)) void press(keys, letter, letter.charCodeAt(0), letter);
    void press(keys, 'Enter', 13, '\r');
  }
  const latest = performance.now() + 60_000;
  while ((await page.evaluate<number>('window.told.size')) < scans && performance.now() < latest)
    await page.waitForTimeout(100);
  const delays = await page.evaluate<number[]>(
    `[...window.told].map(([sn, at]) => at - window.begun.get(sn)).filter((it) => it > 0)`,
  );
  return { times: delays, dropped: scans - delays.length, tasks: await page.evaluate<number[]>('window.tasks') };
}

function press(keys: CDPSession, key: string, windowsVirtualKeyCode: number, text: string): Promise<unknown> {
  return keys.send('Input.dispatchKeyEvent', { type: 'keyDown', key, text, windowsVirtualKeyCode });
}

const snOf = (bill: string, i: number) => `${bill}N${String(i).padStart(5, '0')}`;

/** A bill of the bulk, its unit on the shelf as often as asked: each with its item and its line of the stock-up bill. */
async function makeBill(databaseUrl: string, bill: string, lines: number): Promise<void> {
  await withPool(databaseUrl, 1, async (pool) => {
    const { rowCount } = await pool.query(`SELECT 1 FROM rma_stockup_bill WHERE "skbId" = $1`, [`SKB${bill}`]);
    if (rowCount) return;
    const { rows } = await pool.query<{ skblId: string }>(
      `SELECT l."skblId" FROM rma_stockup_bill_line AS l JOIN rma_stockup_bill AS b USING ("skbId")
         JOIN rma_inventory AS u USING (sn) WHERE b."siteId" = 'SZ' AND b.status = '0' AND b."createBy" = 'seed'
          AND u."ivyId" = '100' ORDER BY l.id LIMIT 1`,
    );
    const of = `(SELECT * FROM rma_stockup_bill_line WHERE "skblId" = '${rows[0]?.skblId}')`;
    const bills = { mtbId: `MTB${bill}`, mtblId: `MBL${bill}`, skbId: `SKB${bill}` };
    await pool.query('BEGIN');
    await copy(pool, 'rma_maintain_bill', `"mtbId" = (SELECT "mtbId" FROM ${of} AS l)`, 1, {
      ...bills,
      receiveShipNo: bill,
    });
    const counts = {
      count: lines,
      receiveCount: lines,
      deliverCount: 0,
      scrapCount: 0,
      discardCount: 0,
      buyOutCount: 0,
    };
    await copy(pool, 'rma_maintain_bill_line', `"mtblId" = (SELECT "mtblId" FROM ${of} AS l)`, 1, {
      ...bills,
      ...counts,
    });
    const item = { ...bills, mtbliId: [`MBI${bill}`], receiveSn: [`${bill}N`] };
    await copy(pool, 'rma_maintain_bill_line_item', `"mtbliId" = (SELECT "mtbliId" FROM ${of} AS l)`, lines, item);
    const unit = { ...bills, mtbliId: [`MBI${bill}`], sn: [`${bill}N`] };
    await copy(pool, 'rma_inventory', `sn = (SELECT sn FROM ${of} AS l)`, lines, unit);
    const stockup = { ...bills, status: '0', allCount: lines, deliveredCount: 0, deliverShipNo: bill };
    await copy(pool, 'rma_stockup_bill', `"skbId" = (SELECT "skbId" FROM ${of} AS l)`, 1, stockup);
    await copy(pool, 'rma_stockup_bill_line', `"skblId" = '${rows[0]?.skblId}'`, lines, {
      ...unit,
      skblId: [`SKL${bill}`],
    });
    await pool.query(
      `UPDATE rma_stockup_bill_line AS l SET "itemId" = i.id FROM rma_maintain_bill_line_item AS i
        WHERE l."skbId" = $1 AND i."mtbliId" = l."mtbliId"`,
      [bills.skbId],
    );
    // A unit without parts asks for them before it leaves.
    await pool.query(
      `INSERT INTO ubs_assembly ("deviceSn", "componentSn", "componentType", "bindTime", "createBy")
       SELECT sn, 'P' || sn, '1', now(), 'seed' FROM rma_stockup_bill_line WHERE "skbId" = $1`,
      [bills.skbId],
    );
    await pool.query('COMMIT');
  });
}

/** Copies of a row, with other values; what stands in brackets is numbered. */
async function copy(
  pool: { query(text: string, values?: unknown[]): Promise<unknown> },
  table: string,
  where: string,
  times: number,
  values: Record<string, string | number | string[]>,
): Promise<void> {
  const { rows } = (await pool.query(
    `SELECT column_name FROM information_schema.columns WHERE table_name = $1 AND column_name <> 'id'`,
    [table],
  )) as { rows: { column_name: string }[] };
  const parameters: unknown[] = [times];
  const columns = rows.map(({ column_name: it }) => {
    const value = values[it];
    if (value === undefined) return `t."${it}"`;
    parameters.push(Array.isArray(value) ? value[0] : value);
    const given = `$${parameters.length}`;
    return Array.isArray(value)
      ? `${given}::text || lpad(n::text, 5, '0')`
      : typeof value === 'number'
        ? `${given}::int`
        : `${given}::text`;
  });
  await pool.query(
    `INSERT INTO ${table} (${rows.map((it) => `"${it.column_name}"`).join(', ')})
     SELECT ${columns.join(', ')} FROM ${table} AS t, generate_series(0, $1::int - 1) AS n WHERE ${where}`,
    parameters,
  );
}
