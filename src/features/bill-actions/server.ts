import { route } from '#server/route.ts';
import { buyOut, changeSite, moveBill, replaceSaleCode, rollbackToPreliminaryTest, terminate } from './contract.ts';
import { changeItem, changeItemSite } from './server.change.ts';
import { buyOutItems, closeBill } from './server.leave.ts';
import { moveItems } from './server.move.ts';
import { returnToCheck } from './server.return.ts';

/** What the office decides about the items of a maintain bill. Rule: events#office. */
export const billActionRoutes = [
  route(changeSite, changeItemSite),
  route(replaceSaleCode, changeItem),
  route(moveBill, moveItems),
  route(buyOut, buyOutItems),
  route(terminate, closeBill),
  route(rollbackToPreliminaryTest, returnToCheck),
];
