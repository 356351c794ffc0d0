import { refuseUnwritten } from '#server/engine/allowed.ts';
import type { Features } from '#server/features.ts';
import { creating } from '#server/imports/creating.ts';
import type { ImportCall, Importer } from '#server/imports/importer.ts';
import { setting } from '#server/imports/setting.ts';

/** The scripts of buttons that take a workbook of rows. */
export const importScripts = ['upload', 'uploadSignForTime'] as const;

/**
 * Who takes a module's workbook: the feature that brings one of its own, else the engine, as far as the module allows it.
 * @throws Refusal notAllowed
 */
export type Importers = (call: Pick<ImportCall, 'definition' | 'button'>) => Importer;

export const importersOf =
  (imports: Features['imports']): Importers =>
  ({ definition, button }) => {
    const own = imports[`${definition.module}:${button.script}`];
    if (!own) refuseUnwritten(definition, button);
    return own ?? (button.script === 'uploadSignForTime' ? setting : creating);
  };
