import type { HookRegister } from '#server/engine/hooks.ts';
import { accountHooks } from '#server/session/accounts.ts';
import { feeBillHooks } from './repair-fee/server.hooks.ts';
import { roleHooks } from './role-rights/server.hooks.ts';
import { labelRuleHooks } from './labels/server.hooks.ts';
import { maintainBillHooks } from './maintain-bill/server.hooks.ts';
import { itemObjectHooks } from './serials/server.hooks.ts';
import { draftHooks } from './studio/server.hooks.ts';
import { expenseHooks, priceBillHooks } from './reviews/server.hooks.ts';
import { logisticsCostsHooks } from './uploads/server.hooks.ts';
import { devicePartHooks, workOrderHooks } from './work-orders/server.hooks.ts';

/** What a module does beyond its definition when a generic call writes its rows. */
export const hooks: HookRegister = {
  adminRole: roleHooks,
  adminUser: accountHooks,
  icopWaferWorkOrder: workOrderHooks,
  icopBumpingCpWorkOrder: workOrderHooks,
  icopAssemblyWorkOrder: workOrderHooks,
  icopFtWorkOrder: workOrderHooks,
  icopPartNumberLine: devicePartHooks,
  rmaMaintainBill: maintainBillHooks,
  rmaPriceBill: priceBillHooks,
  rmaMiscellaneousExpensesBill: expenseHooks,
  rmaLogisticsCostsBill: logisticsCostsHooks,
  rmaRepairFeeBill: feeBillHooks,
  sysDraft: draftHooks,
  ubsItemObject: itemObjectHooks,
  ubsLabelRule: labelRuleHooks,
};
