import type { Model } from '#domain/definition/grammar.ts';
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
    const [what, value] = uniqueOf(error as { detail?: string });
    return { key: 'alreadyExists', field: what, args: { what, value } };
  }
  // Rules bound what is sent; this is for what is computed.
  if (code === '22003') return { key: 'outOfRange' };
  return brokenReferenceOf(error, model) ?? longValueOf(error, model);
}

/** `Key ("siteId")=(SZ) already exists.` names the field and the value. */
function uniqueOf({ detail = '' }: { detail?: string }): [string, string] {
  const found = /^Key \((.+)\)=\((.*)\)/.exec(detail);
  return [(found?.[1] ?? '').replaceAll('"', ''), found?.[2] ?? ''];
}
