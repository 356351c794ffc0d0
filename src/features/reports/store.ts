import type { Kind } from './rules.ts';
import { inventoryBalance } from './store.inventoryBalance.ts';
import { mainBillData } from './store.mainBillData.ts';
import { monthStatistics } from './store.monthStatistics.ts';
import { onSiteRepair } from './store.onSiteRepair.ts';
import { repairAndSale } from './store.repairAndSale.ts';
import { repairOrder } from './store.repairOrder.ts';
import { repairRate } from './store.repairRate.ts';
import type { Report } from './store.report.ts';
import { scrapAccuracy } from './store.scrapAccuracy.ts';
import { secondRepair } from './store.secondRepair.ts';
import { stockStatus } from './store.stockStatus.ts';
import { supplierStatistics } from './store.supplierStatistics.ts';
import { tatHandover } from './store.tatHandover.ts';
import { tatOvertime } from './store.tatOvertime.ts';
import { uncheckedOvertime } from './store.uncheckedOvertime.ts';
import { undeliveredOvertime } from './store.undeliveredOvertime.ts';

/** Every report of the house. */
export const reports: readonly Report[] = [
  uncheckedOvertime,
  undeliveredOvertime,
  tatOvertime,
  tatHandover,
  monthStatistics,
  secondRepair,
  scrapAccuracy,
  repairAndSale,
  repairRate,
  stockStatus,
  inventoryBalance,
  mainBillData,
  repairOrder,
  onSiteRepair,
  supplierStatistics,
];

const byKind = new Map(reports.map((it) => [it.kind, it]));

/** The report of a kind; every kind has one, which a test holds. */
export const reportOf = (kind: Kind): Report => byKind.get(kind) as Report;
