import type { Importer } from '#server/imports/importer.ts';
import { logisticsImport } from './uploads/server.logistics.ts';

/** Workbooks that are more than new rows of their module, by `module:script`; all others are the engine's. */
export const imports: Record<string, Importer> = {
  'rmaLogisticsCostsBill:upload': logisticsImport,
};
