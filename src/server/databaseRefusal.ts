import type { Definition, Model } from '#domain/definition/grammar.ts';
import type { Problem } from '#domain/refusal.ts';
import { brokenReferenceOf } from '#server/brokenReference.ts';
import { longValueOf } from '#server/longValue.ts';
import { codeOf } from '#server/transaction.ts';

/**
 * What the database refused to write, in our words: rules look before, this is for what they can't see. Asked wherever an
 * error ends: by a call, a job and a row of a bulk run.
 */
export function databaseRefusalOf(error: unknown, model: Model): Problem | undefined {
  const code = codeOf(error);
  if (code === '23505') {
    const { columns, value } = uniqueOf(error as { detail?: string });
    return alreadyExists(fieldsOf((error as { table?: string }).table, model), columns, value);
  }
  // Rules bound what is sent; this is for what is computed.
  if (code === '22003') return { key: 'outOfRange' };
  return brokenReferenceOf(error, model) ?? longValueOf(error, model);
}

/** What is unique has another row already: by its columns, and what stands in them as the database writes it. */
export const alreadyExists = (fields: Definition['fields'], columns: readonly string[], value: string): Problem => ({
  key: 'alreadyExists',
  field: columns.join(', '),
  args: { what: columns.map((it) => fields[it]?.label ?? it), value },
});

/** The fields of whichever module keeps its rows in that table. */
const fieldsOf = (table: string | undefined, { definitions }: Model): Definition['fields'] =>
  [...definitions.values()].find((it) => it.table === table && !it.viewOf && !it.rowsOf)?.fields ?? {};

/** `Key ("siteId", code)=(SZ, A1) already exists.` names the columns and their values, in whatever language. */
function uniqueOf({ detail = '' }: { detail?: string }): { columns: string[]; value: string } {
  const found = /\((.+)\)=\((.*)\)/s.exec(detail);
  return { columns: (found?.[1] ?? '').replaceAll('"', '').split(', '), value: found?.[2] ?? '' };
}
