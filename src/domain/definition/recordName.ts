import type { Definition } from '#domain/definition/grammar.ts';
import type { Words } from '#domain/words.ts';

/** What one row is called, where the list is called by the many. Rule: definitions#names. */
export const recordName = ({ one, label }: Pick<Definition, 'one' | 'label'>): Words => one ?? label;
