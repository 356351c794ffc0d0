import { Type } from 'typebox';
import { lookup, submit } from '#domain/call.ts';
import { MOST_CONFIRMED } from './rules.ts';
import { Code, Nullable, Remark, RowId, SeenVersion } from '#domain/wire.ts';

const text = Type.Optional(Type.String({ maxLength: 10 }));

/** Delivered or scrapped on days before the range that are settled already, and on no bill. */
const unbilled = Nullable(
  Type.Object({
    count: Type.Integer(),
    /** A calendar day, as 2026-10-31: a range that begins on it has them all. */
    from: Type.String(),
    sns: Type.Array(Type.String(), { description: 'Some of them.' }),
  }),
);

/**
 * Makes the repair-fee bills of a month, for each site of the user one a supplier and currency; the answer names them, and
 * what came too late for one that stands. Rule: money#whose-bill.
 */
export const generateFee = submit({
  path: '/api/rmaRepairFeeBill/generateMonthlyProcessingFeeBill.json',
  right: 'rmaRepairFeeBill:generateMonthly',
  input: Type.Object({ recPeriod: text, startDate: text, endDate: text }),
  data: Type.Object({
    items: Type.Array(
      Type.Object({
        rfbId: Type.String(),
        siteId: Type.String(),
        supplierName: Type.Union([Type.String(), Type.Null()]),
        currency: Type.Union([Type.String(), Type.Null()]),
        lineCount: Type.Integer(),
        unpricedCount: Type.Integer(),
        includingTaxAmount: Type.String(),
      }),
    ),
    late: Type.Array(
      Type.Object(
        { rfbId: Type.String(), lineCount: Type.Integer() },
        { description: 'Left for later: this bill stands.' },
      ),
    ),
    unbilled,
  }),
});

/** The same as a GET, for whoever expects it among the exports. Rule: money#repair-fees. */
export const generateFeeByGet = { ...generateFee, method: 'GET' as const };

/**
 * The lines of a bill that after-sales rejected are corrected: what the work of some was, and which are taken out; then it
 * waits for after-sales anew. No amount is sent: all lines are priced anew. Rule: money#corrections.
 */
export const resubmitFee = submit({
  path: '/api/rmaRepairFeeBill/resubmit.json',
  right: 'rmaRepairFeeBill:resubmit',
  input: Type.Object({
    id: RowId,
    version: SeenVersion,
    remark: Remark,
    corrected: Type.Array(
      Type.Object({ id: RowId, repairProject: Code, warranty: Code, repairType: Code, isSecondRepair: Code }),
      {
        maxItems: 20_000,
      },
    ),
    removed: Type.Array(RowId, { maxItems: 20_000 }),
  }),
  data: Type.Object({
    id: Type.Integer(),
    billStatus: Type.String(),
    supplierName: Nullable(Type.String()),
    currency: Nullable(Type.String()),
    lineCount: Type.Integer(),
    includingTaxAmount: Type.String(),
  }),
});

/** The lines of a bill whose price was voided or changed since and that nobody has confirmed. Rule: money#changed-prices. */
export const changedPrices = lookup({
  path: '/api/rmaRepairFeeBill/changedPrices.json',
  right: 'rmaRepairFeeBill:confirmPrices',
  input: Type.Object({ id: RowId }),
  data: Type.Object({
    lines: Type.Array(
      Type.Object({
        lineId: Type.Integer(),
        sn: Nullable(Type.String()),
        prbId: Nullable(Type.String()),
        amount: Type.String(),
        currency: Nullable(Type.String()),
        /** What the prices say now; nothing where they say none. */
        now: Nullable(
          Type.Object({ prbId: Type.String(), amount: Nullable(Type.String()), currency: Nullable(Type.String()) }),
        ),
        /** The same in words: goes with the reason, as what was seen. */
        beside: Nullable(Type.String()),
      }),
      { maxItems: MOST_CONFIRMED },
    ),
    /** Of the prices of these lines, those that were voided: by whom, and when. */
    voided: Type.Array(Type.Object({ prbId: Type.String(), by: Nullable(Type.String()), at: Type.Number() }), {
      maxItems: MOST_CONFIRMED,
    }),
  }),
});

