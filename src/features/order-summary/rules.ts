import { validatePeriod, type Period } from '#domain/period.ts';
import type { Problem } from '#domain/refusal.ts';

/** The modules of which an order summary tells. */
export const orderModules = ['icopBumpingCpWorkOrder', 'icopAssemblyWorkOrder', 'icopFtWorkOrder'] as const;
export type OrderModule = (typeof orderModules)[number];

/**
 * What may be exported, and the code of each; two share one, so the name goes along as `kind`.
 * Rule: reports#order-summary.
 */
export const orderTypes = { bumping_cp: '2', cp: '3', engineer: '3', production: '0' } as const;
export type OrderKind = keyof typeof orderTypes;
export const orderKinds = Object.keys(orderTypes) as OrderKind[];
/** What is chosen at first: 3. */
export const FIRST_ORDER_KIND: OrderKind = 'engineer';

export interface OrderInput extends Period {
  orderType?: string | undefined;
  kind?: string | undefined;
}

/** The kinds that were asked for: the one that is named, else all that share the code; 3 where nothing is said, or empty. */
export const kindsOf = ({ orderType, kind }: OrderInput): OrderKind[] =>
  orderKinds.filter((it) =>
    kind ? it === kind && (!orderType || orderTypes[it] === orderType) : orderTypes[it] === (orderType || '3'),
  );

export function validateOrders(input: OrderInput): Problem[] {
  const args = { field: { zh: '导出类型', en: 'Export type' } };
  const ofType: Problem[] = kindsOf(input).length > 0 ? [] : [{ key: 'format', field: 'orderType', args }];
  return [...ofType, ...validatePeriod(input)];
}
