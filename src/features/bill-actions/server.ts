import { route } from '#server/route.ts';
import { buyOut, changeStore, moveBill, replaceSaleCode, rollbackToPreliminaryTest, terminate } from './contract.ts';
import { changeItem, changeStoreOf } from './server.change.ts';
import { buyOutItems, closeBill } from './server.leave.ts';
import { moveItems } from './server.move.ts';
import { returnToCheck } from './server.return.ts';

/** What the office decides about the items of a maintain bill. Rule: events#office. */
export const billActionRoutes = [
  route(changeStore, changeStoreOf),
  route(replaceSaleCode, changeItem),
  route(moveBill, moveItems),
  route(buyOut, buyOutItems),
  route(terminate, closeBill),
  route(rollbackToPreliminaryTest, returnToCheck),
];
