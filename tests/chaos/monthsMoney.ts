import { sendFile, workbook } from '#tests/support/workbooks.ts';
import {
  dayAt,
  daysAfter,
  inCents,
  isAgreed,
  isOpenLine,
  isPriced,
  isSameWork,
  isUndone,
  lastDayOf,
  leftOf,
  markChanged,
  micro,
  monthAt,
  netOf,
  previousOf,
  pricedNow,
  saidNow,
  settlementOf,
  sites,
  startOf,
  type Correction,
  type FeeBill,
  type Freight,
  type Line,
  type Price,
  type Site,
} from './monthsJournal.ts';
import { ask, one, staff, type Doing, type Play } from './monthsSteps.ts';

export const suppliers = ['North', 'South'] as const;
const currencies = ['CNY', 'CNY', 'USD'] as const;
const rates = ['0', '3', '6', '9.75', '13'] as const;
const digits = (play: Play, n: number) => String(play.below(10 ** n)).padStart(n, '0');
const siteOf = (play: Play): Site => one(play, ['SZ', 'SZ', 'NB'] as const) ?? 'SZ';

/** A price of some work, proposed and mostly passed at once; it may begin in a month that was settled long ago. */
export async function addPrice(
  play: Play,
  own: Partial<Record<'site' | 'project' | 'warranty' | 'family' | 'supplier', string>> = {},
  days?: [string, string],
) {
  const { journal, below } = play;
  const site = (own.site ?? siteOf(play)) as Site;
  const from = days?.[0] ?? daysAfter(dayAt(play.now), below(90) - 60);
  const agreed = days?.[1] ?? daysAfter(from, below(120));
  const work = {
    supplier: own.supplier ?? one(play, suppliers) ?? 'North',
    project: own.project ?? one(play, ['1', '1', '1', '2', '5', '6']) ?? '1',
    warranty: own.warranty ?? one(play, ['0', '1', '2']) ?? '0',
    family: own.family ?? one(play, ['F19', 'F19', 'F21', 'B19']) ?? 'F19',
  };
  const currency = one(play, currencies) ?? 'CNY';
  // Now and then for work that customers' units never are.
  const type = days || below(8) > 0 ? '2' : '1';
  const [unitPriceWithTax, taxRate] = [`${below(900)}.${digits(play, 2)}`, one(play, rates) ?? '13'];
  const { isDone, data } = await ask<{ id: number; prbId: string }>(play, staff.office[site], 'rmaPriceBill/create', {
    ...{ settleCompany: 'C', supplierName: work.supplier, repairProject: work.project, machineType: work.family },
    ...{ warranty: work.warranty, repairType: type, currency, unitPriceWithTax, taxRate },
    ...{ effectiveDate: startOf(from), expirationDate: startOf(agreed) },
  });
  if (!isDone) return;
  journal.prices.push({
    ...{ id: data.id, prbId: data.prbId, site, status: '0', ...work, currency, type, from, agreed },
    ...{ price: micro(unitPriceWithTax), tax: micro(taxRate) },
  });
}

export async function passPrice(play: Play, price: Price): Promise<string> {
  const { journal } = play;
  const overlaps = journal.prices.some(
    (it) =>
      it !== price && it.status === '2' && isSameWork(it, price) && it.from >= price.from && it.from <= price.agreed,
  );
  const input = { id: price.id, result: '2' };
  const wants = [overlaps ? '100015' : '000000'];
  const { isDone } = await ask(play, 'finance', 'rmaPriceBill/financialReview', input, { wants });
  if (!isDone) return 'price, refused';
  price.status = '2';
  markChanged(journal, price);
  return 'price passed';
}

const propose: Doing = async (play) => {
  // Often for what stands on a bill that is not agreed yet.
  const lines = play.journal.fees
    .filter((it) => !isAgreed(it))
    .flatMap((bill) => bill.lines.map((line) => ({ bill, line })));
  const { bill, line } =
    one(
      play,
      lines.filter((it) => it.line.stay),
    ) ?? {};
  if (!bill || !line || play.below(3) === 0) await addPrice(play);
  else {
    const family = play.journal.families.get(line.salesCode);
    const own = {
      site: bill.site,
      project: line.project ?? '1',
      // Nobody has given a warranty for own goods, and no price is for none.
      warranty: line.warranty || '0',
      ...(family && { family }),
    };
    const supplier = line.supplier ?? undefined;
    const from = daysAfter(line.day, -play.below(10));
    await addPrice(play, { ...own, ...(supplier && { supplier }) }, [from, daysAfter(from, play.below(60))]);
  }
  return 'price proposed';
};

