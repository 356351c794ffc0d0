import type { Registers } from '#domain/definition/problems.ts';
import { genericScripts } from '#domain/definition/scripts.ts';
import { dialogScripts, laws, pageScripts } from '#features/laws.ts';

/** What a definition may name: the laws of the features, the generic scripts, and the features' pages and dialogs. */
export const registers: Registers = {
  checks: new Set(Object.keys(laws)),
  scripts: new Set<string>([...genericScripts, ...pageScripts, ...dialogScripts.map((it) => it.replace(/^\*:/, ''))]),
};
