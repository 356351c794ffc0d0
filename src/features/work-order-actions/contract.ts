import { Type } from 'typebox';
import { submit } from '#domain/call.ts';
import { OptionalCode, SeenVersion } from '#domain/wire.ts';

/** The work orders of the semiconductor side; each has the same three actions. Rule: wafer-bank#states. */
export const orderModules = [
  'icopWaferWorkOrder',
  'icopBumpingCpWorkOrder',
  'icopAssemblyWorkOrder',
  'icopFtWorkOrder',
] as const;
export type OrderModule = (typeof orderModules)[number];

const Changed = Type.Object({ id: Type.Integer(), workOrderNo: Type.String(), billStatus: Type.String() });

/** Sent to the supplier, or taken back. */
export const sendSwitch = (module: OrderModule) =>
  submit({
    method: 'GET',
    path: `/api/${module}/sendSwitch.json`,
    right: `${module}:sendSwitch`,
    input: Type.Object({ id: OptionalCode, version: SeenVersion }),
    data: Changed,
  });

/** Closed: everything that went in has come out or is loss. */
export const done = (module: OrderModule) =>
  submit({
    method: 'GET',
    path: `/api/${module}/done.json`,
    right: `${module}:done`,
    input: Type.Object({ id: OptionalCode, version: SeenVersion }),
    data: Changed,
  });

/** The status is chosen; only steps that the order's own course has are taken. Rule: wafer-bank#states. */
export const editBillStatus = (module: OrderModule) =>
  submit({
    path: `/api/${module}/editBillStatus.json`,
    right: `${module}:editBillStatus`,
    input: Type.Object({ id: OptionalCode, version: SeenVersion, billStatus: OptionalCode }),
    data: Changed,
  });