const judgePrice: Doing = async (play) => {
  const price = one(
    play,
    play.journal.prices.filter((it) => it.status === '0'),
  );
  if (!price) return undefined;
  if (play.below(8) > 0) return passPrice(play, price);
  const { isDone } = await ask(play, 'finance', 'rmaPriceBill/financialReview', {
    id: price.id,
    result: '1',
    remark: 'too much',
  });
  if (isDone) price.status = '1';
  return 'price not passed';
};

const voidPrice: Doing = async (play) => {
  const used = play.journal.fees.filter((it) => !isAgreed(it)).flatMap((it) => it.lines.map((line) => line.prbId));
  const passed = play.journal.prices.filter((it) => it.status === '2');
  const price =
    one(
      play,
      passed.filter((it) => used.includes(it.prbId)),
    ) ?? one(play, passed);
  if (!price || passed.length < 12) return undefined;
  const { isDone } = await ask(play, 'finance', 'rmaPriceBill/void', { id: price.id });
  if (!isDone) return 'price voided';
  price.status = '3';
  markChanged(play.journal, price);
  return 'price voided';
};

const expense: Doing = async (play) => {
  const site = siteOf(play);
  const [currency, gross] = [one(play, currencies) ?? 'CNY', BigInt(1 + play.below(99_999))];
  const taxRate = one(play, rates) ?? '13';
  const { isDone, data } = await ask<{ id: number; mebId: string }>(
    play,
    staff.office[site],
    'rmaMiscellaneousExpensesBill/create',
    {
      ...{ correspondsWorkOrder: '0', currency, includingTaxAmount: inCents(gross), taxRate },
    },
  );
  if (!isDone) return 'expense';
  const net = netOf(gross, micro(taxRate));
  play.journal.expenses.push({
    id: data.id,
    mebId: data.mebId,
    site,
    currency,
    gross,
    net,
    tax: micro(taxRate),
    auditedAt: null,
  });
  return 'expense';
};

const auditExpense: Doing = async (play) => {
  const waiting = one(
    play,
    play.journal.expenses.filter((it) => it.auditedAt === null),
  );
  if (!waiting) return undefined;
  const passes = play.below(6) > 0;
  const input = { id: waiting.id, auditStatus: passes ? '2' : '1', ...(!passes && { remark: 'no paper' }) };
  const { isDone } = await ask(play, 'auditor', 'rmaMiscellaneousExpensesBill/audit', input);
  if (!isDone) return 'expense audited';
  if (passes) waiting.auditedAt = play.now;
  else play.journal.expenses.splice(play.journal.expenses.indexOf(waiting), 1);
  return passes ? 'expense passed' : 'expense not passed';
};

/** What the product wrote on a bill, to know its lines by their ids. */
async function linesOf(play: Play, rfbId: string) {
  return play.testApp.db
    .selectFrom('rma_repair_fee_bill_line')
    .select(['id', 'mtbliId', 'remark', 'priceReason'])
    .where('rfbId', '=', rfbId)
    .execute();
}

