import type { Registers } from '#domain/definition/problems.ts';
import { genericScripts } from '#domain/definition/scripts.ts';
import { hooks } from '#features/hooks.ts';
import { dialogScripts, pageScripts } from '#features/scripts.ts';

/** What a definition may name: the generic scripts, and the features' pages and dialogs; and whom the hooks name. */
export const registers: Registers = {
  hooks: new Set(Object.keys(hooks)),
  scripts: new Set<string>([...genericScripts, ...pageScripts, ...dialogScripts.map((it) => it.replace(/^\*:/, ''))]),
};
