import { inProcessStages } from '#domain/wafer.ts';
import { seeRow } from '#server/engine/rowOf.ts';
import { route, type Route } from '#server/route.ts';
import { lotTree } from './contract.ts';
import { readTree } from './queries.ts';

/** Where the dies of a lot came from and what became of them. Rule: wafer-bank#tree. */
export const lotTreeRoutes: Route[] = [
  route(lotTree, async ({ id }, ctx) => {
    const lot = await seeRow(ctx, 'icopWip', id);
    // What is in process is told under the lot that it was taken of.
    const from = inProcessStages.includes(String(lot['stage'])) ? String(lot['parentWipIds']).split(',')[0] : null;
    const wipId = from ?? String(lot['wipId']);
    return { wipId, ...(await readTree(ctx, wipId)) };
  }),
];
