import type { Route } from '#server/route.ts';

/** The deliver station: what is stocked up for a customer leaves the house (workflow 1.8, E25). */
export const deliverRoutes: Route[] = [];
