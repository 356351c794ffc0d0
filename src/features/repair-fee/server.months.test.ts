import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Node } from '#domain/nodes.ts';
import { randomFrom } from '#server/demo/random.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import { maintainBill, repairSuppliers, unitOnBill, type Bill, type UnitOnBill } from '#tests/support/factories.ts';
import { at, delivered, happened } from '#tests/support/history.ts';
import { generateFee } from './contract.ts';

/**
 * Random months of a site, settled by the call and reckoned again here from the plain rows, to the cent, in whole millionths.
 * The reckoning shares nothing with the product's.
 */
const MONTHS = 20;
const UNITS = 24;
const random = randomFrom(20_260_701);
const { int, chance, pick } = random;
const two = (n: number) => String(n).padStart(2, '0');
const months = Array.from({ length: MONTHS }, (_, i) => `${2024 + Math.floor(i / 12)}-${two((i % 12) + 1)}`);
const lastDay = (month: string) => new Date(Date.UTC(+month.slice(0, 4), +month.slice(5), 0)).getUTCDate();
const families = ['M', 'M2', 'M20'];

let testApp: TestApp;
beforeAll(async () => {
  testApp = await startTestApp();
  const { db } = testApp;
  await repairSuppliers(db, 'S', 'T');
  await db
    .insertInto('ubs_model_family')
    .values(families.map((family) => ({ family })))
    .execute();
  const item = { type: '0', snControl: '1' };
  await db
    .insertInto('ubs_item')
    .values([
      ...families.map((family, i) => ({
        ...item,
        itemId: 800 + i,
        salesCode: `C-${family}`,
        name: `${family} x`,
        family,
      })),
      { ...item, itemId: 810, salesCode: 'C-NONE', name: 'M2 x', family: null },
    ])
    .execute();
  await addPrices();
  for (const month of months) await addMonth(month);
});
afterAll(() => testApp?.close());

/** For each kind of work, prices whose days meet, overlap or leave a gap. */
async function addPrices() {
  const rows = [];
  for (const machineType of families)
    for (const repairProject of ['1', '2', '5', '6'])
      for (const warranty of ['0', '1', '2'])
        for (const repairType of ['1', '2'])
          for (let month = int(-3, 2); month < MONTHS;) {
            const length = int(3, 12);
            const from = new Date(Date.UTC(2024, month, int(1, 28))).toISOString().slice(0, 10);
            const to = new Date(Date.UTC(2024, month + length, int(-20, 20))).toISOString().slice(0, 10);
            rows.push({
              prbId: `P${rows.length}`,
              siteId: chance(0.9) ? 'SZ' : 'NB',
              billStatus: chance(0.9) ? '2' : pick(['0', '1', '3']),
              settleCompany: 'C',
              supplierName: pick(['S', 'T']),
              currency: chance(0.6) ? 'CNY' : 'USD',
              unitPriceWithTax: `${int(0, 900)}.${random.digits(int(1, 4))}`,
              taxRate: pick(['0', '3', '6', '13', '9.75']),
              ...{ machineType, repairProject, warranty, repairType, effectiveDate: from, expirationDate: to },
            });
            month += length + int(-1, 1);
          }
  await testApp.db.insertInto('rma_price_bill').values(rows).execute();
}

