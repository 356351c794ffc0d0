import type { TranslateFunction } from 'ra-core';
import { momentOf } from '#app/fields/format.ts';
import type { Labels, Row } from '#app/engine/wire.ts';

/** Who changed a row last, by name where its labels know it, and when: what a sentence about it takes. */
export function lastChange(row: Row, labels: Labels | undefined, translate: TranslateFunction) {
  const userId = String(row['updateBy'] ?? '');
  return {
    who: labels?.['updateBy']?.[userId] || userId || translate('shell.form.stale.somebody'),
    when: momentOf(row['updateTime']),
  };
}