/** A month of a site is settled, once more where something of it was left. */
export async function generate(play: Play, site: Site, month: string, from = `${month}-01`): Promise<string> {
  const { journal, testApp, wrong } = play;
  const to = lastDayOf(month);
  const { made, late, there } = settlementOf(journal, site, { month, from, to });
  const refusal = there.length > 0 ? '100007' : '100002';
  interface Item {
    rfbId: string;
    supplierName: string | null;
    currency: string | null;
    lineCount: number;
    includingTaxAmount: string;
  }
  const { isDone, data } = await ask<{ items: Item[]; late: { lineCount: number }[] }>(
    play,
    staff.office[site],
    'rmaRepairFeeBill/generateMonthlyProcessingFeeBill',
    { recPeriod: month, startDate: from, endDate: to },
    { wants: [made.length > 0 ? '000000' : refusal] },
  );
  if (!isDone) return 'month settled, refused';
  const lateCount = data.late.reduce((sum, it) => sum + it.lineCount, 0);
  if (lateCount !== late.length)
    wrong.push(`${site} ${month}: ${lateCount} lines are told as late, not ${late.length}`);
  const rejected = journal.fees.filter((it) => it.site === site && it.month === month && it.status === '1');
  for (const it of rejected) journal.fees.splice(journal.fees.indexOf(it), 1);
  for (const { supplier, currency, lines } of made) {
    const own = rejected.find((it) => it.supplier === supplier && it.currency === currency);
    const item = data.items.find((it) => it.supplierName === supplier && it.currency === currency);
    if (!item || (own && own.rfbId !== item.rfbId)) {
      wrong.push(`${site} ${month}: no bill of ${supplier} in ${currency}, or not under its number`);
      continue;
    }
    const gross = inCents(lines.reduce((sum, it) => sum + it.gross, 0n));
    if (item.includingTaxAmount !== gross || item.lineCount !== lines.length)
      wrong.push(
        `${item.rfbId} is told with ${item.lineCount} lines of ${item.includingTaxAmount}, not ${lines.length} of ${gross}`,
      );
    const { id } = await testApp.db
      .selectFrom('rma_repair_fee_bill')
      .select('id')
      .where('rfbId', '=', item.rfbId)
      .executeTakeFirstOrThrow();
    const rows = await linesOf(play, item.rfbId);
    for (const line of lines) {
      const row = rows.find((it) =>
        line.expense ? it.priceReason === '6' && it.remark === line.expense.mebId : it.mtbliId === line.stay?.mtbliId,
      );
      line.id = Number(row?.id ?? 0);
      if (!row) wrong.push(`${item.rfbId} has no line of ${line.expense?.mebId ?? line.sn}`);
    }
    journal.fees.push({ id: Number(id), rfbId: item.rfbId, site, month, supplier, currency, status: '0', lines });
  }
  if (data.items.length !== made.length) wrong.push(`${site} ${month}: ${data.items.length} bills, not ${made.length}`);
  return rejected.length > 0 ? 'month settled anew' : 'month settled';
}

const settleAgain: Doing = async (play) => {
  const rejected = play.journal.fees.filter((it) => it.status === '1');
  const bill = one(play, play.below(3) > 0 && rejected.length > 0 ? rejected : play.journal.fees);
  if (!bill || bill.month >= monthAt(play.now)) return undefined;
  const from = play.below(3) === 0 ? daysAfter(lastDayOf(bill.month), -play.below(61)) : undefined;
  return generate(play, bill.site, bill.month, from);
};

const canPass = (bill: FeeBill) => !bill.lines.some(isOpenLine);

/** The next hand that a fee bill waits for. */
const handFee: Doing = async (play) => {
  const bill = one(
    play,
    play.journal.fees.filter((it) => ['0', '3', '4', '5'].includes(it.status)),
  );
  if (!bill) return undefined;
  if (bill.status === '4') {
    const invoiceUrls = await paper(play, staff.office[bill.site]);
    const { isDone } = await ask(play, staff.office[bill.site], 'rmaRepairFeeBill/uploadInvoice', {
      id: String(bill.id),
      invoiceUrls,
    });
    if (isDone) bill.status = '5';
    return 'invoices';
  }
  const [action, as, passed, notPassed] = {
    '0': ['afterSalesReview', 'aftersales', '3', '1'],
    '3': ['financialReview', 'finance', '4', '0'],
    '5': ['financialAudit', 'auditor', '6', '4'],
  }[bill.status as '0' | '3' | '5'] as [string, string, string, string];
  const passes = play.below(bill.status === '0' ? 4 : 8) > 0;
  const wants = [passes && !canPass(bill) ? '100015' : '000000'];
  // As if the job had made the workbook, also of work that is another one since.
  const made = { processingFeeReportUrl: `/file/${'0'.repeat(32)}.xlsx` };
  await play.testApp.db.updateTable('rma_repair_fee_bill').set(made).where('id', '=', bill.id).execute();
  const input = { id: bill.id, result: passes ? '2' : '1', remark: passes ? '' : 'look again' };
  const { isDone } = await ask(play, as, `rmaRepairFeeBill/${action}`, input, { wants });
  if (!isDone) return `${action}, refused`;
  bill.status = passes ? passed : notPassed;
  return `${action} ${passes ? 'passed' : 'not passed'}`;
};