const sent: { sn: string; salesCode: string; when: number; bill: Bill }[] = [];
/** What was done for each item, wherever that stands by now. */
const work: { mtbliId: string; repairType?: string; isNoFault?: boolean }[] = [];
const moment = (ms: number) => new Date(ms).toISOString();
async function addMonth(month: string) {
  const { db } = testApp;
  for (let i = 0; i < UNITS; i++) {
    const left = Date.parse(at(`${month}-${two(int(1, lastDay(month)))} ${pick(['00:10', '09:00', '23:50'])}`));
    const received = left - int(1, 20) * 86_400_000;
    const former = chance(0.3) ? sent.filter((it) => it.when < received)[int(0, sent.length - 1)] : undefined;
    if (former) await db.deleteFrom('rma_inventory').where('sn', '=', former.sn).execute();
    const salesCode = former?.salesCode ?? pick(['C-M', 'C-M2', 'C-M2', 'C-M20', 'C-NONE', 'C-UNKNOWN']);
    const isScrap = chance(0.15);
    const unit = await unitOnBill(db, {
      node: isScrap ? Node.Scrapped : Node.Shipped,
      siteId: chance(0.95) ? 'SZ' : 'NB',
      salesCode,
      ...(former && { sn: former.sn }),
      // It comes again while its bill is still open for receiving.
      ...(former && chance(0.3) && { bill: former.bill }),
      item: { receiveTime: moment(received), warranty: pick(['0', '1', '1', '2']) },
    });
    if (chance(0.3))
      await db.updateTable('rma_maintain_bill_line').set({ type: '1' }).where('mtblId', '=', unit.mtblId).execute();
    for (const repairType of [[], ['1'], ['2'], ['1', '2']][int(0, 3)] ?? []) await addRepair(unit, repairType);
    if (chance(0.2)) await addCheck(unit);
    const bill = chance(0.3) ? await moveAway(unit) : unit;
    if (isScrap) {
      const operateStatus = chance(0.9) ? 'Normal' : 'Rollbacked';
      await happened(db, { ...unit, ...bill }, [
        ['scrapConfirm', moment(left), { fromNode: '10', toNode: '40', operateStatus }],
      ]);
    } else {
      await delivered(db, { ...unit, ...bill }, moment(left));
      sent.push({ sn: unit.sn, salesCode, when: left, bill });
    }
  }
  for (let i = int(0, 4); i > 0; i--) await addExpense(month);
}

let made = 0;
async function addRepair(unit: UnitOnBill, repairType: string) {
  const [rpbId, isReturned] = [`R${++made}`, chance(0.2)];
  const { mtbId, mtbliId, siteId, sn } = unit;
  await testApp.db
    .insertInto('rma_repair_bill')
    .values({ rpbId, mtbId, mtbliId, siteId, sn, userId: 'tech', repairType })
    .execute();
  const operateStatus = isReturned ? 'Rollbacked' : 'Normal';
  await happened(testApp.db, unit, [['repair', '2023-12-01', { billId: rpbId, operateStatus }]]);
  if (!isReturned) work.push({ mtbliId, repairType });
}
/** The item goes on on another bill of its customer. */
async function moveAway({ mtbliId, siteId }: UnitOnBill): Promise<Bill> {
  const bill = await maintainBill(testApp.db, { siteId });
  const { mtbId } = bill;
  await testApp.db.updateTable('rma_maintain_bill_line_item').set({ mtbId }).where('mtbliId', '=', mtbliId).execute();
  return bill;
}
async function addCheck({ mtbId, mtbliId, siteId, sn }: UnitOnBill) {
  const ckbId = `K${++made}`;
  await testApp.db.insertInto('rma_check_bill').values({ ckbId, mtbId, siteId, userId: 'tech' }).execute();
  const line = { ckbId, sn, mtbliId, disposition: 'nofault', nofaultConfirmStatus: pick(['1', '1', '2']) };
  work.push({ mtbliId, isNoFault: line.nofaultConfirmStatus === '1' });
  await testApp.db.insertInto('rma_check_bill_line').values(line).execute();
}
async function addExpense(month: string) {
  const [gross, tax] = [int(1, 99_999), int(0, 1)];
  await testApp.db
    .insertInto('rma_miscellaneous_expenses_bill')
    .values({
      mebId: `M${++made}`,
      siteId: chance(0.9) ? 'SZ' : 'NB',
      billStatus: chance(0.85) ? '2' : '1',
      correspondsWorkOrder: '0',
      currency: chance(0.5) ? 'CNY' : 'USD',
      taxRate: '6',
      includingTaxAmount: inCents(BigInt(gross)),
      excludingTaxAmount: inCents(BigInt(gross - tax)),
      taxAmount: inCents(BigInt(tax)),
      auditTime: at(`${month}-${two(pick([1, lastDay(month)]))} ${pick(['00:01', '23:59'])}`),
    })
    .execute();
}

const micro = (text: string) => {
  const [whole = '0', rest = ''] = text.split('.');
  return BigInt(whole) * 1_000_000n + BigInt(rest.padEnd(6, '0').slice(0, 6));
};
const halfUp = (of: bigint, by: bigint) => (2n * of + by) / (2n * by);
const inCents = (cents: bigint) => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
const inShanghai = (date: Date) => moment(date.getTime() + 8 * 3_600_000);

type Text = Record<string, string | null>;
const readAll = async (table: string) =>
  (await sql<Text & { id: number }>`SELECT * FROM ${sql.table(table)} WHERE true ORDER BY id`.execute(testApp.db)).rows;
