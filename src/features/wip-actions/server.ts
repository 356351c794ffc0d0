import { route } from '#server/route.ts';
import { merge, rollbackLot } from './contract.ts';
import { mergeLots } from './store.merge.ts';
import { undoEntry } from './store.rollback.ts';

export const wipActionRoutes = [route(merge, mergeLots), route(rollbackLot, undoEntry)];
