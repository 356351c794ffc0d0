import { route } from '#server/route.ts';
import { merge, rollbackLot } from './contract.ts';
import { mergeLots } from './merge.ts';
import { undoEntry } from './rollback.ts';

export const wipActionRoutes = [route(merge, mergeLots), route(rollbackLot, undoEntry)];
