import { sql } from 'kysely';
import type { Right } from '#domain/call.ts';
import { digitsOf, lessMoney, sumMoney } from '#domain/money.ts';
import { Refusal } from '#domain/refusal.ts';
import { CorrectionStatus } from '#domain/review.ts';
import type { Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import { nameIn } from '#server/engine/describe.ts';
import { atOneMoment } from '#server/exports/cursor.ts';
import { fileName } from '#server/exports/exportRows.ts';
import { smallWorkbook, type SmallSheet } from '#server/exports/workbook.ts';
import { jobHandler } from '#server/jobs/job.ts';
import { startJob } from '#server/jobs/start.ts';
import { noFees, sumFees, type FeeSum, type FeeSums } from '#server/reports/feeSums.ts';
import {
  commonColumns,
  count,
  day,
  decimal,
  money,
  option,
  text,
  type Column,
  type Row,
} from '#server/reports/report.ts';
import { createCellMapper, sheetColumn } from '#server/reports/write.ts';
import { openFileStore, newFileId } from '#server/uploads/fileStore.ts';
import { forgetFiles } from '#server/uploads/forgetFiles.ts';
import { supplierName } from './queries.why.ts';

export const FEE_REPORT_JOB = 'feeReport';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

interface FeeReportJob {
  rfbIds: string[];
  /** As which the bills are to be read, so that it is another job than one that may have read them before. */
  versions?: number[];
}

/** One job makes the workbooks of all bills, as one user may have only so many jobs waiting. */
export async function startReport(
  items: readonly { rfbId: string }[],
  recPeriod: string,
  right: Right,
  ctx: Context,
): Promise<number> {
  const rfbIds = items.map((it) => it.rfbId);
  const bills = ctx.db.selectFrom('rma_repair_fee_bill').select('version').where('rfbId', '=', anyOf(rfbIds));
  const versions = (await bills.orderBy('id').execute()).map((it) => Number(it.version));
  const input: FeeReportJob = { rfbIds, versions };
  const [only = '', ...others] = input.rfbIds;
  const of = others.length > 0 ? recPeriod : only;
  return startJob(ctx, { kind: FEE_REPORT_JOB, title: titleOf(of, ctx), module: 'rmaRepairFeeBill', right, input });
}

interface LastReport {
  id: number;
  state: string;
  /** The work of the bill became another one after it was ordered: what it makes is not kept. */
  isOutdated: boolean;
}

/** The job that is to make the workbook of this bill: the last one that was ordered, whoever has. */
async function lastReport({ db }: Context, rfbId: string): Promise<LastReport | undefined> {
  const { rows } = await sql<LastReport>`
    SELECT id::int AS id, state,
           EXISTS (SELECT 1 FROM rma_repair_fee_bill AS h
                    WHERE h."rfbId" = ${rfbId} AND h."workChangedTime" >= job."createdAt") AS "isOutdated"
      FROM job
     WHERE kind = ${FEE_REPORT_JOB} AND input @> ${JSON.stringify({ rfbIds: [rfbId] })}::jsonb
     ORDER BY id DESC LIMIT 1`.execute(db);
  return rows[0];
}

/** The job that is to make the workbook of this bill as its work is by now, while it waits or runs. */
export async function openReport(ctx: Context, rfbId: string): Promise<number | undefined> {
  const last = await lastReport(ctx, rfbId);
  return last && !last.isOutdated && ['queued', 'running'].includes(last.state) ? last.id : undefined;
}

const titleOf = (of: string, { lang }: Pick<Context, 'lang'>): string =>
  lang === 'zh' ? `加工费报表 ${of}` : `Processing fee report ${of}`;

const ofBill = [
  text('rfbId', '费用单号', 'Repair-fee bill'),
  text('recPeriod', '对账月份', 'Reconciliation month'),
  text('supplierName', '供应商', 'Supplier'),
];
const amounts = [
  money('unitPriceWithoutTax', '未税单价', 'Unit price excl. tax'),
  money('unitPrice', '含税单价', 'Unit price incl. tax'),
  decimal('taxRate', '税率 (%)', 'Tax rate (%)'),
  money('excludingTaxAmount', '未税金额', 'Amount excl. tax'),
  money('taxAmount', '税额', 'Tax amount'),
  money('includingTaxAmount', '合计', 'Total'),
  option('currency', '币种', 'Currency', 'currencies'),
];
const feeColumns: readonly Column[] = [
  ...ofBill,
  ...commonColumns,
  text('modelAbbreviation', '机型', 'Machine type'),
  option('repairProject', '维修项目', 'Repair project', 'repairProjects'),
  option('repairType', '维修类型', 'Repair type', 'repairType'),
  option('isSecondRepair', '二次维修', 'Second repair', 'yesNo'),
  option('isPriced', '有价格', 'Priced', 'yesNo'),
  day('deliverTime', '发货时间', 'Delivered on'),
  count('quantity', '数量', 'Quantity'),
  ...amounts,
];
const expenseColumns: readonly Column[] = [
  ...ofBill,
  text('remark', '杂费单号', 'Expense bill'),
  text('btmMtbId', '官网工单号', 'Website work order'),
  text('salesCode', '销售编码', 'Sales code'),
  text('sn', 'SN', 'SN'),
  option('feeType', '费用类型', 'Fee type', 'feeTypes'),
  ...amounts,
];
const words = {
  subtotal: { zh: '小计', en: 'Subtotal' },
  total: { zh: '总计', en: 'Grand total' },
  bill: { zh: '本单费用', en: 'This bill' },
  both: { zh: '费用与更正合计', en: 'Bill and corrections' },
};
const correctionColumns: readonly Column[] = [
  ...ofBill,
  text('crbId', '更正单号', 'Correction bill'),
  text('correctedId', '被更正费用单', 'Corrected bill'),
  text('sn', 'SN', 'SN'),
  text('settledFor', '原费用内容', 'Settled for'),
  money('settledAmount', '原含税金额', 'Settled amount'),
  decimal('taxRate', '税率 (%)', 'Tax rate (%)'),
  money('excludingTaxAmount', '未税金额', 'Amount excl. tax'),
  money('taxAmount', '税额', 'Tax amount'),
  money('includingTaxAmount', '合计', 'Total'),
  option('currency', '币种', 'Currency', 'currencies'),
  text('reason', '更正原因', 'Reason'),
];
const sheets = {
  fees: { zh: '加工费', en: 'Processing fees' },
  expenses: { zh: '杂费', en: 'Expenses' },
  corrections: { zh: '更正', en: 'Corrections' },
};

/**
 * The workbook of each bill that was made together: its units with a subtotal for each project, its expenses, and what was
 * corrected until its month of bills of the same supplier and currency and stands in no earlier workbook; kept as long as the
 * bill, in each language. The job's own file has the sheets of them all, in that of who has asked. Rule: money#fee-workbook.
 */
export const feeReportJob = jobHandler<FeeReportJob>(async ({ rfbIds }, job) => {
  const { ctx } = job;
  const store = openFileStore(ctx.config);
  const made: Workbook[] = [];
  const all: SmallSheet[] = [];
  let rows = 0;
  const ids: string[] = [];
  try {
    for (const rfbId of await standing(ctx, rfbIds)) {
      const files: Workbook['files'] = [];
      const crbIds = await openCorrections(ctx, rfbId);
      const bill = await readBill(ctx, rfbId, crbIds);
      // It has gone meanwhile.
      if (!bill) continue;
      for (const lang of ['zh', 'en'] as const) {
        const reader = { ...ctx, lang };
        const own = sheetsOf(bill[lang], reader);
        const bytes = Buffer.from(await smallWorkbook(own, ctx.config.timeZone));
        const id = newFileId();
        ids.push(id);
        await store.put(id, bytes);
        files.push({ id, size: bytes.length, name: fileName(titleOf(rfbId, reader), ctx) });
        if (lang !== ctx.lang) continue;
        all.push(...own.map((it) => (rfbIds.length > 1 ? { ...it, name: `${rfbId} ${it.name}` } : it)));
        rows += bill[lang].lines.length;
      }
      const { id, handedIn, changed } = bill;
      made.push({ rfbId, id, handedIn, changed, files, crbIds });
    }
    const what = { zh: '维修费用单', en: 'The repair-fee bill' };
    if (made.length === 0) throw new Refusal({ key: 'notFound', args: { what, value: rfbIds.join() } });
    const download = await job.openFile(fileName(job.title, ctx));
    download.stream.end(Buffer.from(await smallWorkbook(all, ctx.config.timeZone)));
    return await job.finish(async (of) => {
      await hold(made, of);
      for (const it of made) await keep(it, of, job.id);
      return { rows };
    });
  } finally {
    // What is no bill's; it is asked for, as the answer to a commit may be lost. Where nobody answers, all stays.
    const files = ctx.db.selectFrom('file').select('id').where('id', '=', anyOf(ids));
    const kept = await files.execute().catch(() => undefined);
    const unused = kept ? ids.filter((id) => !kept.some((it) => it.id === id)) : [];
    await Promise.all(unused.map((id) => store.remove(id)));
  }
});

/** All bills and corrections at once, in the order in which everybody else holds them: another workbook may be to have some of them. */
async function hold(made: readonly Workbook[], { db }: Context): Promise<void> {
  const ids = made.map((it) => it.id);
  await sql`SELECT 1 FROM rma_repair_fee_bill WHERE id = ANY(${ids}) ORDER BY id FOR NO KEY UPDATE`.execute(db);
  const crbIds = made.flatMap((it) => it.crbIds);
  await sql`SELECT 1 FROM rma_correction_bill WHERE "crbId" = ANY(${crbIds}) ORDER BY id FOR NO KEY UPDATE`.execute(db);
}

/** Those of these bills that are still there: one may be deleted or made anew under another number while the job waits. */
async function standing({ db }: Context, rfbIds: readonly string[]): Promise<string[]> {
  const bills = db.selectFrom('rma_repair_fee_bill').select('rfbId').where('rfbId', '=', anyOf(rfbIds));
  const found = new Set((await bills.execute()).map((it) => it.rfbId));
  return rfbIds.filter((it) => found.has(it));
}

interface Workbook {
  rfbId: string;
  id: number;
  /** When what stands in it was handed in or made anew. */
  handedIn: string;
  /** When its work became another one. */
  changed: string | null;
  /** In Chinese, and the same in English. */
  files: { id: string; size: number; name: string }[];
  /** The corrections that stand in it. */
  crbIds: string[];
}

/**
 * The workbook stands with its bill, and whoever sees the bill may read it. It says what the bill says already, so that the
 * bill is no other one than whoever reviews it has seen. Of a bill that was handed in or made anew since it was read, the later
 * job makes it; of one whose work is another one since, its site makes it again. If that job was deleted with its account, this
 * one fails and is retried.
 * @throws Error where the bill was handed in or made anew, and nobody else makes its workbook.
 */
async function keep({ rfbId, handedIn, changed, files, crbIds }: Workbook, ctx: Context, jobId: number): Promise<void> {
  const { db, currentUser } = ctx;
  const bills = db.selectFrom('rma_repair_fee_bill').where('rfbId', '=', rfbId);
  // Whoever changes it holds it until his job is there.
  const bill = await bills.select(['siteId', 'processingFeeReportUrl', handedInSql, changedSql]).executeTakeFirst();
  if (!bill || ((await lastReport(ctx, rfbId))?.id ?? 0) > jobId) return;
  if (bill.handedIn !== handedIn) {
    if (bill.processingFeeReportUrl) return;
    throw new Error(`${rfbId} was handed in or made anew while its workbook was made`);
  }
  // The site makes that of the work as it is, before finance passes the bill.
  if (bill.changed !== changed) return;
  await claimCorrections(ctx, rfbId, crbIds);
  const [chinese, english] = files;
  // One that an earlier job had made.
  await forgetFiles(ctx, 'rmaRepairFeeBill', [{ siteId: bill.siteId, fields: [bill.processingFeeReportUrl] }]);
  await db
    .updateTable('rma_repair_fee_bill')
    .set({ processingFeeReportUrl: `/file/${chinese?.id}.xlsx` })
    .where('rfbId', '=', rfbId)
    .execute();
  const of = { siteId: bill.siteId ?? currentUser.siteId, createBy: currentUser.userId };
  const rows = files.map((it) => ({
    ...{ ...it, ...of, kind: 'paper', mime: XLSX, right: 'rmaRepairFeeBill:list' },
    englishId: it === chinese ? (english?.id ?? null) : null,
  }));
  await db.insertInto('file').values(rows).execute();
}

/** Reviews and confirmed prices change nothing that the workbook says; its version tells of them as well. */
const handedInSql = sql<string>`concat_ws(' ', "createTime", "resubmitTime")`.as('handedIn');
const changedSql = sql<string | null>`"workChangedTime"::text`.as('changed');

interface Bill {
  lines: Row[];
  /** What the bill itself says, which stands beside its sums as well. */
  facts: Row;
  sums: FeeSums;
  /** What was settled by corrections and stands in its workbook. */
  corrections: Row[];
}

function sheetsOf({ lines, facts, sums, corrections }: Bill, ctx: Context): SmallSheet[] {
  const { projects, repairs, expenses } = sums;
  const linesOf = (project: string | null) => lines.filter((it) => it['repairProject'] === project);
  const sumRow = (sum: FeeSum, word: keyof typeof words, at = 'site'): Row => ({
    ...facts,
    ...sumOf(sum, facts['currency']),
    [at]: words[word][ctx.lang],
  });
  const subtotals = projects.flatMap((it) => [...linesOf(it.repairProject), sumRow(it, 'subtotal')]);
  const fees = sheet(sheets.fees[ctx.lang], feeColumns, [...subtotals, sumRow(repairs, 'total')], ctx);
  const rows = [...linesOf(null), sumRow(expenses ?? noFees, 'total', 'remark')];
  const own = sheet(sheets.expenses[ctx.lang], expenseColumns, rows, ctx);
  if (corrections.length === 0) return [fees, own];
  const currency = facts['currency'];
  const corrected = addUp(corrections, currency);
  const settled = amountsOf(sums.total, currency);
  const both = [
    ...corrections.map((it) => ({ ...facts, ...it })),
    { ...facts, ...corrected, crbId: words.total[ctx.lang] },
    { ...facts, ...settled, crbId: words.bill[ctx.lang] },
    { ...facts, ...addUp([corrected, settled], currency), crbId: words.both[ctx.lang] },
  ];
  return [fees, own, sheet(sheets.corrections[ctx.lang], correctionColumns, both, ctx)];
}

/** The lines of a bill and what they add up to in both languages, as they stand at one moment; nothing once the bill has gone. */
const readBill = (ctx: Context, rfbId: string, crbIds: readonly string[]) =>
  atOneMoment(ctx.db, async (db) => {
    const bill = db.selectFrom('rma_repair_fee_bill as h').where('rfbId', '=', rfbId);
    const head = await bill.select(['id', handedInSql, changedSql]).executeTakeFirst();
    if (!head) return undefined;
    const sums = await sumFees({ db }, rfbId);
    const corrections = await readCorrections({ ...ctx, db }, crbIds);
    const readIn = async (lang: Context['lang']): Promise<Bill> => {
      const name = supplierName(lang, sql.ref('h.supplierName')).as('supplierName');
      const facts = await bill.select(['rfbId', 'recPeriod', 'currency', name]).executeTakeFirstOrThrow();
      return { lines: await readLines({ ...ctx, db, lang }, rfbId), facts, sums, corrections };
    };
    return { ...head, id: Number(head.id), zh: await readIn('zh'), en: await readIn('en') };
  });

async function readLines({ db, lang }: Context, rfbId: string): Promise<Row[]> {
  const { rows } = await sql<Row>`
    SELECT h."rfbId", h."recPeriod", ${supplierName(lang, sql.ref('h.supplierName'))} AS "supplierName", coalesce(${nameIn(lang, 's.siteName')}, h."siteId") AS site, l."mtbId", l."btmMtbId", b."receiveShipNo", b."btmUserId",
           b."userName", l."salesCode", l."salesName" AS "productName", l.sn, l.warranty, l."modelAbbreviation",
           l."repairProject", l."repairType", l."isSecondRepair", l."isPriced", l."deliverTime", l.quantity, l."feeType",
           l."unitPrice", round(l."unitPrice" / (1 + coalesce(l."taxRate", 0) / 100), 4) AS "unitPriceWithoutTax",
           l."taxRate", l."excludingTaxAmount", l."taxAmount", l."includingTaxAmount", l.currency, l.remark
      FROM rma_repair_fee_bill_line AS l
      JOIN rma_repair_fee_bill AS h ON h."rfbId" = l."rfbId"
      LEFT JOIN ubs_site AS s ON s."siteId" = h."siteId"
      LEFT JOIN rma_maintain_bill AS b ON b."mtbId" = l."mtbId"
     WHERE l."rfbId" = ${rfbId}
     ORDER BY l."repairProject", l.id`.execute(db);
  return rows;
}

/**
 * The corrections that this bill's workbook is to have: those that were settled until its month, for the same site, supplier
 * and currency, and stand in no other one. Rule: money#fee-workbook.
 */
async function openCorrections({ db }: Context, rfbId: string): Promise<string[]> {
  return (await openCorrectionsSql(rfbId).execute(db)).rows.map((it) => it.crbId);
}

/** Not all that were ever settled are looked at. */
export const openCorrectionsSql = (rfbId: string) => sql<{ crbId: string }>`
    SELECT b."crbId" FROM rma_correction_bill AS b JOIN rma_repair_fee_bill AS h ON ${isOfParty}
     WHERE h."rfbId" = ${rfbId} AND b."recPeriod" <= h."recPeriod" AND b."billStatus" = ${CorrectionStatus.Settled}
       AND b."rfbId" IS NOT NULL AND ${isOpen(rfbId)}`;

/**
 * From here on these corrections stand in the workbook of this bill: with the workbook itself, so that one that is cancelled,
 * fails or dies has none. Each stands in one workbook, however late it settled.
 * @throws Error where another workbook was faster, or the bill became another's: the job is tried again.
 */
async function claimCorrections({ db }: Context, rfbId: string, crbIds: readonly string[]): Promise<void> {
  if (crbIds.length === 0) return;
  const { numAffectedRows } = await sql`
    UPDATE rma_correction_bill AS b SET "reportedIn" = h."rfbId" FROM rma_repair_fee_bill AS h
     WHERE h."rfbId" = ${rfbId} AND ${isOfParty} AND b."crbId" = ANY(${crbIds}) AND ${isOpen(rfbId)}`.execute(db);
  if (Number(numAffectedRows) < crbIds.length)
    throw new Error(`corrections of the workbook of ${rfbId} stand in another one meanwhile`);
}

/** Of the same site, supplier and currency: a correction `b` and a bill `h`. */
const isOfParty = sql`b."siteId" = h."siteId" AND b."supplierName" IS NOT DISTINCT FROM h."supplierName"
       AND b.currency IS NOT DISTINCT FROM h.currency`;

/** A correction `b` that stands in the workbook of no other bill. */
const isOpen = (rfbId: string) => sql`(b."reportedIn" IS NULL OR b."reportedIn" = ${rfbId})`;

/** These corrections line by line, each with the month in which it was settled. */
async function readCorrections({ db }: Context, crbIds: readonly string[]): Promise<Row[]> {
  const { rows } = await sql<Row>`
    SELECT b."crbId", b."recPeriod", b."rfbId" AS "correctedId", k.sn, k."settledFor", k."settledAmount", k."taxRate",
           k."excludingTaxAmount", k."taxAmount", k."includingTaxAmount", k.currency, k.reason
      FROM rma_correction_bill AS b
      JOIN rma_correction_bill_line AS k ON k."crbId" = b."crbId"
     WHERE b."crbId" = ANY(${crbIds})
     ORDER BY b.id, k.id`.execute(db);
  return rows;
}

const amountsOf = ({ taxAmount, includingTaxAmount }: FeeSum, currency: unknown): Row => ({
  excludingTaxAmount: lessMoney(includingTaxAmount, taxAmount, digitsOf(currency)),
  taxAmount,
  includingTaxAmount,
});

const sumOf = (sum: FeeSum, currency: unknown): Row => ({ quantity: sum.units, ...amountsOf(sum, currency) });

/** What these rows come to. */
const addUp = (rows: readonly Row[], currency: unknown): Row =>
  Object.fromEntries(
    ['excludingTaxAmount', 'taxAmount', 'includingTaxAmount'].map((name) => [
      name,
      sumMoney(
        rows.map((it) => String(it[name])),
        digitsOf(currency),
      ),
    ]),
  );

function sheet(name: string, columns: readonly Column[], rows: readonly Row[], ctx: Context): SmallSheet {
  const toCells = createCellMapper(columns, ctx);
  return {
    name,
    columns: columns.map((it) => sheetColumn(it, ctx)),
    rows: rows.map((it) => ({ cells: toCells(it) })),
  };
}