const dated = (row: object, name: string) => new Date((row as Record<string, string | number>)[name] ?? NaN);

interface FeeBill {
  lines: string[];
  net: bigint;
  tax: bigint;
  gross: bigint;
}
const add = (bills: Map<string, FeeBill>, party: string, what: string, amounts: { net: bigint; gross: bigint }) => {
  const bill = bills.get(party) ?? { lines: [], net: 0n, tax: 0n, gross: 0n };
  const tax = amounts.gross - amounts.net;
  bill.lines.push([what, inCents(amounts.net), inCents(tax), inCents(amounts.gross)].join(' '));
  bills.set(party, {
    lines: bill.lines.sort(),
    net: bill.net + amounts.net,
    tax: bill.tax + tax,
    gross: bill.gross + amounts.gross,
  });
};

/** What the rules say that the site owes for a month. */
async function reckon(month: string): Promise<Map<string, FeeBill>> {
  const items = (await readAll('rma_maintain_bill_line_item')).filter((it) => it['siteId'] === 'SZ');
  const lines = new Map((await readAll('rma_maintain_bill_line')).map((it) => [it['mtblId'], it]));
  const familyOf = new Map((await readAll('ubs_item')).map((it) => [it['salesCode'], it['family']]));
  const events = (await readAll('rma_transaction')).filter((it) => it['operateStatus'] === 'Normal');
  const { rows: prices } = await sql<Text>`
    SELECT "prbId", "siteId", "billStatus", "supplierName", currency, "machineType", "repairProject", warranty, "repairType",
           "unitPriceWithTax"::text, "taxRate"::text, "effectiveDate"::text, "expirationDate"::text
      FROM rma_price_bill WHERE "siteId" = 'SZ' AND "billStatus" = '2'`.execute(testApp.db);
  const { rows: expenses } = await sql<Text & { auditTime: never }>`
    SELECT *, "includingTaxAmount"::text AS gross, "excludingTaxAmount"::text AS net
      FROM rma_miscellaneous_expenses_bill WHERE "siteId" = 'SZ' AND "billStatus" = '2'`.execute(testApp.db);
  const bills = new Map<string, FeeBill>();
  for (const item of items) {
    const { mtbId, mtbliId, receiveSn: sn } = item;
    const isScrap = item['deliverStatus'] === '3';
    const scrapping = events.findLast(
      (it) => it['mtbId'] === mtbId && it['mtbliId'] === mtbliId && it['step'] === 'scrapConfirm',
    );
    const done = isScrap ? (scrapping ? dated(scrapping, 'eventTime') : null) : dated(item, 'deliverTime');
    if (!done || !inShanghai(done).startsWith(month)) continue;
    const day = inShanghai(done).slice(0, 10);
    const line = lines.get(item['mtblId']);
    const its = work.filter((it) => it.mtbliId === mtbliId);
    const isNoFault = its.findLast((it) => it.isNoFault !== undefined)?.isNoFault;
    const project = isScrap ? '6' : isNoFault ? '5' : line?.['type'] === '1' ? '2' : '1';
    const repair = its.findLast((it) => it.repairType);
    const family = familyOf.get(line?.['salesCode']) ?? null;
    const holding = prices.filter(
      (it) =>
        it['machineType'] === family &&
        it['repairProject'] === project &&
        it['warranty'] === item['warranty'] &&
        it['repairType'] === (repair?.repairType ?? '2') &&
        String(it['effectiveDate']) <= day &&
        day <= String(it['expirationDate']),
    );
    const [price] = holding.length === 1 ? holding : [];
    const received = dated(item, 'receiveTime').getTime();
    const isSecond = items.some((it) => {
      const before = it['deliverStatus'] === '2' ? dated(it, 'deliverTime').getTime() : 0;
      return it['deliverSn'] === sn && before < received && before >= received - 90 * 86_400_000;
    });
    const reason = isSecond ? '2' : price ? '1' : family === null ? '3' : holding.length > 1 ? '5' : '4';
    const gross = price && !isSecond ? halfUp(micro(String(price['unitPriceWithTax'])), 10_000n) : 0n;
    const net = halfUp(gross * 100_000_000n, 100_000_000n + micro(price?.['taxRate'] ?? '0'));
    const party = `${price?.['supplierName'] ?? '-'} ${price?.['currency'] ?? '-'}`;
    add(bills, party, `${mtbId} ${sn} ${project} ${price?.['prbId'] ?? '-'} ${reason} ${day}`, { net, gross });
  }
  const ofUnits = [...bills.keys()];
  for (const it of expenses) {
    if (!inShanghai(dated(it, 'auditTime')).startsWith(month)) continue;
    const paid = ofUnits.filter((party) => !party.startsWith('-') && party.endsWith(` ${it['currency']}`));
    const party = paid.length === 1 ? String(paid[0]) : `- ${it['currency']}`;
    const cents = (text: unknown) => micro(String(text)) / 10_000n;
    add(bills, party, `${it['mebId']} expense`, { net: cents(it['net']), gross: cents(it['gross']) });
  }
  return bills;
}