/** What can't pass is rejected, so that it can be corrected. */
const rejectOpen: Doing = async (play) => {
  const bill = one(
    play,
    play.journal.fees.filter((it) => it.status === '0' && !canPass(it)),
  );
  if (!bill) return undefined;
  const input = { id: bill.id, result: '1', remark: 'look again' };
  const { isDone } = await ask(play, 'aftersales', 'rmaRepairFeeBill/afterSalesReview', input);
  if (isDone) bill.status = '1';
  return 'afterSalesReview not passed';
};

const confirmPrices: Doing = async (play) => {
  const { journal } = play;
  const waiting = journal.fees.filter(
    (it) => ['0', '3'].includes(it.status) && it.lines.some((l) => l.isChanged && l.confirmed === null),
  );
  const bill = one(play, waiting);
  if (!bill) return undefined;
  const open = bill.lines.filter((it) => it.isChanged && it.confirmed === null);
  const some = play.below(3) === 0 ? open.slice(0, 1) : open;
  const lines = some.map((it) => ({
    ...{ lineId: it.id, reason: 'as agreed by letter' },
    beside: saidNow(pricedNow(journal, bill.site, it)),
  }));
  const { isDone } = await ask(play, staff.office[bill.site], 'rmaRepairFeeBill/confirmPrices', { id: bill.id, lines });
  for (const line of isDone ? some : []) line.confirmed = saidNow(pricedNow(journal, bill.site, line)) ?? 'none';
  return 'prices confirmed';
};

/** The site corrects a rejected bill. */
const resubmit: Doing = async (play) => {
  const { journal, below } = play;
  const bill = one(
    play,
    journal.fees.filter((it) => it.status === '1'),
  );
  if (!bill) return undefined;
  const removed = bill.lines.filter((it) => (isUndone(it) ? below(4) > 0 : below(12) === 0));
  const kept = bill.lines.filter((it) => !removed.includes(it));
  const corrected = kept.filter((it) => it.stay && below(isPriced(it) ? 6 : 2) === 0);
  const said = corrected.map((it) => ({
    id: it.id,
    repairProject: one(play, ['1', '1', '2', '5', '6']) ?? '1',
    warranty: one(play, ['0', '1', '2']) ?? '0',
    repairType: '2',
    isSecondRepair: below(4) === 0 ? '1' : '0',
  }));
  const after = kept.map((it): Line => {
    if (it.expense) return { ...it };
    const word = said.find((of) => of.id === it.id);
    const work = word
      ? { ...it, project: word.repairProject, warranty: word.warranty, isSecond: word.isSecondRepair === '1' }
      : it;
    const priced = pricedNow(journal, bill.site, work);
    const fresh = { previous: previousOf(it, priced), isChanged: false, confirmed: null };
    return { ...work, ...priced, ...fresh };
  });
  const units = after.filter((it) => it.stay);
  const party = {
    supplier: units.length > 0 ? (units[0]?.supplier ?? null) : bill.supplier,
    currency: after[0]?.currency ?? null,
  };
  const isOne = after.every((it) => it.currency === party.currency && (it.expense || it.supplier === party.supplier));
  const others = journal.fees.filter((it) => it !== bill && it.site === bill.site && it.month === bill.month);
  const isThere = others.some((it) => it.supplier === party.supplier && it.currency === party.currency);
  const wants = after.some((it) => it.stay && !isPriced(it))
    ? '100015'
    : after.some(isUndone) || after.length === 0
      ? '100015'
      : !isOne
        ? '100020'
        : isThere
          ? '100007'
          : '000000';
  const { isDone } = await ask(
    play,
    staff.office[bill.site],
    'rmaRepairFeeBill/resubmit',
    { id: bill.id, remark: 'as asked', corrected: said, removed: removed.map((it) => it.id) },
    { wants: [wants] },
  );
  if (!isDone) return 'resubmit, refused';
  Object.assign(bill, { status: '0', lines: after, ...party });
  return 'resubmit';
};

const PDF = Buffer.from('%PDF-1.4\n%%EOF');
const paper = async ({ testApp }: Play, as: string): Promise<string> =>
  (await sendFile<{ url: string }>(testApp, '/api/RmaAppendix/upload.json', [PDF], { as, name: 'a.pdf' })).data.url;

