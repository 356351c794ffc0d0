import { sql, type RawBuilder, type SqlBool } from 'kysely';
import {
  activeStockups,
  GoodsType,
  ItemType,
  receivedItems,
  shippingStockups,
  undeliveredItems,
  unreceivedItems,
} from '#domain/enums.ts';

type Condition = RawBuilder<SqlBool>;

/** The stock-up bill `b` ships as it is. */
export const stockupShips = (b: string): Condition => isOneOf(`${b}.status`, shippingStockups);

/** Something is still to leave on the stock-up bill `b`, be it only after a reset. */
export const stockupLives = (b: string): Condition => isOneOf(`${b}.status`, activeStockups);

/** `isReceived` in SQL, of the item `i`. */
export const itemIsReceived = (i: string): Condition => isOneOf(`${i}.receiveStatus`, receivedItems);

/** The item `i` is on a customer's bill: he sent it in, it is none of the site's own goods. Rule: bills#own-goods. */
export const itemIsCustomers = (i: string): Condition => sql<SqlBool>`${sql.ref(`${i}.billType`)} IS NULL`;

/** The item `i` was declared and has not come. */
export const itemIsUnreceived = (i: string): Condition => isOneOf(`${i}.receiveStatus`, unreceivedItems);

/** The item `i` has neither left nor been given up. */
export const itemIsUndelivered = (i: string): Condition => isOneOf(`${i}.deliverStatus`, undeliveredItems);

/** `isOpen` in SQL, of the item `i`: received, and the customer still waits to hear of it. Rule: counts#open-items. */
export const itemIsOpen = (i: string): Condition => sql<SqlBool>`(${itemIsReceived(i)} AND ${itemIsUndelivered(i)})`;

/** `itemTypeOf` in SQL, of the catalogue item `it` of the unit `u`. Rule: transfers#lines. */
export const itemTypeIn = (it: string, u: string): RawBuilder<string> => sql<string>`
  coalesce(${sql.ref(`${it}.itemType`)}, CASE WHEN ${sql.ref(`${u}.type`)} = ${sql.lit(GoodsType.Board)}
                                              THEN ${sql.lit(ItemType.SemiFinished)} ELSE ${sql.lit(ItemType.Finished)} END)`;

/** The values stand in the text, so that a plan knows them. */
const isOneOf = (column: string, values: readonly string[]): Condition =>
  sql<SqlBool>`${sql.ref(column)} IN (${sql.join(values.map((it) => sql.lit(it)))})`;
