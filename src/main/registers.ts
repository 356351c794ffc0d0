import { hooks } from '#features/hooks.ts';
import { dialogScripts, pageScripts } from '#features/scripts.ts';
import { registersOf } from '#server/definitions/registers.ts';

/** What definitions may name; a command that needs no more of the features loads no more of them. */
export const registers = registersOf({ hooks, pageScripts, dialogScripts });
