import { expect, it } from 'vitest';
import { ComponentType } from '#domain/assembly.ts';
import { readLists, readValues } from '#domain/definition/options.ts';
import * as enums from '#domain/enums.ts';
import { Disposition, IssueCategory } from '#domain/issueCode.ts';
import * as labelPrint from '#domain/labelPrint.ts';
import { LabelKind } from '#domain/labelRule.ts';
import { Node } from '#domain/nodes.ts';
import { RepairMethod } from '#domain/repairRecord.ts';
import * as review from '#domain/review.ts';
import * as wafer from '#domain/wafer.ts';
import { readModel } from '#server/definitions/read.ts';
import * as places from '#features/find-many/rules.ts';
import * as serials from '#features/serials/rules.ts';
import { registers } from './support/features.ts';

const { Flag, Confirmation } = enums;
/** By list, the values that the code names. */
const named: Readonly<Record<string, object>> = {
  ...{ yesNo: Flag, passFlag: Flag, billStatus: enums.BillStatus, receiveStatus: enums.ReceiveStatus },
  ...{ deliverStatus: enums.DeliverStatus, deliverPriority: enums.DeliverPriority, warranty: enums.Warranty },
  ...{ receiptPayment: enums.ReceivePayment, goodsType: enums.GoodsType, snOrigin: enums.Origin, nodes: Node },
  ...{ operateStatus: enums.OperateStatus, arrivalStatus: enums.ArrivalStatus, stockupStatus: enums.StockupStatus },
  ...{ submitType: enums.SubmitType, storageType: enums.StorageType, subinventory: enums.Warehouse },
  ...{ issueCategory: IssueCategory, disposition: Disposition, scrapStatus: Confirmation, nofaultStatus: Confirmation },
  ...{ dutySourse: enums.DutySourse, repairType: enums.RepairType },
  ...{ componentTypes: ComponentType, userStatus: enums.UserStatus, draftStatus: enums.DraftStatus },
  ...{ moduleOrigins: enums.ModuleOrigin, serviceTokenStatus: enums.ServiceTokenStatus },
  ...{ icopBillStatus: wafer.WorkOrderStatus, icopLotTypes: wafer.LotType, icopStages: wafer.Stage },
  ...{ bumpingCpProcessTypes: wafer.ProcessType, ftTypes: wafer.FtType, priceBillStatus: review.PriceBillStatus },
  ...{ repairFeeStatus: review.RepairFeeStatus, correctionStatus: review.CorrectionStatus },
  ...{ logisticsCostsStatus: review.LogisticsCostsStatus },
  ...{ reviewStatus: review.ExpenseStatus, repairProjects: review.RepairProject, businessTypes: review.BusinessType },
  ...{ priceReasons: review.PriceReason, packageStatus: enums.PackageStatus },
  ...{ selfPickupStatus: enums.SelfPickupStatus, siteRepairStatus: enums.SiteRepairStatus, snPlaces: places.Place },
  ...{ transferStatus: enums.TransferStatus, transferSnStatus: enums.TransferSnStatus, itemTypes: enums.ItemType },
  ...{ scrapRepairStatus: enums.ScrapRepairStatus, scrapSnRoles: enums.ScrapSnRole, defectiveTypes: enums.OwnBillType },
  ...{ labelPrintKind: enums.LabelPrintKind, labelPrintResult: enums.LabelPrintResult, labelKinds: LabelKind },
  ...{ webSyncStatus: enums.WebSyncStatus, productVerType: serials.ProductVerType, barcodeType: labelPrint.LabelKind },
};
/** The same of lists that may get new values, as the code does not tell all of them apart. */
const open: Readonly<Record<string, object>> = { feeTypes: review.FeeType, repairMethods: RepairMethod };
const { options } = readModel(registers);

it('every list whose values the code names is kept as the code knows it', () => {
  for (const [list, values] of Object.entries(named)) {
    expect([list, options[list]?.map((it) => it.value).sort()]).toEqual([
      list,
      Object.values(values).map(String).sort(),
    ]);
  }
  // What becomes of a job is named where jobs are worked.
  expect([...readLists].sort()).toEqual([...Object.keys(named), 'jobStates'].sort());
});

it('what the code reads of a list that may get new values is named by it and in the list', () => {
  expect([...readValues.keys()].sort()).toEqual(Object.keys(open).sort());
  for (const [list, read] of readValues) {
    const values = Object.values(open[list] ?? {}).map(String);
    expect(values).toEqual(expect.arrayContaining([...read]));
    expect(options[list]?.map((it) => it.value)).toEqual(expect.arrayContaining(values));
    expect(readLists.has(list)).toBe(false);
  }
});

it('every enumeration of the code is the values of such a list', () => {
  const known = new Set([...Object.values(named), ...Object.values(open)]);
  const of = (module: object) =>
    Object.entries(module).filter(([, it]) => typeof it === 'object' && it !== null && !Array.isArray(it));
  const rest = [...of(enums), ...of(review), ...of(wafer)].filter(([, it]) => !known.has(it as object));
  // What a review says is a word of its calls and in no list.
  expect(rest.map(([name]) => name)).toEqual(['ReviewResult']);
});
