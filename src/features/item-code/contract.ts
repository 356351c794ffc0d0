import { Type } from 'typebox';
import { submit } from '#domain/call.ts';
import { Code } from '#domain/wire.ts';

/**
 * What the archive and the stock say of an item's SNs is brought in line with the catalogue. Rule: lists#item-codes.
 */
export const syncCode = submit({
  method: 'GET',
  path: '/api/ubsItem/syncCode.json',
  right: 'ubsItem:syncCode',
  input: Type.Object({ id: Code }),
  data: Type.Object({ id: Type.Integer(), salesCode: Type.String(), updatedCount: Type.Integer() }),
});
