import { validateLabelRule } from '#domain/labelRule.ts';
import type { UbsLabelRule } from '#server/db/tables.ts';
import type { Hooks } from '#server/engine/hooks.ts';

/** A rule that could find no SN, or take any text for one, is never kept. */
export const labelRuleHooks: Hooks<UbsLabelRule> = {
  check: ({ kind, template, snLength }) => validateLabelRule({ kind: kind ?? '', template, snLength }),
};
