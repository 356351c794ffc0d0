import type { UbsItemObject } from '#server/db/tables.ts';
import type { Hooks } from '#server/engine/hooks.ts';
import { validateFormer } from '#server/workflow/names.ts';

/** A former SN of a unit is archived for nothing else. Rule: units#former-sns. */
export const itemObjectHooks: Hooks<UbsItemObject> = {
  check: (row, before, ctx) => (before || !row.sn ? [] : validateFormer(ctx, [row.sn])),
};
