import type { Model } from '#domain/definition/grammar.ts';
import { referencesOf } from '#domain/definition/references.ts';
import { named } from '#domain/definition/columns.ts';
import { usesOf } from '#domain/definition/uses.ts';
import { recordName } from '#domain/definition/recordName.ts';
import type { Problem } from '#domain/refusal.ts';
import { codeOf } from '#server/transaction.ts';

/**
 * What a foreign key refused, in our words: a row refers to what is gone, or what goes is still referred to. Rules look
 * at both before; this is for what another one does between the look and the write. Rule: definitions#references.
 */
export function brokenReferenceOf(error: unknown, { definitions }: Model): Problem | undefined {
  if (codeOf(error) !== '23503') return undefined;
  const { constraint, detail = '' } = error as { constraint?: string; detail?: string };
  const reference =
    referencesOf(definitions.values()).references.find((it) => it.name === constraint) ??
    usesOf(definitions).find((it) => named(it.table, [it.column], 'names') === constraint);
  if (!reference) return undefined;
  const { module, column, to } = reference;
  const [from, target] = [definitions.get(module), definitions.get(to.module)];
  // `Key ("siteId")=(SZ) is not present in table "ubs_site".`, in whatever language: the value, then the other table.
  const value = /=\((.*)\)/s.exec(detail)?.[1] ?? '';
  const rest = detail.slice(detail.lastIndexOf(')'));
  return new RegExp(String.raw`\b${to.table}\b`).test(rest)
    ? {
        key: 'refGone',
        field: column,
        args: { field: from?.fields[column]?.label ?? column, value, where: target?.label ?? to.module },
      }
    : {
        key: 'stillUsed',
        field: to.column,
        args: { what: target ? recordName(target) : to.module, value, where: from?.label ?? module },
      };
}
