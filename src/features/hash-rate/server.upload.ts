import type { Field } from '#domain/definition/grammar.ts';
import { MOST_SAMPLES } from '#domain/hashRate.ts';
import type { Problem } from '#domain/refusal.ts';
import type { Context } from '#server/context.ts';
import { parseValue } from '#server/engine/values.ts';
import type { Import, ImportColumn, Importer, ImportRow } from '#server/imports/importer.ts';
import { recordInLedger } from '#server/ledger.ts';
import { readKnown, reporterOf, writeSamples } from './queries.ts';
import { validatePlace, validateSample, type Sample } from './rules.ts';

const code = { type: 'String', maxLength: 64, format: 'code' } as const;
const fields = {
  userOid: { ...code, label: { zh: '账号', en: 'Account' } },
  workerId: { ...code, label: { zh: '矿机编号', en: 'Worker' } },
  timestamp: { type: 'dateTime', label: { zh: '上报时间', en: 'Time' } },
  hashRate: { type: 'Number', label: { zh: '算力（TH/s）', en: 'Hash rate (TH/s)' } },
} as const satisfies Record<keyof Sample, Field>;

const columns: readonly ImportColumn[] = Object.entries(fields).map(([name, field]) => ({
  name,
  field,
  label: field.label,
  required: true,
}));

/**
 * Samples from a workbook, for racks that have no collector or while it was away: judged row by row by the rules of the
 * ingest, for the sites of whoever uploads. Rule: hash-rate#files.
 */
export const samplesImport: Importer = {
  columns: () => columns,
  open: () => new SamplesImport(),
};

class SamplesImport implements Import {
  readonly #samples: Sample[] = [];

  async check(rows: readonly ImportRow[], ctx: Context): Promise<void> {
    const now = Date.now();
    const read: { row: ImportRow; sample: Sample }[] = [];
    for (const row of rows) {
      const sample = readSample(row, ctx);
      if (sample) row.problems.push(...validateSample(sample, now));
      if (sample && row.problems.length === 0) read.push({ row, sample });
    }
    const samples = read.map((it) => it.sample);
    const known = await readKnown(ctx.db, samples);
    const reporter = reporterOf(ctx.currentUser);
    for (const { row, sample } of read) row.problems.push(...validatePlace(sample, known, reporter));
    this.#samples.push(...samples);
  }

  async write(ctx: Context): Promise<void> {
    // By account and machine, so that the batches lock in one order as well.
    const samples = this.#samples.toSorted((a, b) => order(a.userOid, b.userOid) || order(a.workerId, b.workerId));
    let stored = 0;
    for (let from = 0; from < samples.length; from += MOST_SAMPLES) {
      stored += await writeSamples(ctx, samples.slice(from, from + MOST_SAMPLES), reporterOf(ctx.currentUser));
    }
    const to = { received: samples.length, stored, repeated: samples.length - stored };
    await recordInLedger(ctx, { what: 'upload', module: 'userWorker', recordId: '', to });
  }
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The row as a sample; nothing where a cell is missing or can't be read, which the row then says. */
function readSample(row: ImportRow, { config }: Context): Sample | null {
  const values: Partial<Record<keyof Sample, unknown>> = {};
  const missing: Problem['args'] = { fields: [] };
  for (const { name, field, label } of columns) {
    const raw = row.values[name];
    if (raw === undefined) {
      if (!row.problems.some((it) => it.field === name)) missing['fields'] = [...(missing['fields'] as []), label];
      continue;
    }
    const parsed = parseValue(field, name, raw, config.timeZone);
    if ('problem' in parsed) row.problems.push(parsed.problem);
    else values[name as keyof Sample] = parsed.value;
  }
  if ((missing['fields'] as []).length > 0) row.problems.push({ key: 'required', args: missing });
  if (row.problems.length > 0) return null;
  return {
    userOid: String(values.userOid),
    workerId: String(values.workerId),
    timestamp: Number(values.timestamp),
    hashRate: Number(values.hashRate),
  };
}