const settledOnes = ({ journal }: Play): (FeeBill | Freight)[] => [
  ...journal.fees.filter((it) => it.status === '6'),
  ...journal.freight.filter((it) => it.status === '2'),
];
const isFee = (of: FeeBill | Freight): of is FeeBill => 'rfbId' in of;

/** What some lines of a settled bill are credited and debited by: now and then more than there is. */
function entriesOf(play: Play, of: FeeBill | Freight, but?: Correction) {
  const { below } = play;
  const lines: readonly { id: number }[] = of.lines;
  const picked = [...new Set(Array.from({ length: 1 + below(3) }, () => one(play, lines)))].flatMap((it) => it ?? []);
  return picked.map(({ id: lineId }) => {
    const left = leftOf(play.journal, of, lineId, but);
    const part = left.gross > 0n ? 1n + BigInt(below(Number(left.gross))) : 1n;
    const amounts = [-left.gross, -part, -part, BigInt(1 + below(5000)), -left.gross - 1n];
    const gross = amounts[below(below(3) === 0 ? 5 : 4)] || 1n;
    // Of what is left: between nothing and the correction itself.
    const meant = netOf(left.gross + gross, left.tax) - left.net;
    const [low, high] = gross < 0n ? [gross, 0n] : [0n, gross];
    const net = meant < low ? low : meant > high ? high : meant;
    return { lineId, gross, net, isTooMuch: left.gross + gross < 0n };
  });
}

const sent = (entries: readonly { lineId: number; gross: bigint }[]) =>
  entries.map((it) => ({ lineId: it.lineId, amount: inCents(it.gross), reason: 'charged wrongly' }));

const correct: Doing = async (play) => {
  const of = one(
    play,
    settledOnes(play).filter((it) => it.lines.length > 0 && (!isFee(it) || it.currency !== null)),
  );
  if (!of) return undefined;
  const entries = entriesOf(play, of);
  const wants = [entries.some((it) => it.isTooMuch) ? '100015' : '000000'];
  const module = isFee(of) ? 'rmaRepairFeeBill' : 'rmaLogisticsCostsBill';
  const { isDone, data } = await ask<{ id: number; crbId: string }>(
    play,
    staff.office[of.site],
    `${module}/correct`,
    { id: of.id, lines: sent(entries) },
    { wants },
  );
  if (!isDone) return 'correction, refused';
  play.journal.corrections.push({ id: data.id, crbId: data.crbId, of, status: '0', month: null, lines: entries });
  return entries.some((it) => it.gross < 0n) ? 'credit' : 'debit';
};

const judgeCorrection: Doing = async (play) => {
  const bill = one(
    play,
    play.journal.corrections.filter((it) => it.status === '0' || it.status === '2'),
  );
  if (!bill) return undefined;
  const isReview = bill.status === '0';
  const passes = play.below(4) > 0;
  const { isDone } = await ask(
    play,
    isReview ? 'finance' : 'auditor',
    `rmaCorrectionBill/${isReview ? 'financialReview' : 'financialAudit'}`,
    { id: bill.id, result: passes ? '2' : '1', remark: passes ? '' : 'look again' },
  );
  if (!isDone) return 'correction judged';
  bill.status = isReview ? (passes ? '2' : '1') : passes ? '3' : '0';
  if (bill.status === '3') bill.month = monthAt(play.now);
  return `correction ${isReview ? 'reviewed' : 'audited'}${passes ? '' : ', not passed'}`;
};

const correctAgain: Doing = async (play) => {
  const bill = one(
    play,
    play.journal.corrections.filter((it) => it.status === '1'),
  );
  if (!bill || bill.of.lines.length === 0) return undefined;
  const isSettled = settledOnes(play).includes(bill.of);
  const entries = entriesOf(play, bill.of, bill);
  const wants = [isSettled ? (entries.some((it) => it.isTooMuch) ? '100015' : '000000') : '100025'];
  const input = { id: bill.id, lines: sent(entries) };
  const { isDone } = await ask(play, staff.office[bill.of.site], 'rmaCorrectionBill/resubmit', input, { wants });
  if (!isDone) return 'correction again, refused';
  Object.assign(bill, { status: '0', lines: entries });
  return 'correction again';
};

