import { readableNames, readRow } from '#server/engine/rows.ts';
import { requireDefinition } from '#server/requireDefinition.ts';
import { route, type Route } from '#server/route.ts';
import { lotTree } from './contract.ts';
import { readTree } from './queries.ts';

/** Where the dies of a lot came from and what became of them. Rule: wafer-bank#tree. */
export const lotTreeRoutes: Route[] = [
  route(lotTree, async ({ id }, ctx) => {
    const definition = requireDefinition(ctx.model, 'icopWip');
    const wipId = String((await readRow(definition, id, readableNames(definition), ctx, false))['wipId']);
    return { wipId, ...(await readTree(ctx, wipId)) };
  }),
];
