import type { Kind } from '#domain/reports.ts';
import { inventoryBalance } from './inventoryBalance.ts';
import { mainBillData } from './mainBillData.ts';
import { monthStatistics } from './monthStatistics.ts';
import { onSiteRepair } from './onSiteRepair.ts';
import { repairAndSale } from './repairAndSale.ts';
import { repairOrder } from './repairOrder.ts';
import { repairRate } from './repairRate.ts';
import type { Report } from './report.ts';
import { scrapAccuracy } from './scrapAccuracy.ts';
import { secondRepair } from './secondRepair.ts';
import { stockStatus } from './stockStatus.ts';
import { supplierStatistics } from './supplierStatistics.ts';
import { tatHandover } from './tatHandover.ts';
import { tatOvertime } from './tatOvertime.ts';
import { uncheckedOvertime } from './uncheckedOvertime.ts';
import { undeliveredOvertime } from './undeliveredOvertime.ts';

/** Every report of the product. */
const reports: readonly Report[] = [
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