const HEADS = ['发货物流单号', '物流商', '数量', '重量（kg）', '金额', '产品名称', '计费项目'];
const charges = [
  ['运费', '1'],
  ['保价', '3'],
] as const;

/** The freight of a month, now and then with a parcel that was billed already. */
const bringFreight: Doing = async (play) => {
  const { journal, below, testApp, wrong } = play;
  const site = siteOf(play);
  const month = below(3) === 0 ? monthAt(play.now) : monthAt(startOf(`${monthAt(play.now)}-01`) - 1);
  const before = journal.freight.find((it) => it.site === site && it.month === month);
  const currency = one(play, currencies) ?? 'CNY';
  const others = journal.freight.filter((it) => it !== before).flatMap((it) => it.lines);
  const fresh = Array.from({ length: 1 + below(4) }, () => {
    const [word, charge] = one(play, charges) ?? charges[0];
    return {
      shipNo: `SFOUT${String(++play.made).padStart(5, '0')}`,
      charge: charge,
      word: word,
      cents: 1 + below(9999),
    };
  });
  const again = below(5) === 0 ? one(play, others) : undefined;
  const twice = below(8) === 0 ? fresh[0] : undefined;
  const known = again && charges.find(([, code]) => code === again.charge);
  const rows = [
    ...fresh,
    ...(again && known ? [{ shipNo: again.shipNo, charge: again.charge, word: known[0] as string, cents: 77 }] : []),
    ...(twice ? [{ ...twice, cents: 33 }] : []),
  ];
  const isOpen = !before || before.status === '0' || before.status === '3';
  const wants = isOpen && rows.length === fresh.length;
  const sheet = [HEADS, ...rows.map((it) => [it.shipNo, '顺丰', 1, 1, it.cents / 100, 'RX19', it.word])];
  const file = await workbook(sheet);
  const path = '/api/rmaLogisticsCostsBill/upload.json';
  const fields = { recPeriod: month, currency };
  const { code, msg, data } = await whileTimeGoesOn(
    play,
    sendFile<{ bad: number } | null>(testApp, path, [file], { as: staff.office[site], fields }),
  );
  const isDone = code === '000000' && data?.bad === 0;
  if (isDone !== wants) wrong.push(`freight of ${site} ${month} answers ${code} ${msg}`);
  if (!isDone) return `freight, refused${again || twice ? ': billed twice' : ''}`;
  const kept = await testApp.db
    .selectFrom('rma_logistics_costs_bill as b')
    .innerJoin('rma_logistics_costs_bill_line as l', 'l.lcbId', 'b.lcbId')
    .select(['b.id as billId', 'b.lcbId', 'l.id', 'l.deliverShipNo', 'l.chargeItems'])
    .where('b.siteId', '=', site)
    .where('b.recPeriod', '=', month)
    .execute();
  const lines = rows.map((it) => ({
    id: Number(kept.find((row) => row.deliverShipNo === it.shipNo && row.chargeItems === it.charge)?.id ?? 0),
    ...{ shipNo: it.shipNo, charge: it.charge, amount: BigInt(it.cents) },
  }));
  const bill = {
    id: Number(kept[0]?.billId ?? 0),
    lcbId: kept[0]?.lcbId ?? '',
    site,
    month,
    currency,
    status: '0',
    lines,
  };
  if (before) Object.assign(before, bill);
  else journal.freight.push(bill);
  return before ? 'freight again' : 'freight';
};

/** A job is taken up after it was asked for. */
async function whileTimeGoesOn<T>({ tick }: Play, asked: Promise<T>): Promise<T> {
  let isOver = false;
  const over = asked.finally(() => (isOver = true));
  for (;;) {
    await Promise.race([over, new Promise((resume) => setTimeout(resume, 50))]);
    if (isOver) return over;
    await tick();
  }
}

