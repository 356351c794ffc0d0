import { Type } from 'typebox';
import { submit } from '#domain/call.ts';
import { OptionalCode, Remark, SeenVersion } from '#domain/wire.ts';

/** The latest step of an SN is undone. Rule: events#e37. */
export const rollbackTransaction = submit({
  method: 'GET',
  path: '/api/rmaTransaction/rollbackById.json',
  right: 'rmaTransaction:rollback',
  input: Type.Object({ id: OptionalCode, remark: Remark }),
  data: Type.Object({
    id: Type.Integer(),
    sn: Type.String(),
    ivyId: Type.Union([Type.Null(), Type.String()]),
  }),
});

/** The same of an entry of a lot, as it was shown; of the others nothing changes but that they are rolled back. */
export const rollbackSeen = {
  ...rollbackTransaction,
  path: '/api/icopTransaction/rollbackById.json' as const,
  input: Type.Object({ ...rollbackTransaction.input.properties, version: SeenVersion }),
};
