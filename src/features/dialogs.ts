import type { ComponentType } from 'react';
import type { DialogProps } from '#app/parts/dialog.ts';
import type { dialogScripts } from './scripts.ts';

/** Asks, then calls for the selected row. */
const rowAction = () => import('./row-actions/RowActionDialog.tsx');

const uploadRows = () => import('./uploads/RowsDialog.tsx');
const uploadOne = () => import('./uploads/SingleDocumentDialog.tsx');
const loadDocumentsDialog = () => import('./uploads/DocumentsDialog.tsx');

/** The list as it stands, into a workbook. */
const exportList = () => import('./export/ExportDialog.tsx');

type Load = () => Promise<{ default: ComponentType<DialogProps> }>;

/** Dialogs that a toolbar button opens over its list, by `module:script` or `*:script`; each is loaded when it is first opened. */
export const dialogs: Record<string, Load> = {
  '*:upload': uploadRows,
  '*:uploadSignForTime': uploadRows,
  '*:uploadOne': uploadOne,
  '*:uploadDocument': uploadOne,
  'rmaRepairFeeBill:uploadInvoice': loadDocumentsDialog,
  'rmaLogisticsCostsBill:uploadCertificate': loadDocumentsDialog,
  '*:export': exportList,
  '*:exportDirect': exportList,
  '*:exportWip': exportList,
  '*:exportDirectOne': () => import('./export/ExportOneDialog.tsx'),
  'rmaReportDownload:downloadFile': () => import('./report-download/DownloadDialog.tsx'),
  'rmaReportDownload:cancelJob': () => import('./report-download/CancelJobDialog.tsx'),
  '*:stopStockupBill': rowAction,
  '*:resetStockupBill': rowAction,
  '*:finishBill': rowAction,
  '*:cancelStockupBill': rowAction,
  '*:exchangeReceive': rowAction,
  'rmaStockTransferBill:cancelTransfer': rowAction,
  'rmaStockTransferBill:returnTransfer': rowAction,
  'rmaScrapRepairBill:cancelScrapRepair': rowAction,
  '*:syncCode': rowAction,
  '*:syncToWeb': rowAction,
  '*:sendSwitch': rowAction,
  '*:done': rowAction,
  'rmaRepairFeeBill:makeWorkbook': rowAction,
  'rmaRepairFeeBill:confirmPrices': () => import('./repair-fee/ConfirmPricesDialog.tsx'),
  'rmaRepairFeeBill:generateMonthly': () => import('./repair-fee/FeeDialog.tsx'),
  'rmaRepairFeeBillLine:whyPrice': () => import('./repair-fee/WhyPriceDialog.tsx'),
  '*:exportSummary': () => import('./order-summary/OrderSummaryDialog.tsx'),
  'rmaReport:report': () => import('./reports/ReportDialog.tsx'),
  '*:rollback': () => import('./rollback/RollbackDialog.tsx'),
  'rmaInventory:activation': () => import('./store/StoreStartDialog.tsx'),
  'rmaInventory:modifyIvyId': () => import('./node-edit/NodeEditDialog.tsx'),
  'ubsAssembly:bindingQuery': () => import('./queries/BindingQueryDialog.tsx'),
  'ubsAssembly:componentQuery': () => import('./queries/ComponentQueryDialog.tsx'),
  'rmaInventory:querySalesCode': () => import('./queries/SalesCodeQueryDialog.tsx'),
  'rmaPriceBill:void': () => import('./reviews/VoidDialog.tsx'),
  'rmaLogisticsCostsBill:return': () => import('./reviews/ReturnDialog.tsx'),
  '*:bulk': () => import('./bulk/BulkDialog.tsx'),
  'adminRole:modifyRight': () => import('./role-rights/RightsDialog.tsx'),
  'rmaMaintainBillLineItem:editDeliver': () => import('./edit-delivery/EditDeliveryDialog.tsx'),
  'rmaMaintainBill:updateSiteId': () => import('./edit-site/EditSiteDialog.tsx'),
  'rmaMaintainBill:terminate': () => import('./bill-actions/TerminateDialog.tsx'),
  'rmaMaintainBillLineItem:updateSiteId': () => import('./bill-actions/ChangeStoreDialog.tsx'),
  'rmaMaintainBillLineItem:replaceSaleCode': () => import('./bill-actions/ChangeItemDialog.tsx'),
  'rmaMaintainBillLineItem:moveBill': () => import('./bill-actions/MoveBillDialog.tsx'),
  'rmaMaintainBillLineItem:buyOut': () => import('./bill-actions/BuyOutDialog.tsx'),
  'rmaMaintainBillLineItem:rollbackToPreliminaryTest': () => import('./bill-actions/ReturnToCheckDialog.tsx'),
  'rmaMaintainBillLineItem:syncSn': rowAction,
  'rmaUnhandledPackageBill:editInSiteStatus': () => import('./pending-package/PackageStatusDialog.tsx'),
  'rmaMaintainBillLineItem:supplementCheckPicture': () => import('./check-pictures/CheckPicturesDialog.tsx'),
  'sysServiceToken:issue': () => import('./service-tokens/IssueDialog.tsx'),
  'sysModule:newModule': () => import('./studio/NewModuleDialog.tsx'),
  'sysDraft:publishDraft': () => import('./studio/PublishDialog.tsx'),
  'sysDraft:importDraft': () => import('./studio/ImportDialog.tsx'),
  'sysPublish:exportPublished': () => import('./studio/ExportDialog.tsx'),
  'sysPublish:takeBack': () => import('./studio/TakeBackDialog.tsx'),
  'sysServiceToken:rotate': () => import('./service-tokens/RotateDialog.tsx'),
  '*:revokeToken': rowAction,
  'userSpeed:userSpeedChart': () => import('./charts/HashRateDialog.tsx'),
  'userWorker:userWorkerSpeedChart': () => import('./charts/HashRateDialog.tsx'),
  'icopTransaction:rollbackMany': () => import('./wip-actions/RollbackManyDialog.tsx'),
  'icopWip:merge': () => import('./wip-actions/MergeDialog.tsx'),
  'rmaStockupBill:exportDirectNew': () => import('./stockup/PackingListDialog.tsx'),
  'rmaDeliverBill:rebind': () => import('./deliver/MakeUpDialog.tsx'),
  'rmaStoreBill:storeStart': () => import('./store/StoreStartDialog.tsx'),
  'ubsItemObject:createNonOfficial': () => import('./receive/NonOfficialDialog.tsx'),
  'rmaSiteRepairBill:visitReport': () => import('./on-site-repair/VisitReportDialog.tsx'),
  'ubsLabelRule:scannerCard': () => import('./labels/ScannerCardDialog.tsx'),
  '*:editBillStatus': () => import('./work-order-actions/WorkOrderStatusDialog.tsx'),
  '*:recordOutput': () => import('./order-output/OutputDialog.tsx'),
  'icopWaferWorkOrder:receiveWafers': () => import('./order-output/ReceiveWafersDialog.tsx'),
} satisfies Record<(typeof dialogScripts)[number], Load>;