/** What the product wrote down. */
async function read(month: string) {
  const { rows } = await sql<Text>`
    SELECT "rfbId", coalesce("supplierName", '-') || ' ' || coalesce(currency, '-') AS party, "lineCount"::text,
           round("excludingTaxAmount", 2)::text AS net, round("taxAmount", 2)::text AS tax,
           round("includingTaxAmount", 2)::text AS gross
      FROM rma_repair_fee_bill WHERE "siteId" = 'SZ' AND "recPeriod" = ${month}`.execute(testApp.db);
  const bills = new Map<string, unknown>();
  const currencies = new Map<string, string>();
  for (const { rfbId, party, net, tax, gross } of rows) {
    const lines = await sql<Text>`
      SELECT "mtbId", sn, "repairProject", coalesce("prbId", '-') AS "prbId", "priceReason", "settledOn"::text AS day, remark,
             coalesce(currency, '-') AS currency, round("excludingTaxAmount", 2)::text AS net,
             round("taxAmount", 2)::text AS tax, round("includingTaxAmount", 2)::text AS gross
        FROM rma_repair_fee_bill_line WHERE "rfbId" = ${rfbId}`.execute(testApp.db);
    const told = lines.rows.map((it) =>
      [
        it['priceReason'] === '6'
          ? `${it['remark']} expense`
          : [it['mtbId'], it['sn'], it['repairProject'], it['prbId'], it['priceReason'], it['day']].join(' '),
        ...[it['net'], it['tax'], it['gross']],
      ].join(' '),
    );
    expect(bills.has(String(party)), `two bills of ${party}`).toBe(false);
    bills.set(String(party), { lines: told.sort(), net, tax, gross });
    currencies.set(String(party), [...new Set(lines.rows.map((it) => it['currency']))].join());
  }
  return { bills, currencies };
}

it(`settles ${MONTHS} random months as they are reckoned from the rows, each bill in one currency`, async () => {
  const seen = new Set<string>();
  let lines = 0;
  for (const month of months) {
    const range = { recPeriod: month, startDate: `${month}-01`, endDate: `${month}-${lastDay(month)}` };
    await testApp.db.deleteFrom('job').execute();
    const answer = await testApp.send(generateFee, range, { as: 'office' });
    expect(answer.code, `${month} ${answer.msg}`).toBe('000000');
    const wanted = await reckon(month);
    const { bills, currencies } = await read(month);
    const told = [...wanted].map(([party, { lines, net, tax, gross }]) => [
      party,
      { lines, net: inCents(net), tax: inCents(tax), gross: inCents(gross) },
    ]);
    expect(Object.fromEntries(bills), month).toEqual(Object.fromEntries(told));
    for (const [party, of] of currencies) expect(party.endsWith(` ${of}`), `${month} ${party}: ${of}`).toBe(true);
    for (const [party, bill] of wanted) {
      seen.add(`party ${party}`);
      lines += bill.lines.length;
      for (const it of bill.lines)
        seen.add(it.includes('expense') ? 'expense' : it.split(' ').slice(2, 6).join(' ').replace(/P\d+/, 'P'));
    }
  }
  // The months were not empty talk: every party, every project and every reason occurred.
  for (const party of ['S CNY', 'S USD', 'T CNY', 'T USD', '- -', '- CNY', '- USD'])
    expect(seen).toContain(`party ${party}`);
  for (const project of ['1', '2', '5', '6'])
    expect([...seen].some((it) => it.startsWith(`${project} P 1`))).toBe(true);
  for (const reason of ['2', '3', '4', '5']) expect([...seen].some((it) => it.split(' ')[2] === reason)).toBe(true);
  expect(lines).toBeGreaterThan(400);
});
