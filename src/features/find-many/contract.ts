import { Type } from 'typebox';
import { lookup } from '#domain/call.ts';
import { Nullable, Sn } from '#domain/wire.ts';

/** As they were pasted; what is no SN is told as unknown like the others. */
const input = Type.Object({ sns: Type.Array(Sn) });

const found = Type.Object({
  asked: Type.String(),
  /** What it is called now, where that is another SN. */
  now: Nullable(Type.String()),
  place: Type.String(),
  node: Nullable(Type.String()),
  siteName: Nullable(Type.String()),
  mtbId: Nullable(Type.String()),
  customer: Nullable(Type.String()),
  salesCode: Nullable(Type.String()),
  itemName: Nullable(Type.String()),
  subinventoryCode: Nullable(Type.String()),
  holdKind: Nullable(Type.String()),
  since: Nullable(Type.Number()),
});

/** Where each of many SNs is, in the order in which they are asked. Rule: units#many. */
export const findMany = lookup({
  method: 'POST',
  path: '/api/rmaInventory/findMany.json',
  right: 'rmaInventory:findMany',
  input,
  data: Type.Object({ items: Type.Array(found) }),
});

/** The same table as a workbook, made by a job. Rule: units#many. */
export const exportMany = lookup({
  method: 'POST',
  path: '/api/rmaInventory/exportMany.json',
  right: 'rmaInventory:findMany',
  input,
  data: Type.Object({ jobId: Type.Integer() }),
});
