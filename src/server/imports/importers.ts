import type { Features } from '#server/features.ts';
import { creating } from '#server/imports/creating.ts';
import type { Importer } from '#server/imports/importer.ts';
import { setting } from '#server/imports/setting.ts';

/** The scripts of buttons that take a workbook of rows. */
export const importScripts = ['upload', 'uploadSignForTime'] as const;

/** Who takes a module's workbook: the feature that brings one of its own, else the engine. */
export type Importers = (module: string, script: string) => Importer;

export const importersOf =
  (imports: Features['imports']): Importers =>
  (module, script) =>
    imports[`${module}:${script}`] ?? (script === 'uploadSignForTime' ? setting : creating);
