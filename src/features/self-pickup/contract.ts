import { Type } from 'typebox';
import { lookup, submit } from '#domain/call.ts';
import { Code, Nullable, OptionalCode, OptionalText, Remark, SeenVersion } from '#domain/wire.ts';

const review = (path: `/${string}`) =>
  submit({
    path,
    right: 'rmaSelfPickup:selfPickupReview',
    input: Type.Object({
      id: OptionalCode,
      version: SeenVersion,
      selfPickupStatus: Type.Optional(Code),
      pickupAddress: OptionalText,
      /** Epoch ms, or `yyyy-MM-dd HH:mm:ss` by the workshop's clock. */
      pickupTime: Type.Optional(Nullable(Type.Union([Type.Number(), Type.String({ maxLength: 40 })]))),
      rejectionReason: Remark,
      branchContact: OptionalText,
    }),
    data: Type.Object({ id: Type.Integer(), selfPickupStatus: Type.String() }),
  });

/** After-sales agrees to a customer's self-pickup, or refuses it. Rule: events#e38. */
export const selfPickupReview = review('/api/rmaSelfPickup/selfPickupReview.json');

/** The same by its other name. Rule: events#e38. */
export const reviewAlias = review('/api/rmaSelfPickup/review.json');

/** The paper that was uploaded last, as a file. Rule: uploads#papers. */
export const downloadDocument = lookup({
  path: '/api/rmaSelfPickup/downloadDocument.json',
  right: 'rmaSelfPickup:list',
  input: Type.Object({ id: OptionalCode }),
  data: Type.Null(),
});
