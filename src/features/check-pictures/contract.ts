import { Type } from 'typebox';
import { submit } from '#domain/call.ts';
import { OptionalCode, Urls } from '#domain/wire.ts';

/** Images that the first test did not take are added to a checked item. Rule: events#e34. */
export const supplementCheckPicture = submit({
  path: '/api/rmaMaintainBillLineItem/supplementCheckPicture.json',
  right: 'rmaMaintainBillLineItem:supplementCheckPicture',
  input: Type.Object({ id: OptionalCode, checkUrls: Urls }),
  data: Type.Object({ id: Type.Integer(), checkUrls: Type.String() }),
});
