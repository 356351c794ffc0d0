import { listErrors, saveErrorLogger } from '#server/errors/contract.ts';
import { readErrors, saveError } from '#server/errors/queries.ts';
import { route, type Route } from '#server/route.ts';

/** Errors that browsers capture. Rule: screens#errors. */
export const errorRoutes: readonly Route[] = [route(saveErrorLogger, saveError), route(listErrors, readErrors)];
