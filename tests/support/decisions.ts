import { sql, type Kysely } from 'kysely';
import type { Definition } from '#domain/definition/grammar.ts';
import { allowedRows } from '#domain/definition/writes.ts';
import { workOrderModules, type WorkOrderModule } from '#domain/wafer.ts';
import { reviewedModules, reviewSteps, type ReviewStep } from '#domain/review.ts';
import { amountsOf } from '#domain/reviewTrail.ts';
import { documentKinds } from '#domain/uploads.ts';
import type { Tables } from '#server/db/tables.ts';
import { readModel } from '#server/definitions/read.ts';
import { besideCorrection } from '#server/workflow/corrections.ts';
import { alwaysOf, insertRow } from '#tests/support/always.ts';
import type { TestApp } from '#tests/support/app.ts';
import { heldUnit } from '#tests/support/factories.ts';
import { registers } from '#tests/support/features.ts';
import { randomFrom } from '#tests/support/stations.ts';

const { definitions } = readModel(registers);

/** A call that decides about one row: what waits for it, what of it can change meanwhile, and how it is asked. */
export interface Decider {
  method: 'GET' | 'POST';
  path: string;
  as: string;
  /** The row that is shown before, and the figure or the word on it that somebody else changes. */
  module: string;
  figure: string;
  /** Makes a row that waits for the decision; what is asked besides the version. */
  make: (db: Kysely<Tables>) => Promise<{ id: number; input: Record<string, unknown> }>;
  /** How the call says which version was seen, where it is not `version`. */
  says?: (id: number, version: number) => object;
  /** What is told beside the row and goes with the decision, and how somebody else changes that. */
  beside?: {
    told: (db: Kysely<Tables>, id: number) => Promise<string>;
    change: (db: Kysely<Tables>, id: number) => Promise<void>;
  };
}

let made = 0;
const next = (prefix: string) => `${prefix}${String(++made).padStart(6, '0')}`;
const definitionOf = (module: string) => definitions.get(module) as Definition;

/** A row of this module as the decision wants it; prices are for work of their own, fees of months of their own. */
async function rowOf(db: Kysely<Tables>, module: string, own: Record<string, unknown>) {
  const definition = definitionOf(module);
  const no = next('SEEN');
  const row = {
    ...alwaysOf(definition, definitions),
    ...(definition.number && { [definition.number.field]: no }),
    ...('siteId' in definition.fields && { siteId: 'SZ' }),
    createBy: 'office',
    ...(module === 'rmaPriceBill' && { supplierName: no }),
    ...(module === 'rmaRepairFeeBill' && {
      recPeriod: `${1000 + Math.floor(made / 12)}-${String(1 + (made % 12)).padStart(2, '0')}`,
      currency: 'CNY',
    }),
    // A correction is in the currency of its bill.
    ...(module === 'rmaLogisticsCostsBill' && { currency: 'CNY' }),
    ...own,
  };
  const { id } = (await insertRow(db, definition, row, definitions)) as { id: number };
  return { id: Number(id), no };
}

const waiting =
  (module: string, own: Record<string, unknown>, more: object = {}): Decider['make'] =>
  async (db) => {
    const { id } = await rowOf(db, module, own);
    return { id, input: { id: String(id), ...more } };
  };

const reviewers = {
  ...{ financialReview: 'finance', financialAudit: 'auditor', afterSalesReview: 'aftersales', audit: 'auditor' },
} as const;

const reviewing = (step: ReviewStep): Decider[] => {
  const { module, action, from } = step;
  const make = waiting(module, { billStatus: from }, { result: '2' });
  const decider = {
    ...{ as: reviewers[action], module, figure: amountsOf[module].total, make },
    ...(module === 'rmaCorrectionBill' && { make: correctionIn(from), beside: othersBeside }),
  };
  return (['POST', 'GET'] as const).map((method) => ({ method, path: `/api/${module}/${action}.json`, ...decider }));
};

/** A correction of a settled bill. */
const correctionIn =
  (billStatus: string): Decider['make'] =>
  async (db) => {
    const { no: rfbId } = await rowOf(db, 'rmaRepairFeeBill', { billStatus: '6', currency: 'CNY' });
    const { lineId } = await creditOf(db, 'rmaRepairFeeBill', rfbId);
    return { id: await addCorrection(db, { rfbId, billStatus }, lineId), input: { result: '2' } };
  };

