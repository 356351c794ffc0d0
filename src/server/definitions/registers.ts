import type { Registers } from '#domain/definition/problems.ts';
import { genericScripts } from '#domain/definition/scripts.ts';
import type { Features } from '#server/features.ts';

/** What a definition may name: the generic scripts, and the features' pages and dialogs; and whom the hooks name. */
export const registersOf = ({
  hooks,
  pageScripts,
  dialogScripts,
}: Pick<Features, 'hooks' | 'pageScripts' | 'dialogScripts'>): Registers => ({
  hooks: new Set(Object.keys(hooks)),
  scripts: new Set<string>([...genericScripts, ...pageScripts, ...dialogScripts.map((it) => it.replace(/^\*:/, ''))]),
});
