import { Type } from 'typebox';
import { lookup, type ModuleRight } from '#domain/call.ts';
import { orderModules, type OrderModule } from './rules.ts';

const text = Type.Optional(Type.String({ maxLength: 20 }));
const input = Type.Object({ orderType: text, kind: text, startDate: text, endDate: text });

/**
 * The summary of work orders, asked for at the list of any of them; the answer is the workbook.
 * Rule: reports#order-summary.
 */
const callOf = (module: OrderModule) =>
  lookup({
    path: `/api/${module}/exportSummary.json`,
    right: `${module}:exportSummary` as ModuleRight,
    input,
    data: Type.Unknown(),
  });

export const orderCalls = Object.fromEntries(orderModules.map((it) => [it, callOf(it)])) as Record<
  OrderModule,
  ReturnType<typeof callOf>
>;
