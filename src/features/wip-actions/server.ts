import { route } from '#server/route.ts';
import { merge, rollbackLot, toMerge } from './contract.ts';
import { mergeLots, readAlike } from './queries.merge.ts';
import { undoEntry } from './queries.rollback.ts';

export const wipActionRoutes = [route(toMerge, readAlike), route(merge, mergeLots), route(rollbackLot, undoEntry)];
