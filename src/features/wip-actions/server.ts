import { route } from '#server/route.ts';
import { merge, rollbackLot, rollbackMany, toMerge, toRollBack } from './contract.ts';
import { mergeLots, readAlike } from './queries.merge.ts';
import { undoEntry } from './queries.rollback.ts';
import { readStanding, undoEntries } from './queries.rollbackMany.ts';

export const wipActionRoutes = [
  route(toMerge, readAlike),
  route(merge, mergeLots),
  route(rollbackLot, undoEntry),
  route(toRollBack, readStanding),
  route(rollbackMany, undoEntries),
];