/** Lines keep their price, though it was voided or changed since, each with its reason. Rule: money#changed-prices. */
export const confirmPrices = submit({
  path: '/api/rmaRepairFeeBill/confirmPrices.json',
  right: 'rmaRepairFeeBill:confirmPrices',
  input: Type.Object({
    id: RowId,
    version: SeenVersion,
    lines: Type.Array(
      Type.Object({
        lineId: RowId,
        reason: Type.String({ maxLength: 500 }),
        /** What the prices said of it when it was shown; another word than today's is refused. */
        beside: Nullable(Type.String({ maxLength: 200 })),
      }),
      { maxItems: MOST_CONFIRMED },
    ),
  }),
  data: Type.Object({ id: Type.Integer(), confirmedCount: Type.Integer() }),
});

/**
 * Makes the workbook of a bill that has none, as its job was cancelled or failed; one that is under way is that job.
 * Rule: money#fee-workbook.
 */
export const makeWorkbook = submit({
  path: '/api/rmaRepairFeeBill/makeWorkbook.json',
  right: 'rmaRepairFeeBill:makeWorkbook',
  input: Type.Object({ id: RowId }),
  data: Type.Object({ id: Type.Integer(), jobId: Type.Integer() }),
});

const Text = Nullable(Type.String());

/** Before a month is settled: the units that will find no price, the first of them, and why. Rule: money#missing-prices. */
export const unpricedUnits = lookup({
  path: '/api/rmaRepairFeeBill/unpricedUnits.json',
  right: 'rmaRepairFeeBill:generateMonthly',
  input: Type.Object({ recPeriod: text, startDate: text, endDate: text }),
  data: Type.Object({
    total: Type.Integer(),
    unbilled,
    items: Type.Array(
      Type.Object({
        sn: Text,
        mtbId: Type.String(),
        siteId: Type.String(),
        siteName: Text,
        machineType: Text,
        repairProject: Text,
        warranty: Text,
        repairType: Text,
        /** A calendar day, as 2026-10-31. */
        day: Type.String(),
        reason: Type.String({ description: 'noFamily, none, notPassed, notYet, expired, currencies, suppliers' }),
        /** The price bill that comes nearest, or one of several. */
        prbId: Text,
      }),
    ),
  }),
});
const Found = Type.Object({ reason: Text, prbId: Text });

/**
 * Why a line costs what it costs: the price bill and what it was found by; what the same work would find now; and, where
 * that is none, the price bills that come nearest, with what they miss. Rule: money#why-a-price.
 */
export const whyPrice = lookup({
  path: '/api/rmaRepairFeeBillLine/whyPrice.json',
  right: 'rmaRepairFeeBillLine:whyPrice',
  input: Type.Object({ id: RowId }),
  data: Type.Object({
    sn: Text,
    /** The number of the expense, where the line is one. */
    expense: Text,
    unitPrice: Text,
    /** Of the price bill that the line follows. */
    supplierName: Text,
    currency: Text,
    /** It was rolled back and ended anew: `work` is what stands now, and the amount is not of that. */
    isAnew: Type.Boolean(),
    was: Found,
    work: Type.Object({
      siteName: Text,
      repairProject: Text,
      machineType: Text,
      warranty: Text,
      repairType: Text,
      /** A calendar day, as 2026-10-31. */
      day: Text,
    }),
    now: Type.Object({ ...Found.properties, count: Type.Integer() }),
    near: Type.Array(
      Type.Object({
        prbId: Type.String(),
        supplierName: Type.String(),
        currency: Type.String(),
        unitPriceWithTax: Type.String(),
        effectiveDate: Type.String(),
        expirationDate: Type.String(),
        misses: Type.Array(Type.String(), {
          description: 'billStatus, repairProject, machineType, warranty, repairType, day',
        }),
      }),
    ),
  }),
});
