import type { Button, Definition } from '#domain/definition/grammar.ts';
import { takesMany } from '#domain/definition/scripts.ts';
import { readModel } from '#server/definitions/read.ts';
import { registers } from '#main/registers.ts';

/** An action that a list offers for many rows. */
export interface ManyAction {
  module: string;
  script: string;
}

const isForMany = ({ module, buttons = [] }: Definition, { script, bulk }: Button): boolean =>
  bulk === true
    ? takesMany(module, script)
    : ['modify', 'deleteAll'].includes(script) && buttons.some((it) => it.script === 'deleteAll');

/** Every action that some list with a bulk dialog takes for many rows, by the definitions. */
export const manyActions: readonly ManyAction[] = [...readModel(registers).definitions.values()]
  .filter((it) => it.buttons?.some(({ script }) => script === 'bulk'))
  .flatMap((it) =>
    (it.buttons ?? []).filter((button) => isForMany(it, button)).map(({ script }) => ({ module: it.module, script })),
  );
