import type { Problem } from '#domain/refusal.ts';

/** Laws that a definition may name under `checks`: what a row must satisfy besides its fields' own rules. */
export const laws: Record<string, (row: Record<string, unknown>) => Problem[]> = {};

/** The pages that features bring, as `module:script`; `pages.ts` holds the page of each. Buttons may name only these. */
export const pageScripts = [
  'rmaMaintainBill:create',
  'rmaMaintainBill:detail',
  'rmaArrivalBill:signFor',
  'rmaArrivalBill:accept',
  'rmaReceiveBill:receive',
  'rmaCheckBill:check',
  'rmaScrapConfirm:scrapConfirm',
  'rmaNofaultConfirm:nofaultConfirm',
  'rmaRepairBill:repair',
  'rmaAssembleBill:assemble',
  'rmaBurninBill:burnin',
  'rmaExamineBill:examine',
  'rmaStoreBill:store',
  'rmaDeliverBill:deliver',
  'rmaInventory:viewHistory',
  'rmaReport:list',
  'rmaPriceBill:financialReview',
  'rmaRepairFeeBill:afterSalesReview',
  'rmaRepairFeeBill:financialReview',
  'rmaRepairFeeBill:financialAudit',
  'rmaLogisticsCostsBill:financialAudit',
  'icopBumpingCpWorkOrder:create',
  'icopAssemblyWorkOrder:create',
  'icopFtWorkOrder:create',
] as const;
export type PageScript = (typeof pageScripts)[number];

/**
 * The dialogs that features bring to a toolbar, as `module:script`, or `*:script` where any module's button may name it;
 * `dialogs.ts` holds the component of each.
 */
export const dialogScripts: readonly string[] = [
  '*:upload',
  '*:uploadSignForTime',
  '*:uploadOne',
  '*:uploadDocument',
  'rmaRepairFeeBill:uploadInvoice',
  'rmaLogisticsCostsBill:uploadCertificate',
  '*:export',
  '*:exportDirect',
  '*:exportDirectOne',
  '*:exportWip',
  'rmaReportDownload:downloadFile',
  'rmaReportDownload:cancelJob',
  '*:stopStockupBill',
  '*:resetStockupBill',
  '*:finishBill',
  '*:cancelStockupBill',
  '*:exchangeReceive',
  '*:syncCode',
  '*:syncToWeb',
  '*:sendSwitch',
  '*:done',
  'rmaReport:report',
  '*:exportSummary',
  'rmaRepairFeeBill:generateMonthly',
  '*:rollback',
  'rmaInventory:modifyIvyId',
  'rmaPriceBill:void',
  '*:bulk',
  'adminRole:modifyRight',
  'rmaMaintainBillLineItem:editDeliver',
  'rmaMaintainBill:updateSiteId',
  'rmaUnhandledPackageBill:editInSiteStatus',
  'rmaMaintainBillLineItem:supplementCheckPicture',
  'userSpeed:userSpeedChart',
  'userWorker:userWorkerSpeedChart',
  '*:merge',
  '*:editBillStatus',
  'rmaStoreBill:storeStart',
  'ubsItemObject:createNonOfficial',
];
