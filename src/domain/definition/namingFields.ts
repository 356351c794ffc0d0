import type { Definition } from '#domain/definition/grammar.ts';
import { holdsSn } from '#domain/sn.ts';

/**
 * The fields by whose values a row is called: in the title of its card, to who cannot see it, before it is deleted. The
 * first column where it is unique or leads to the record; else what no two rows share together; else an SN; else the
 * first column, or the first code where that one only chooses or counts. Rule: lists#naming.
 */
export function namingFields({ list, fields, unique = [] }: Definition): readonly string[] {
  const columns = list?.columns ?? Object.keys(fields);
  const [first = ''] = columns;
  if (fields[first]?.unique || list?.link) return [first];
  if (unique[0]) return unique[0];
  const sn = columns.find(holdsSn);
  if (sn) return [sn];
  const isWeak = ['select', 'Integer'].includes(fields[first]?.type ?? '');
  const code = isWeak ? columns.find((it) => fields[it]?.format === 'code') : undefined;
  return [code ?? first];
}
