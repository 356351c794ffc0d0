import { expect, it } from 'vitest';
import { DAY_MS } from '#domain/day.ts';
import { CorrectionStatus, LogisticsCostsStatus, RepairFeeStatus } from '#domain/review.ts';
import { turnOf } from '#tests/support/tries.ts';
import { addEverything } from './fill.ts';
import { collectRows } from './rows.ts';

const states = {
  rma_repair_fee_bill: RepairFeeStatus,
  rma_logistics_costs_bill: LogisticsCostsStatus,
  rma_correction_bill: CorrectionStatus,
} as const;

/** What the money bills of a demo that is started at this moment lack. */
function findMissing(now: number): string[] {
  const rows = collectRows();
  addEverything(rows, {}, 'Asia/Shanghai', now);
  const lacking = (Object.keys(states) as (keyof typeof states)[]).flatMap((table) => {
    const there = rows.of(table).map((it) => it.billStatus);
    return Object.values(states[table]).flatMap((it) => (there.includes(it) ? [] : [`no ${table} in state ${it}`]));
  });
  const settled = new Set(rows.of('rma_repair_fee_bill_line').map((it) => it.rfbId));
  const sent = new Set(rows.of('rma_logistics_costs_bill_line').map((it) => it.lcbId));
  const empty = [
    ...rows.of('rma_repair_fee_bill').flatMap((it) => (settled.has(it.rfbId) ? [] : [it.rfbId])),
    ...rows.of('rma_logistics_costs_bill').flatMap((it) => (sent.has(it.lcbId) ? [] : [it.lcbId])),
  ];
  const charged = rows.of('rma_logistics_costs_bill_line').map((it) => `${it.deliverShipNo} for ${it.chargeItems}`);
  const twice = charged.filter((it, i) => charged.indexOf(it) < i);
  return [...lacking, ...empty.map((it) => `${it} has no lines`), ...twice.map((it) => `${it} is billed twice`)];
}

it('on whatever day of a year it is started, the demo has money bills in every state, each with lines', () => {
  const first = Date.parse('2026-12-08T04:00:00Z');
  const year = Array.from({ length: 366 }, (_, i) => first + i * DAY_MS);
  const wrong = turnOf(year, 0, 24).flatMap((now) =>
    findMissing(now).map((it) => `${new Date(now).toISOString().slice(0, 10)}: ${it}`),
  );
  expect(wrong).toEqual([]);
});
