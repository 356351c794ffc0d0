import { route } from '#server/route.ts';
import { merge, rollbackLot } from './contract.ts';
import { mergeLots } from './queries.merge.ts';
import { undoEntry } from './queries.rollback.ts';

export const wipActionRoutes = [route(merge, mergeLots), route(rollbackLot, undoEntry)];
