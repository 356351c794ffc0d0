import { Type } from 'typebox';
import { lookup, submit } from '#domain/call.ts';
import { Component, Nullable, PartsList, Sn, StationItem, Warning } from '#domain/wire.ts';

const right = 'rmaAssembleBill:assemble' as const;

/** Whether a device waits for assembly, and what is bound to it. */
export const validateSn = lookup({
  method: 'POST',
  path: '/api/rmaAssembleBill/validateSn.json',
  right,
  input: Type.Object({ sn: Sn }),
  data: Type.Object({
    sn: Type.String(),
    mtbId: Nullable(Type.String()),
    item: Type.Object({ ...StationItem.properties, boardCount: Nullable(Type.Integer()) }),
    boundParts: Type.Array(Component),
    warning: Warning,
  }),
});

/** Whether a part may be put into a device, as far as its SN says. Rule: assembling#judging. */
export const validatePart = lookup({
  method: 'POST',
  path: '/api/rmaAssembleBill/validatePart.json',
  right,
  input: Type.Object({ sn: Sn, componentSn: Sn }),
  data: Type.Object({ componentSn: Type.String() }),
});

/** A device is put together: its parts are bound to it. Rule: events#e17. */
export const assemble = submit({
  path: '/api/rmaAssembleBill/assemble.json',
  right,
  input: Type.Object({ sn: Sn, partsList: PartsList }),
  data: Type.Object({ asbId: Type.String(), sn: Type.String(), nextNode: Type.String() }),
});
