import type { ComponentType } from 'react';
import type { PageProps } from '#app/parts/page.ts';
import type { pageScripts } from './scripts.ts';

type Load = () => Promise<{ default: ComponentType<PageProps> }>;

/** Pages that features bring themselves, by `module:script`; each is loaded when it is first opened. */
export const pages: Record<string, Load> = {
  'rmaArrivalBill:signFor': () => import('./sign-for/SignForPage.tsx'),
  'rmaArrivalBill:accept': () => import('./sign-for/AcceptPage.tsx'),
  'rmaReceiveBill:receive': () => import('./receive/ReceivePage.tsx'),
  'rmaCheckBill:check': () => import('./check/CheckPage.tsx'),
  'rmaSelfPickup:selfPickupReview': () => import('./self-pickup/SelfPickupPage.tsx'),
  'rmaScrapConfirm:scrapConfirm': () => import('./confirm/ScrapConfirmPage.tsx'),
  'rmaNofaultConfirm:nofaultConfirm': () => import('./confirm/NofaultConfirmPage.tsx'),
  'rmaRepairBill:repair': () => import('./repair/RepairPage.tsx'),
  'rmaAssembleBill:assemble': () => import('./assemble/AssemblePage.tsx'),
  'rmaBurninBill:burnin': () => import('./aging/AgingPage.tsx'),
  'rmaExamineBill:examine': () => import('./qc/QcPage.tsx'),
  'rmaStoreBill:store': () => import('./store/StorePage.tsx'),
  'rmaDeliverBill:deliver': () => import('./deliver/DeliverPage.tsx'),
  'rmaMaintainBill:create': () => import('./maintain-bill/MaintainBillCreatePage.tsx'),
  'rmaMaintainBill:detail': () => import('./maintain-bill/MaintainBillDetailPage.tsx'),
  'ubsItem:printSerial': () => import('./serials/PrintPage.tsx'),
  'ubsItemObject:reprintSerial': () => import('./serials/ReprintPage.tsx'),
  'ubsLabelRule:tryLabel': () => import('./labels/TryLabelPage.tsx'),
  'rmaReport:list': () => import('./reports/ReportsPage.tsx'),
  'rmaInventory:viewHistory': () => import('./inventory/HistoryPage.tsx'),
  'rmaPriceBill:financialReview': () => import('./reviews/FinancialReviewPage.tsx'),
  'rmaRepairFeeBill:afterSalesReview': () => import('./reviews/AfterSalesReviewPage.tsx'),
  'rmaRepairFeeBill:financialReview': () => import('./reviews/FinancialReviewPage.tsx'),
  'rmaRepairFeeBill:financialAudit': () => import('./reviews/FinancialAuditPage.tsx'),
  'rmaLogisticsCostsBill:financialAudit': () => import('./reviews/FinancialAuditPage.tsx'),
  'icopBumpingCpWorkOrder:create': () => import('./work-orders/WorkOrderCreatePage.tsx'),
  'icopAssemblyWorkOrder:create': () => import('./work-orders/WorkOrderCreatePage.tsx'),
  'icopFtWorkOrder:create': () => import('./work-orders/WorkOrderCreatePage.tsx'),
} satisfies Record<(typeof pageScripts)[number], Load>;