async function addCorrection(db: Kysely<Tables>, own: { rfbId: string; billStatus: string }, lineId: number) {
  const { id, no: crbId } = await rowOf(db, 'rmaCorrectionBill', { currency: 'CNY', ...own });
  const definition = definitionOf('rmaCorrectionBillLine');
  const line = { crbId, lineId, includingTaxAmount: '-0.01', currency: 'CNY' };
  await insertRow(db, definition, { ...alwaysOf(definition, definitions), ...line }, definitions);
  return id;
}

/** Somebody else corrects the same line as well, or takes that back. */
const othersBeside: NonNullable<Decider['beside']> = {
  told: async (db, id) => {
    const correction = await db
      .selectFrom('rma_correction_bill')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return (await besideCorrection({ db }, correction)).foreseen;
  },
  change: async (db, id) => {
    const { crbId, rfbId } = await db
      .selectFrom('rma_correction_bill')
      .select(['crbId', 'rfbId'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const others = db.selectFrom('rma_correction_bill').select('id').where('rfbId', '=', rfbId).where('id', '<>', id);
    const [other] = await others.where('billStatus', '<>', '1').execute();
    if (other) {
      await db.updateTable('rma_correction_bill').set({ billStatus: '1' }).where('id', '=', other.id).execute();
      return;
    }
    const line = db.selectFrom('rma_correction_bill_line').select('lineId').where('crbId', '=', crbId);
    const { lineId } = await line.executeTakeFirstOrThrow();
    await addCorrection(db, { rfbId: String(rfbId), billStatus: '0' }, lineId);
  },
};

const confirming = (kind: 'scrap' | 'nofault', word: object): Decider => ({
  ...{ method: 'POST', path: `/api/rmaCheckBill/${kind}Confirm.json`, as: 'supervisor', figure: 'icdDescriptions' },
  module: kind === 'scrap' ? 'rmaScrapConfirm' : 'rmaNofaultConfirm',
  make: async (db) => {
    const { sn, ckbId } = await heldUnit(db, kind);
    const lines = db.selectFrom('rma_check_bill_line').select('id').where('ckbId', '=', ckbId).where('sn', '=', sn);
    return { id: (await lines.executeTakeFirstOrThrow()).id, input: { sn, ckbId, ...word } };
  },
});

const stockup = (name: string, status: string): Decider => ({
  ...{ method: 'GET', path: `/api/rmaStockupBill/${name}.json`, as: 'warehouse', module: 'rmaStockupBill' },
  figure: 'allCount',
  make: waiting('rmaStockupBill', { status, deliveredCount: 0, deliverSiteId: 'SZ' }),
});

const PAPER = 'a'.repeat(32);
/** A bill with this paper already, which is handed in again. */
const withPaper =
  (module: string, billStatus: string, field: string): Decider['make'] =>
  async (db) => {
    const url = `/file/${PAPER}.pdf`;
    const file = {
      id: PAPER,
      kind: [...documentKinds][0] as string,
      name: 'paper.pdf',
      mime: 'application/pdf',
      size: 1,
    };
    await db
      .insertInto('file')
      .values({ ...file, siteId: 'SZ', createBy: 'office' })
      .onConflict((it) => it.doNothing())
      .execute();
    const { id } = await rowOf(db, module, { billStatus, [field]: url });
    return { id, input: { id: String(id), [field]: url } };
  };
const pickup = { selfPickupStatus: '2', rejectionReason: 'not ready' };
const orders = ['icopWaferWorkOrder', 'icopBumpingCpWorkOrder', 'icopAssemblyWorkOrder', 'icopFtWorkOrder'];

/** What credits a line of a settled bill. */
async function creditOf(db: Kysely<Tables>, module: 'rmaRepairFeeBill' | 'rmaLogisticsCostsBill', no: string) {
  const definition = definitionOf(`${module}Line`);
  const own = module === 'rmaRepairFeeBill' ? { rfbId: no, includingTaxAmount: '1' } : { lcbId: no, amount: '1' };
  const row = { ...alwaysOf(definition, definitions), ...own };
  const { id } = (await insertRow(db, definition, row, definitions)) as { id: number };
  return { lineId: Number(id), amount: '-0.5', reason: 'charged twice' };
}

/** A state in which a bill may be deleted. */
const deletedFrom = (module: string): string => {
  const { billStatus = '0' } = allowedRows(definitionOf(module), { script: 'deleteById' }) ?? {};
  return [billStatus].flat()[0] as string;
};

/** A lot of the bank. */
async function lotOf(db: Kysely<Tables>, own: Record<string, unknown>): Promise<{ id: number; wipId: string }> {
  const wipId = next('WSEEN');
  const row = { ...alwaysOf(definitionOf('icopWip'), definitions), wipId, siteId: 'SZ', waferLotId: wipId, ...own };
  const { id } = (await insertRow(db, definitionOf('icopWip'), row, definitions)) as { id: number };
  return { id: Number(id), wipId };
}

/** A lot whose dies went into an order, and what of it is in process. */
async function inProcessOf(db: Kysely<Tables>, module: WorkOrderModule, workOrderNo: string): Promise<string> {
  const { wipId } = await lotOf(db, { stage: '1', chipQty: 0 });
  const isFt = module === 'icopFtWorkOrder';
  const line = { ...alwaysOf(definitionOf(`${module}Line`), definitions), workOrderNo, wipId };
  await insertRow(db, definitionOf(`${module}Line`), { ...line, ...(isFt && { group: 1, bin: 'G' }) }, definitions);
  const piece = { waferId: module === 'icopBumpingCpWorkOrder' ? '01' : null, bin: isFt ? 'G' : null };
  await db
    .insertInto('icop_transaction')
    .values({ ...piece, wipId, workOrderNo, transactionType: 'RESERVE', qty: 9, operateStatus: 'Normal' })
    .execute();
  return { icopBumpingCpWorkOrder: `${wipId}/01`, icopAssemblyWorkOrder: wipId, icopFtWorkOrder: '1' }[module];
}

/** Every call that decides about a row. */
export const deciders: readonly Decider[] = [
  ...reviewSteps.flatMap(reviewing),
  {
    ...{ method: 'POST', path: '/api/rmaPriceBill/void.json', as: 'finance', module: 'rmaPriceBill' },
    figure: 'unitPriceWithTax',
    make: waiting('rmaPriceBill', { billStatus: '2' }),
  },
  ...(['POST', 'GET'] as const).map((method): Decider => ({
    ...{ method, path: '/api/rmaLogisticsCostsBill/return.json', as: 'auditor', module: 'rmaLogisticsCostsBill' },
    figure: 'totalAmount',
    make: waiting('rmaLogisticsCostsBill', { billStatus: '1' }),
  })),
  {
    ...{ method: 'POST', path: '/api/rmaRepairFeeBill/uploadInvoice.json', as: 'office', module: 'rmaRepairFeeBill' },
    figure: 'includingTaxAmount',
    make: withPaper('rmaRepairFeeBill', '4', 'invoiceUrls'),
  },
  {
    ...{ method: 'POST', path: '/api/rmaLogisticsCostsBill/uploadCertificate.json', as: 'office' },
    ...{ module: 'rmaLogisticsCostsBill', figure: 'totalAmount' },
    make: withPaper('rmaLogisticsCostsBill', '0', 'certificateUrls'),
  },
  {
    ...{ method: 'POST', path: '/api/rmaRepairFeeBill/resubmit.json', as: 'office', module: 'rmaRepairFeeBill' },
    figure: 'reviewRemark',
    make: async (db) => {
      const { id, no: rfbId } = await rowOf(db, 'rmaRepairFeeBill', { billStatus: '1' });
      const line = { rfbId, priceReason: '6', remark: rfbId, isPriced: '1', currency: 'CNY', includingTaxAmount: '1' };
      await db.insertInto('rma_repair_fee_bill_line').values(line).execute();
      return { id, input: { id, corrected: [], removed: [], remark: 'as asked' } };
    },
  },
  ...(
    [
      ['rmaRepairFeeBill', '6', 'includingTaxAmount'],
      ['rmaLogisticsCostsBill', '2', 'totalAmount'],
    ] as const
  ).map(([module, billStatus, figure]): Decider => ({
    ...{ method: 'POST', path: `/api/${module}/correct.json`, as: 'office', module, figure },
    make: async (db) => {
      const { id, no } = await rowOf(db, module, { billStatus });
      return { id, input: { id, lines: [await creditOf(db, module, no)] } };
    },
  })),
  {
    ...{ method: 'POST', path: '/api/rmaCorrectionBill/resubmit.json', as: 'office', module: 'rmaCorrectionBill' },
    figure: 'reviewRemark',
    make: async (db) => {
      const { no: rfbId } = await rowOf(db, 'rmaRepairFeeBill', { billStatus: '6', currency: 'CNY' });
      const { id } = await rowOf(db, 'rmaCorrectionBill', { billStatus: '1', currency: 'CNY', rfbId });
      return { id, input: { id, settledVersion: 1, lines: [await creditOf(db, 'rmaRepairFeeBill', rfbId)] } };
    },
  },
  {
    ...{ method: 'POST', path: '/api/rmaRepairFeeBill/confirmPrices.json', as: 'office', module: 'rmaRepairFeeBill' },
    figure: 'includingTaxAmount',
    make: async (db) => {
      const { id, no: rfbId } = await rowOf(db, 'rmaRepairFeeBill', { billStatus: '0' });
      const values = { rfbId, priceChanged: '1', isPriced: '1', includingTaxAmount: '1' };
      const line = db.insertInto('rma_repair_fee_bill_line').values(values).returning('id');
      const { id: lineId } = await line.executeTakeFirstOrThrow();
      return { id, input: { id, lines: [{ lineId: Number(lineId), reason: 'agreed', beside: null }] } };
    },
  },
  confirming('scrap', { scrapStatus: '1', dutySourse: '0', dutySourseRemark: 'burnt' }),
  confirming('nofault', { nofaultConfirmStatus: '1' }),
  ...['selfPickupReview', 'review'].map((name): Decider => ({
    ...{ method: 'POST', path: `/api/rmaSelfPickup/${name}.json`, as: 'aftersales', module: 'rmaSelfPickup' },
    figure: 'companyName',
    make: waiting('rmaSelfPickup', { selfPickupStatus: '0' }, pickup),
  })),
  ...[
    ['cancelTransfer', '0'],
    ['returnTransfer', '1'],
  ].map(([name, billStatus]): Decider => ({
    ...{ method: 'POST', path: `/api/rmaStockTransferBill/${name}.json`, as: 'admin', module: 'rmaStockTransferBill' },
    figure: 'remark',
    make: waiting('rmaStockTransferBill', { billStatus, deliverSiteId: 'SZ', receiveSiteId: 'NB' }),
  })),
  {
    ...{ method: 'POST', path: '/api/rmaScrapRepairBill/cancelScrapRepair.json', as: 'admin', figure: 'remark' },
    module: 'rmaScrapRepairBill',
    make: waiting('rmaScrapRepairBill', { billStatus: '0' }),
  },
  stockup('stopStockupBill', '0'),
  stockup('resetStockupBill', '3'),
  stockup('cancelStockupBill', '0'),
  stockup('finishBill', '1'),
  ...orders.map((module): Decider => ({
    ...{ method: 'POST', path: `/api/${module}/editBillStatus.json`, as: 'planner', module, figure: 'remark' },
    make: waiting(module, { billStatus: '0' }, { billStatus: '4' }),
  })),
  ...orders.flatMap((module): Decider[] => {
    const counts = module === 'icopWaferWorkOrder' ? 'waferQty' : 'chipQty';
    const of = { method: 'GET', as: 'planner', module, figure: 'remark' } as const;
    const held = { [counts]: 5 };
    return [
      { ...of, path: `/api/${module}/sendSwitch.json`, make: waiting(module, { billStatus: '0', ...held }) },
      { ...of, path: `/api/${module}/done.json`, make: waiting(module, { billStatus: '2', ...held, outputQty: 5 }) },
    ];
  }),
  {
    ...{ method: 'POST', path: '/api/icopWaferWorkOrder/receiveWafers.json', as: 'planner', figure: 'remark' },
    module: 'icopWaferWorkOrder',
    make: waiting('icopWaferWorkOrder', { billStatus: '1', waferQty: 5, outputQty: 0, lossQty: 0 }, { missing: 1 }),
  },
  ...workOrderModules.map((module): Decider => ({
    ...{ method: 'POST', path: `/api/${module}/recordOutput.json`, as: 'planner', module, figure: 'remark' },
    make: async (db) => {
      const { id, no: workOrderNo } = await rowOf(db, module, { billStatus: '1', chipQty: 9 });
      const position = await inProcessOf(db, module, workOrderNo);
      return { id, input: { id: String(id), positions: [{ position, outputs: [], lossQty: 1 }] } };
    },
  })),
  {
    ...{ method: 'GET', path: '/api/icopWip/merge.json', as: 'planner', module: 'icopWip', figure: 'chipQty' },
    make: async (db) => {
      const lot = { stage: '9', chipQty: 5, binG: 5, marking: next('ALIKE') };
      const [own, other] = [await lotOf(db, lot), await lotOf(db, lot)];
      return { id: own.id, input: { id: String(own.id), wipIds: other.wipId, versions: '1', chipQtys: '5' } };
    },
  },
  {
    ...{ method: 'GET', path: '/api/icopTransaction/rollbackById.json', as: 'admin', module: 'icopTransaction' },
    figure: 'remark',
    make: async (db) => {
      const { no: workOrderNo } = await rowOf(db, 'icopBumpingCpWorkOrder', { billStatus: '2', lossQty: 2 });
      const { wipId } = await lotOf(db, { stage: '1', chipQty: 0 });
      const entry = { wipId, workOrderNo, transactionType: 'LOSS', qty: 1, operateStatus: 'Normal' };
      const { id } = await db.insertInto('icop_transaction').values(entry).returning('id').executeTakeFirstOrThrow();
      return { id: Number(id), input: { id: String(id), remark: 'mistyped' } };
    },
  },
  ...reviewedModules.map((module): Decider => ({
    ...{ method: 'POST', path: `/api/${module}/deleteById.json`, as: 'admin', module, figure: amountsOf[module].total },
    make: waiting(module, { billStatus: deletedFrom(module) }),
  })),
  ...reviewedModules.map((module): Decider => ({
    ...{ method: 'POST', path: `/api/${module}/deleteAll.json`, as: 'admin', module, figure: amountsOf[module].total },
    make: async (db) => {
      const { id } = await rowOf(db, module, { billStatus: deletedFrom(module) });
      return { id, input: { ids: [id] } };
    },
    says: (id, version) => ({ versions: { [id]: version } }),
  })),
  ...workOrderModules.map((module): Decider => ({
    ...{ method: 'POST', path: `/api/${module}/modifyLines.json`, as: 'planner', module, figure: 'remark' },
    make: async (db) => {
      const supplier = { supplierId: next('TO'), supplierName: 'To', status: '1' };
      const supplierType = definitionOf(module).fields['supplierId']?.ref?.only?.values[0] ?? '';
      await db
        .insertInto('icop_supplier')
        .values({ ...supplier, supplierType })
        .execute();
      const { id } = await rowOf(db, module, { billStatus: '0' });
      // A device is made of the wafers that its line names.
      if (module === 'icopAssemblyWorkOrder')
        await sql`UPDATE icop_part_number_line AS l SET "waferPn" = o."waferPn"
                    FROM icop_assembly_work_order AS o WHERE o.id = ${id} AND l."devicePn" = o."devicePn"`.execute(db);
      const lines = module === 'icopFtWorkOrder' ? 'ftWorkOrderLineGroupList' : 'waferList';
      return { id, input: { id: String(id), supplierId: supplier.supplierId, [lines]: [] } };
    },
  })),
];

/** Somebody else changes the row, as every change does: with its next version. */
async function change(db: Kysely<Tables>, { module, figure }: Decider, id: number, to: number): Promise<void> {
  await sql`UPDATE ${sql.table(definitionOf(module).table)}
               SET ${sql.ref(figure)} = ${to}, version = version + 1, "updateBy" = 'somebody', "updateTime" = now()
             WHERE id = ${id}`.execute(db);
}

async function stands(db: Kysely<Tables>, { module, figure }: Decider, id: number) {
  const { rows } = await sql<{ version: number; figure: unknown }>`
    SELECT version, ${sql.ref(figure)}::text AS figure FROM ${sql.table(definitionOf(module).table)} WHERE id = ${id}`.execute(
    db,
  );
  return rows[0] as (typeof rows)[number];
}

/** No list of bills that are reviewed ships with this button; whoever shapes the lists may add it. */
export function offerDeleteAll({ model }: TestApp): void {
  const all = model.definitions as Map<string, Definition>;
  for (const module of reviewedModules) {
    const { buttons = [], ...definition } = all.get(module) as Definition;
    const own = buttons.filter((it) => it.script !== 'deleteAll');
    const label = { zh: '批量删除', en: 'Delete selected' };
    all.set(module, {
      ...definition,
      buttons: [...own, { btnNo: 'deleteAll', script: 'deleteAll', label, rows: 'many' }],
    });
  }
}

interface Tally {
  decided: number;
  refused: number;
  /** The same by call. */
  calls: Record<string, { decided: number; refused: number }>;
  /** Decisions on what was not on the screen. */
  unseen: string[];
  /** What was to be taken and was not, or was refused for something else. */
  wrong: string[];
}

/**
 * Rounds of somebody who opens a row, perhaps looks again, and decides, while others change it: whenever the row is not
 * what they saw last, the decision is to be refused with the row as it stands. Reviews go one by one or as a bulk run.
 * `blind` plants the fault: the version that goes along is today's, whatever was seen.
 */
export async function decideAtRandom(
  testApp: TestApp,
  { rounds, seed, blind = false }: { rounds: number; seed: number; blind?: boolean },
): Promise<Tally> {
  const { db } = testApp;
  offerDeleteAll(testApp);
  const random = randomFrom(seed);
  const below = (n: number) => Math.floor(random() * n);
  const tally: Tally = { decided: 0, refused: 0, calls: {}, unseen: [], wrong: [] };
  for (let round = 0; round < rounds; round++) {
    const decider = deciders[round % deciders.length] as Decider;
    const { method, path, as, beside, says = (_, version) => ({ version }) } = decider;
    const { id, input } = await decider.make(db);
    const look = async () => ({ ...(await stands(db, decider, id)), told: (await beside?.told(db, id)) ?? '' });
    let seen = await look();
    for (let n = below(3); n > 0; n--) {
      if (beside && below(2) === 0) await beside.change(db, id);
      else await change(db, decider, id, 10 + below(90_000));
      if (below(2) === 0) seen = await look();
    }
    const before = await look();
    const { version, told: foreseen } = blind ? before : seen;
    const isBulk = reviewSteps.some((it) => path.endsWith(`/${it.module}/${it.action}.json`)) && below(3) === 0;
    const answer = isBulk
      ? await testApp.ask('POST', `/api/${decider.module}/bulk.json`, bulkOf(path, { id, version, foreseen }, input), {
          as,
        })
      : await testApp.ask(method, path, { ...input, ...(beside && { id, foreseen }), ...says(id, version) }, { as });
    const verdict = isBulk ? (answer.data['results'] as { code: string; version: number }[])[0] : answer;
    const what = `round ${round}: ${isBulk ? 'bulk ' : ''}${method} ${path} answers ${verdict?.code} ${answer.msg}`;
    const isSeen = before.version === seen.version && before.told === seen.told;
    const told = (tally.calls[`${method} ${path}`] ??= { decided: 0, refused: 0 });
    if (verdict?.code === '000000') {
      tally.decided += 1;
      told.decided += 1;
      // Nobody does the jobs here, and a user may have few that wait.
      await db.deleteFrom('job').execute();
      if (!isSeen) tally.unseen.push(`${what}: ${String(seen.figure)} was shown, ${String(before.figure)} stood there`);
    } else if (verdict?.code !== '100025' || isSeen) tally.wrong.push(what);
    else {
      tally.refused += 1;
      told.refused += 1;
      const now = isBulk ? (verdict as { version?: number }).version : answer.data['version'];
      // The confirmations tell the new line by the page's own reading; what is told beside a row is told by the refusal.
      if (now !== before.version && !path.includes('rmaCheckBill') && before.version !== seen.version)
        tally.wrong.push(`${what}, without the row as it stands`);
      if ((await stands(db, decider, id)).version !== before.version) tally.wrong.push(`${what}, and wrote`);
    }
  }
  return tally;
}

const bulkOf = (
  path: string,
  { id, version, foreseen }: { id: number; version: number; foreseen: string },
  { id: _, ...values }: Record<string, unknown>,
) => ({
  ...{ action: path.split('/').at(-1)?.replace('.json', ''), ids: [id], versions: { [id]: version }, values },
  ...(foreseen !== '' && { foreseen: { [id]: foreseen } }),
});
