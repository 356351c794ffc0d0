import { workOrderModules } from '#domain/wafer.ts';
import type { Importer } from '#server/imports/importer.ts';
import { samplesImport } from './hash-rate/server.upload.ts';
import { outputImport, shippingImport } from './order-output/server.upload.ts';
import { pricesImport } from './reviews/server.prices.ts';
import { logisticsImport } from './uploads/server.logistics.ts';

/** Workbooks that are more than new rows of their module, by `module:script`; all others are the engine's. */
export const imports: Record<string, Importer> = {
  'userWorker:upload': samplesImport,
  'rmaLogisticsCostsBill:upload': logisticsImport,
  'rmaPriceBill:upload': pricesImport,
  'icopWaferWorkOrder:upload': shippingImport,
  ...Object.fromEntries(workOrderModules.map((it) => [`${it}:upload`, outputImport(it)])),
};
