import { GoodsType, ItemType } from './enums.ts';

/** What an item is to the stock; where the catalogue does not say, a device is finished and a board is not. Rule: transfers#lines. */
export const itemTypeOf = ({ itemType, type }: { itemType: string | null; type: string | null }): string =>
  itemType || (type === GoodsType.Board ? ItemType.SemiFinished : ItemType.Finished);
