import type { Route } from '#server/route.ts';
import { agingRoutes } from './aging/server.ts';
import { assembleRoutes } from './assemble/server.ts';
import { billActionRoutes } from './bill-actions/server.ts';
import { checkRoutes } from './check/server.ts';
import { correctionRoutes } from './corrections/server.ts';
import { confirmRoutes } from './confirm/server.ts';
import { defectiveRepairRoutes } from './defective-repair/server.ts';
import { deliverRoutes } from './deliver/server.ts';
import { findManyRoutes } from './find-many/server.ts';
import { inventoryRoutes } from './inventory/server.ts';
import { lookupRoutes } from './lookups/server.ts';
import { maintainBillRoutes } from './maintain-bill/server.ts';
import { qcRoutes } from './qc/server.ts';
import { receiveRoutes } from './receive/server.ts';
import { repairRoutes } from './repair/server.ts';
import { feeRoutes } from './repair-fee/server.ts';
import { onSiteRepairRoutes } from './on-site-repair/server.ts';
import { orderRoutes } from './order-summary/server.ts';
import { reportRoutes } from './reports/server.ts';
import { scrapRepairRoutes } from './scrap-repair/server.ts';
import { selfPickupRoutes } from './self-pickup/server.ts';
import { snChangeRoutes } from './serials/server.change.ts';
import { labelRoutes } from './serials/server.labels.ts';
import { serialRoutes } from './serials/server.ts';
import { signForRoutes } from './sign-for/server.ts';
import { stockTransferRoutes } from './stock-transfer/server.ts';
import { storeRoutes } from './store/server.ts';
import { uploadRoutes } from './uploads/server.ts';
import { stockupRoutes } from './stockup/server.ts';
import { nodeEditRoutes } from './node-edit/server.ts';
import { reviewRoutes } from './reviews/server.ts';
import { rollbackRoutes } from './rollback/server.ts';
import { roleRightRoutes } from './role-rights/server.ts';
import { editDeliveryRoutes } from './edit-delivery/server.ts';
import { exchangeRoutes } from './exchange/server.ts';
import { itemCodeRoutes } from './item-code/server.ts';
import { editSiteRoutes } from './edit-site/server.ts';
import { checkPictureRoutes } from './check-pictures/server.ts';
import { pendingPackageRoutes } from './pending-package/server.ts';
import { webSyncRoutes } from './web-sync/server.ts';
import { chartRoutes } from './charts/server.ts';
import { hashRateRoutes } from './hash-rate/server.ts';
import { serviceTokenRoutes } from './service-tokens/server.ts';
import { studioRoutes } from './studio/server.ts';
import { lotTreeRoutes } from './lot-tree/server.ts';
import { orderOutputRoutes } from './order-output/server.ts';
import { workOrderActionRoutes } from './work-order-actions/server.ts';
import { wipActionRoutes } from './wip-actions/server.ts';
import { workOrderRoutes } from './work-orders/server.ts';

/** Who answers which call: the stations' routes, joined. The app mounts them. */
export const routes: Route[] = [
  ...maintainBillRoutes,
  ...billActionRoutes,
  ...signForRoutes,
  ...receiveRoutes,
  ...checkRoutes,
  ...confirmRoutes,
  ...repairRoutes,
  ...assembleRoutes,
  ...agingRoutes,
  ...qcRoutes,
  ...storeRoutes,
  ...deliverRoutes,
  ...stockTransferRoutes,
  ...scrapRepairRoutes,
  ...onSiteRepairRoutes,
  ...inventoryRoutes,
  ...findManyRoutes,
  ...lookupRoutes,
  ...serialRoutes,
  ...snChangeRoutes,
  ...labelRoutes,
  ...uploadRoutes,
  ...stockupRoutes,
  ...nodeEditRoutes,
  ...rollbackRoutes,
  ...reportRoutes,
  ...feeRoutes,
  ...correctionRoutes,
  ...orderRoutes,
  ...reviewRoutes,
  ...roleRightRoutes,
  ...editDeliveryRoutes,
  ...exchangeRoutes,
  ...itemCodeRoutes,
  ...editSiteRoutes,
  ...checkPictureRoutes,
  ...pendingPackageRoutes,
  ...defectiveRepairRoutes,
  ...selfPickupRoutes,
  ...webSyncRoutes,
  ...chartRoutes,
  ...hashRateRoutes,
  ...serviceTokenRoutes,
  ...studioRoutes,
  ...lotTreeRoutes,
  ...orderOutputRoutes,
  ...workOrderActionRoutes,
  ...wipActionRoutes,
  ...workOrderRoutes,
];
