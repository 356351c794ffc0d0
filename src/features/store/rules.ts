import { packageCounts } from '#domain/enums.ts';
import type { Problem } from '#domain/refusal.ts';

/** Something is stored, in a package of a standard quantity that takes it; an odd lot may be smaller. Spec 2 §5 Store. */
export function problemsOfStore(sns: readonly string[], packageCount: number): Problem[] {
  if (sns.length === 0) {
    const args = { fields: [{ module: 'rmaStoreBillLine', field: 'sn' }] };
    return [{ key: 'required', field: 'rmaStoreBillLineList', args }];
  }
  if (!packageCounts.some((it) => it === packageCount)) {
    const args = { field: { module: 'rmaStoreBill', field: 'packageCount' } };
    return [{ key: 'format', field: 'packageCount', args }];
  }
  if (sns.length <= packageCount) return [];
  return [{ key: 'count', field: 'rmaStoreBillLineList', args: { a: sns.length, b: packageCount } }];
}
