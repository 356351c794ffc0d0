import type { Route } from '#server/route.ts';
import { agingRoutes } from './aging/server.ts';
import { assembleRoutes } from './assemble/server.ts';
import { checkRoutes } from './check/server.ts';
import { deliverRoutes } from './deliver/server.ts';
import { inventoryRoutes } from './inventory/server.ts';
import { lookupRoutes } from './lookups/server.ts';
import { maintainBillRoutes } from './maintain-bill/server.ts';
import { qcRoutes } from './qc/server.ts';
import { receiveRoutes } from './receive/server.ts';
import { repairRoutes } from './repair/server.ts';
import { reportRoutes } from './reports/server.ts';
import { signForRoutes } from './sign-for/server.ts';
import { storeRoutes } from './store/server.ts';
import { uploadRoutes } from './uploads/server.ts';
import { stockupRoutes } from './stockup/server.ts';
import { nodeEditRoutes } from './node-edit/server.ts';
import { reviewRoutes } from './reviews/server.ts';
import { rollbackRoutes } from './rollback/server.ts';

/** Who answers which call: the stations' routes, joined. The app mounts them. */
export const routes: Route[] = [
  ...maintainBillRoutes,
  ...signForRoutes,
  ...receiveRoutes,
  ...checkRoutes,
  ...repairRoutes,
  ...assembleRoutes,
  ...agingRoutes,
  ...qcRoutes,
  ...storeRoutes,
  ...deliverRoutes,
  ...inventoryRoutes,
  ...lookupRoutes,
  ...uploadRoutes,
  ...stockupRoutes,
  ...nodeEditRoutes,
  ...rollbackRoutes,
  ...reportRoutes,
  ...reviewRoutes,
];
