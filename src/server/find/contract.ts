import { Type } from 'typebox';
import { lookup } from '#domain/call.ts';

export const FIND_MIN = 3;

/** What Ctrl+K finds beside screens: SNs, bills and parcels whose number begins so. */
export const find = lookup({
  path: '/api/find.json',
  right: 'signedIn',
  why: 'It looks only into lists that the user may see, and there within their sites',
  input: Type.Object({ text: Type.String({ minLength: 1, maxLength: 64 }) }),
  data: Type.Object({
    items: Type.Array(
      Type.Object({
        kind: Type.Union([Type.Literal('sn'), Type.Literal('bill'), Type.Literal('parcel')]),
        menuNo: Type.String(),
        id: Type.Integer(),
        /** The number that was found. */
        text: Type.String(),
        /** What it is: as one record of its list is called; of an SN the list where it stands. */
        label: Type.String(),
        /** An SN whose unit is another site's: it stands in this list, which is of all sites, and has no page of its own here. */
        elsewhere: Type.Boolean(),
      }),
    ),
  }),
});
