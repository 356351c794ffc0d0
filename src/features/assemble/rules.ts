import { GoodsType } from '#domain/enums.ts';
import type { Problem } from '#domain/refusal.ts';

/** Only devices are assembled. Decisions 2 E17. */
export const problemsOfDevice = (type: string, sn: string): Problem[] =>
  type === GoodsType.Device ? [] : [{ key: 'isBoard', field: 'sn', args: { sn } }];
