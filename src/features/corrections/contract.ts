import { Type } from 'typebox';
import { lookup, submit } from '#domain/call.ts';
import { OtherCorrection } from '#domain/corrections.ts';
import { Nullable, RowId, SeenVersion } from '#domain/wire.ts';
import { MOST_LINES } from './rules.ts';

/** The bills that settle, and are corrected after it. Rule: money#correction-bills. */
export type SettledModule = 'rmaRepairFeeBill' | 'rmaLogisticsCostsBill';

/** The line of the settled bill, what it is corrected by (negative: a credit, positive: a debit), and why. */
const entries = Type.Array(
  Type.Object({
    lineId: RowId,
    amount: Type.String({ maxLength: 20, description: 'Negative: a credit; positive: a debit.' }),
    reason: Type.String({ maxLength: 500 }),
  }),
  { maxItems: MOST_LINES },
);
const input = Type.Object({ id: RowId, version: SeenVersion, lines: entries });
/** Of the settled bill as well: another correction of its lines changes it. */
const inputAgain = Type.Object({ ...input.properties, settledVersion: SeenVersion });
const made = Type.Object({
  id: Type.Integer(),
  crbId: Type.String(),
  billStatus: Type.String(),
  lineCount: Type.Integer(),
  includingTaxAmount: Type.String(),
});

/** A settled bill gets a correction bill, which waits for its reviews. Rule: money#correction-bills. */
export const correct = (module: SettledModule) =>
  submit({ path: `/api/${module}/correct.json`, right: `${module}:correct`, input, data: made });

/** A correction that was rejected is handed in again with other lines. Rule: money#correction-bills. */
export const resubmitCorrection = submit({
  path: '/api/rmaCorrectionBill/resubmit.json',
  right: 'rmaCorrectionBill:resubmit',
  input: inputAgain,
  data: made,
});

const left = Type.Object({
  /** The settled bill as it is corrected. */
  settled: Type.Object({
    ...{ version: Type.Integer(), no: Type.String(), total: Type.String() },
    ...{ supplierName: Nullable(Type.String()), recPeriod: Nullable(Type.String()) },
  }),
  lines: Type.Array(Type.Object({ lineId: Type.Integer(), left: Type.String() })),
  /** What else corrects its lines and is not rejected. */
  others: Type.Array(OtherCorrection),
});

/** A settled bill, what is left of each of its lines that has corrections (of the others all is), and by what. Rule: money#correction-bills. */
export const leftOfLines = (module: SettledModule) =>
  lookup({
    path: `/api/${module}/leftOfLines.json`,
    right: `${module}:correct`,
    input: Type.Object({ id: RowId }),
    data: left,
  });

/** The same of the lines that a correction is for, without the correction itself. Rule: money#correction-bills. */
export const leftWithout = lookup({
  path: '/api/rmaCorrectionBill/leftOfLines.json',
  right: 'rmaCorrectionBill:resubmit',
  input: Type.Object({ id: RowId }),
  data: left,
});
