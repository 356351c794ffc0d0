import { Type } from 'typebox';
import { lookup, submit } from '#domain/call.ts';
import { Code, RowId } from '#domain/wire.ts';

const Node = Type.Cyclic(
  {
    Node: Type.Object({
      id: Type.String(),
      name: Type.String(),
      disabled: Type.Optional(Type.Boolean()),
      children: Type.Array(Type.Ref('Node')),
    }),
  },
  'Node',
);

const RightIds = Type.String({ maxLength: 100_000 });

/** What a role may be given, and what it has. Rule: rights#role-tree. */
export const toRightModify = lookup({
  path: '/api/adminRole/toRightModify.json',
  right: 'adminRole:modifyRight',
  input: Type.Object({ roleId: Code, id: Type.Optional(RowId) }),
  data: Type.Object({
    roleId: Type.String(),
    items: Type.Array(Node),
    rightIds: Type.String(),
  }),
});

/**
 * A role's rights, as a whole; sent as a form, the ids joined by `|`. Refused where another role has the code since its tree was
 * shown, or it has other rights since: `id` says whose tree it was, `shown` which were checked there. Rule: rights#role-tree.
 */
export const rightModify = submit({
  path: '/api/adminRole/rightModify.json',
  right: 'adminRole:modifyRight',
  input: Type.Object({
    ...{ roleId: Code, id: Type.Optional(RowId) },
    ...{ shown: Type.Optional(RightIds), rightIds: RightIds },
  }),
  data: Type.Object({ roleId: Type.String(), count: Type.Integer() }),
});
