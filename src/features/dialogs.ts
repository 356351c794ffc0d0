import type { ComponentType } from 'react';
import type { DialogProps } from '#app/parts/dialog.ts';

/** Asks, then calls for the selected row. */
const rowAction = () => import('./row-actions/RowActionDialog.tsx');

/** Dialogs that a toolbar button opens over its list, by `module:script` or `*:script`; each is loaded when it is first opened. */
export const dialogs: Record<string, () => Promise<{ default: ComponentType<DialogProps> }>> = {
  '*:stopStockupBill': rowAction,
  '*:resetStockupBill': rowAction,
  '*:finishBill': rowAction,
  '*:cancelStockupBill': rowAction,
  '*:exchangeReceive': rowAction,
  '*:syncCode': rowAction,
  '*:syncToWeb': rowAction,
  '*:sendSwitch': rowAction,
  '*:done': rowAction,
  'rmaReport:report': () => import('./reports/ReportDialog.tsx'),
  '*:rollback': () => import('./rollback/RollbackDialog.tsx'),
  'rmaInventory:modifyIvyId': () => import('./node-edit/NodeEditDialog.tsx'),
};
