import { seeRow } from '#server/engine/rowOf.ts';
import { route, type Route } from '#server/route.ts';
import { lotTree } from './contract.ts';
import { readTree } from './queries.ts';

/** Where the dies of a lot came from and what became of them. Rule: wafer-bank#tree. */
export const lotTreeRoutes: Route[] = [
  route(lotTree, async ({ id }, ctx) => {
    const wipId = String((await seeRow(ctx, 'icopWip', id))['wipId']);
    return { wipId, ...(await readTree(ctx, wipId)) };
  }),
];
