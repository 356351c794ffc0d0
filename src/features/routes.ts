import type { Route } from '#server/route.ts';
import { deliverRoutes } from './deliver/server.ts';
import { lookupRoutes } from './lookups/server.ts';
import { maintainBillRoutes } from './maintain-bill/server.ts';
import { signForRoutes } from './sign-for/server.ts';
import { storeRoutes } from './store/server.ts';

/** Who answers which call: the stations' routes, joined. The app mounts them. */
export const routes: Route[] = [...maintainBillRoutes, ...signForRoutes, ...lookupRoutes, ...storeRoutes, ...deliverRoutes];
