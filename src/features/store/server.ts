import type { Route } from '#server/route.ts';

/** The store station: what passed QC comes into the warehouse (workflow 1.7, E22). */
export const storeRoutes: Route[] = [];