const handFreight: Doing = async (play) => {
  const bill = one(
    play,
    play.journal.freight.filter((it) => it.status !== '2'),
  );
  if (!bill) return undefined;
  if (bill.status !== '1') {
    const as = staff.office[bill.site];
    const certificateUrls = await paper(play, as);
    const { isDone } = await ask(play, as, 'rmaLogisticsCostsBill/uploadCertificate', {
      id: String(bill.id),
      certificateUrls,
    });
    if (isDone) bill.status = '1';
    return 'certificates';
  }
  const passes = play.below(4) > 0;
  const input = { id: bill.id, result: passes ? '2' : '1', remark: passes ? '' : 'look again' };
  const { isDone } = await ask(play, 'auditor', 'rmaLogisticsCostsBill/financialAudit', input);
  if (isDone) bill.status = passes ? '2' : '3';
  return passes ? 'freight passed' : 'freight not passed';
};

const returnFreight: Doing = async (play) => {
  const bill = one(
    play,
    play.journal.freight.filter((it) => it.status === '1' || it.status === '2'),
  );
  if (!bill || play.below(3) > 0) return undefined;
  const isClosed = bill.status === '2' && monthAt(play.now) > monthAt(startOf(daysAfter(lastDayOf(bill.month), 1)));
  const isCorrected = play.journal.corrections.some((it) => it.of === bill && it.status !== '1');
  const wants = [isClosed || isCorrected ? '100025' : '000000'];
  const { isDone } = await ask(
    play,
    'auditor',
    'rmaLogisticsCostsBill/return',
    { id: bill.id, remark: 'look again' },
    { wants },
  );
  if (isDone) bill.status = '0';
  return isDone ? 'freight returned' : 'freight returned, refused';
};

const removed = <T>(list: T[], it: T) => void list.splice(list.indexOf(it), 1);

/** A bill of some kind is deleted, where it is still its maker's alone: what was on it is settled another time. */
const removeBill: Doing = async (play) => {
  const { fees, corrections, freight, prices, expenses } = play.journal;
  const kind = play.below(5);
  const remove = async <T extends { id: number }>(
    module: string,
    list: T[],
    siteOf: (it: T) => Site,
    mayGo: (it: T) => boolean,
  ) => {
    const able = list.filter(mayGo);
    const it = one(play, play.below(4) > 0 && able.length > 0 ? able : list);
    if (!it) return undefined;
    const wants = [mayGo(it) ? '000000' : '100025'];
    const { isDone } = await ask(play, staff.office[siteOf(it)], `${module}/deleteById`, { id: it.id }, { wants });
    if (isDone) removed(list, it);
    return `${module} deleted${isDone ? '' : ', refused'}`;
  };
  const ofSite = (it: { site: Site }) => it.site;
  if (kind === 0) return remove('rmaRepairFeeBill', fees, ofSite, (it) => it.status === '1');
  if (kind === 1)
    return remove(
      'rmaCorrectionBill',
      corrections,
      (it) => it.of.site,
      (it) => it.status === '1',
    );
  if (kind === 2) return remove('rmaLogisticsCostsBill', freight, ofSite, (it) => it.status === '0');
  if (kind === 3) return remove('rmaPriceBill', prices, ofSite, (it) => ['0', '1'].includes(it.status));
  return remove('rmaMiscellaneousExpensesBill', expenses, ofSite, (it) => it.auditedAt === null);
};

/** What finance and the offices do about money, and how often. */
export const moneySteps: readonly (readonly [often: number, Doing])[] = [
  [4, propose],
  [5, judgePrice],
  [2, voidPrice],
  [3, expense],
  [3, auditExpense],
  [16, handFee],
  [3, rejectOpen],
  [4, confirmPrices],
  [4, resubmit],
  [3, settleAgain],
  [8, correct],
  [12, judgeCorrection],
  [4, correctAgain],
  [2, bringFreight],
  [4, handFreight],
  [1, returnFreight],
  [3, removeBill],
];

/** The prices with which a workshop begins: for the usual work, so that not all of it is without one. */
export async function addFirstPrices(play: Play): Promise<void> {
  const days: [string, string] = [daysAfter(dayAt(play.now), -60), daysAfter(dayAt(play.now), 900)];
  for (const site of sites)
    for (const warranty of ['0', '1', '2'])
      for (const [family, project] of [
        ['F19', '1'],
        ['F21', '1'],
        ['B19', '2'],
        ['F19', '5'],
        ['F21', '5'],
        ['F19', '6'],
        ['F21', '6'],
      ] as const)
        await addPrice(play, { site, warranty, family, project, supplier: family === 'F21' ? 'South' : 'North' }, days);
  for (const price of play.journal.prices) await passPrice(play, price);
}
