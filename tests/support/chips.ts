import { sql, type Kysely } from 'kysely';
import { expect } from 'vitest';
import type { WorkOrderModule } from '#domain/wafer.ts';
import { receiveWafers, recordOutput, toRecordOutput } from '#features/order-output/contract.ts';
import { rollbackLot } from '#features/wip-actions/contract.ts';
import { sendSwitch, type OrderModule } from '#features/work-order-actions/contract.ts';
import * as orders from '#features/work-orders/contract.ts';
import type { Tables } from '#server/db/tables.ts';
import type { TestApp } from '#tests/support/app.ts';

/** What planners say of every order, each at a supplier that makes such a thing. */
export const foundryHead = { lotType: '0', supplierId: 'FAB' };
export const bumpingHead = { lotType: '0', supplierId: 'S1' };
export const packingHead = { lotType: '0', supplierId: 'ASY' };
const planner = { as: 'planner' };

interface Told<T> {
  code: string;
  msg: string;
  data: T;
}
/** What was answered, once it is sure that it was done. */
export async function ok<T>(answer: Promise<Told<T>>): Promise<T> {
  const { code, msg, data } = await answer;
  expect([code, msg]).toEqual(['000000', expect.any(String)]);
  return data;
}

/** Orders and lots as a planner makes them, by the product's own calls. */
export function openYard(testApp: TestApp, lotPrefix = 'LOT') {
  let lots = 0;
  const send = (module: OrderModule, id: string) => ok(testApp.send(sendSwitch(module), { id }, planner));
  const sent = async (module: OrderModule, order: Promise<Told<{ id: number }>>) => {
    const id = String((await ok(order)).id);
    await send(module, id);
    return id;
  };
  const ordered = (waferQty: number) =>
    sent(
      'icopWaferWorkOrder',
      testApp.send(orders.createWaferOrder, { ...foundryHead, waferPn: 'P1', waferQty }, planner),
    );
  const come = async (id: string, waferLotId: string, waferIds: string, dies = 100) =>
    (await ok(testApp.send(receiveWafers, { id, waferLotId, waferIds, dies }, planner))).wipId as string;
  /** A lot of 01 to 03 with 100 dies each, which has come from the foundry. */
  const foundryLot = async () => {
    const lot = `${lotPrefix}${++lots}`;
    const id = await ordered(3);
    return { wipId: await come(id, lot, '01-03'), id, lot };
  };
  const bumpingOfWafers = (waferList: { wipId: string; waferId: string }[], processType = '2') =>
    testApp.send(orders.createBumpingCpOrder, { ...bumpingHead, processType, waferPn: 'P1', waferList }, planner);
  const bumpingOf = (wipId: string, processType = '2', waferIds = ['01', '02', '03']) =>
    bumpingOfWafers(
      waferIds.map((waferId) => ({ wipId, waferId })),
      processType,
    );
  const bumping = (...of: Parameters<typeof bumpingOf>) => sent('icopBumpingCpWorkOrder', bumpingOf(...of));
  const assembly = (waferList: { wipId: string; waferId: string; inputQty?: number }[], more: object = {}) =>
    sent(
      'icopAssemblyWorkOrder',
      testApp.send(
        orders.createAssemblyOrder,
        { ...packingHead, processType: '1', waferPn: 'P1', devicePn: 'D1', waferList, ...more },
        planner,
      ),
    );
  const finalTestOf = (ftType: string, list: { wipId: string; group: number; bin: string; chipQty?: number }[]) =>
    testApp.send(
      orders.createFtOrder,
      {
        ...{ ...packingHead, processType: '1', ftType, devicePn: 'D1' },
        ftWorkOrderLineGroupList: list.map((it) => ({ ...it, ftTestProgram: `FT${ftType}` })),
      },
      planner,
    );
  const finalTest = (...of: Parameters<typeof finalTestOf>) => sent('icopFtWorkOrder', finalTestOf(...of));
  const record = (
    module: WorkOrderModule,
    {
      id,
      positions,
      ...more
    }: {
      id: string;
      positions: (ReturnType<typeof good> & { repeat?: number })[];
      dateCode?: string;
      remark?: string;
      version?: number;
    },
    asking: object = planner,
  ) => testApp.send(recordOutput(module), { id, positions, ...more }, asking);
  const positions = async (module: WorkOrderModule, id: string) =>
    (await ok(testApp.send(toRecordOutput(module), { id }, planner))).positions;
  /** The newest entry of a lot that stands; where none does any more, the newest. */
  const latest = async (wipId: string) => {
    const { id } = await testApp.db
      .selectFrom('icop_transaction')
      .select('id')
      .where('wipId', '=', wipId)
      .orderBy((it) => it('operateStatus', '=', 'Normal'), 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    return String(id);
  };
  const undo = async (wipId: string) =>
    testApp.send(rollbackLot, { id: await latest(wipId), remark: 'mistyped' }, { as: 'admin' });
  const lotRow = (wipId: string | undefined) =>
    testApp.db
      .selectFrom('icop_wip')
      .selectAll()
      .where('wipId', '=', wipId ?? '')
      .executeTakeFirstOrThrow();
  return {
    ...{ send, sent, ordered, come, foundryLot, bumpingOf, bumpingOfWafers, bumping, assembly, finalTestOf, finalTest },
    ...{ record, positions, latest, undo, lotRow },
  };
}

/** A report of one position. */
export const good = (position: string, qty: number, lossQty = 0, bin: string | null = null) => ({
  ...{ position, outputs: [{ bin, qty }], lossQty },
});

/** A supplier of each kind, a wafer part and a device of it. */
export async function chipParts(db: Kysely<Tables>): Promise<void> {
  await db
    .insertInto('icop_supplier')
    .values(
      [
        { supplierId: 'FAB', supplierName: 'Foundry', supplierType: '1' },
        { supplierId: 'S1', supplierName: 'One', supplierType: '2' },
        { supplierId: 'S2', supplierName: 'Two', supplierType: '3' },
        { supplierId: 'ASY', supplierName: 'Assembler', supplierType: '4' },
      ].map((it) => ({ ...it, status: '1' })),
    )
    .execute();
  await db
    .insertInto('icop_part_number')
    .values([{ waferPn: 'P1', waferMpn: 'M-P1', grossDie: 120, status: '1' }])
    .execute();
  await db
    .insertInto('icop_part_number_line')
    .values([{ devicePn: 'D1', waferPn: 'P1', deviceErpCode: 'ERP1', packageType: 'QFN', productName: 'CHIP' }])
    .execute();
}

/** Where dies are missing or too many, in plain SQL of its own: nothing of it is asked of the product. */
export async function findChipFaults(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ fault: string }>`
    WITH entry AS (SELECT * FROM icop_transaction WHERE "operateStatus" = 'Normal'),
         orders AS (SELECT "workOrderNo", "billStatus", "chipQty", "outputQty", "lossQty" FROM icop_bumping_cp_work_order
              UNION ALL SELECT "workOrderNo", "billStatus", "chipQty", "outputQty", "lossQty" FROM icop_assembly_work_order
              UNION ALL SELECT "workOrderNo", "billStatus", "chipQty", "outputQty", "lossQty" FROM icop_ft_work_order),
         told AS (SELECT "workOrderNo", coalesce(sum(qty) FILTER (WHERE "transactionType" = 'RESERVE'), 0)::int AS went_in,
                         coalesce(sum(qty) FILTER (WHERE "transactionType" = 'OUTPUT'), 0)::int AS came_out,
                         coalesce(sum(qty) FILTER (WHERE "transactionType" = 'LOSS'), 0)::int AS lost
                    FROM entry WHERE "workOrderNo" IS NOT NULL GROUP BY 1),
         both_of AS (SELECT o.*, coalesce(t.went_in, 0) AS went_in, coalesce(t.came_out, 0) AS came_out, coalesce(t.lost, 0) AS lost
                       FROM orders AS o LEFT JOIN told AS t USING ("workOrderNo") WHERE o."billStatus" <> '4'),
         sums AS (SELECT (SELECT coalesce(sum(qty), 0) FROM entry JOIN icop_wafer_work_order USING ("workOrderNo")
                           WHERE "transactionType" = 'IN') AS received,
                         (SELECT coalesce(sum("chipQty"), 0) FROM icop_wip WHERE stage IN ('1', '3', '5', '7', '9', 'B')) AS stock,
                         (SELECT coalesce(sum(went_in - came_out - lost), 0) FROM both_of) AS in_process,
                         (SELECT coalesce(sum(lost), 0) FROM both_of) AS lost)
    SELECT 'received ' || received || ', in stock ' || stock || ', in process ' || in_process || ', lost ' || lost AS fault
      FROM sums WHERE received <> stock + in_process + lost
    UNION ALL
    SELECT 'order ' || "workOrderNo" || ' says ' || concat_ws('/', "chipQty", "outputQty", "lossQty") || ', its entries '
           || concat_ws('/', went_in, came_out, lost)
      FROM both_of
     WHERE (coalesce("chipQty", 0), coalesce("outputQty", 0), coalesce("lossQty", 0)) IS DISTINCT FROM (went_in, came_out, lost)
        OR went_in < came_out + lost
    UNION ALL
    SELECT 'order ' || "workOrderNo" || ' is ' || "billStatus" || ' with ' || came_out + lost || ' of ' || went_in
      FROM both_of
     WHERE CASE "billStatus" WHEN '0' THEN came_out + lost > 0 WHEN '1' THEN came_out + lost > 0
                             WHEN '2' THEN came_out + lost = 0 ELSE came_out + lost <> went_in END
    UNION ALL
    SELECT 'order ' || "workOrderNo" || ' is ' || o."billStatus" || ' with ' || o.went_in - o.came_out - o.lost || ' in process, the list says ' || w.qty
      FROM both_of AS o CROSS JOIN LATERAL (
           SELECT coalesce(sum("chipQty"), 0) AS qty, count(*) FILTER (WHERE "chipQty" <= 0) AS empty
             FROM icop_wip WHERE "workOrderNo" = o."workOrderNo" AND stage IN ('2', '4', '6', '8', 'A')) AS w
     WHERE w.empty > 0 OR w.qty <> CASE WHEN o."billStatus" IN ('1', '2') THEN o.went_in - o.came_out - o.lost ELSE 0 END
    UNION ALL
    SELECT 'lot ' || w."wipId" || ' says ' || w."outputQty" || ' came, its entries ' || e.qty
      FROM icop_wip AS w
      JOIN (SELECT "wipId", sum(qty) AS qty FROM icop_transaction WHERE "transactionType" = 'OUTPUT' AND "operateStatus" = 'Normal'
             GROUP BY 1) AS e USING ("wipId")
     WHERE w."outputQty" IS DISTINCT FROM e.qty
    UNION ALL
    SELECT 'lot ' || w."wipId" || ' of bank ' || w.stage || ' holds ' || w."chipQty" || ', its pieces ' || p.qty
      FROM icop_wip AS w CROSS JOIN LATERAL (
           SELECT CASE WHEN w.stage IN ('2', '4', '6', '8', 'A') THEN w."chipQty"
                       WHEN w.stage IN ('1', '3', '5')
                       THEN (SELECT coalesce(sum("chipQty"), 0) FROM icop_wip_wafer WHERE "wipId" = w."wipId")
                       ELSE coalesce(w."binG", 0) + coalesce(w.bin1, 0) + coalesce(w.bin2, 0) + coalesce(w.bin3, 0)
                            + coalesce(w.bin4, 0) + coalesce(w.bin5, 0) + coalesce(w.bin6, 0) + coalesce(w.bin7, 0)
                            + coalesce(w.bin8, 0) + coalesce(w.bin9, 0) END AS qty) AS p
     WHERE w."chipQty" <> p.qty OR w."chipQty" < 0
    UNION ALL
    SELECT 'group ' || "group" || ' of ' || "workOrderNo" || ' got ' || went_in || ', gave ' || gone
      FROM (SELECT e."workOrderNo", coalesce(l."group", w."group") AS "group",
                   coalesce(sum(e.qty) FILTER (WHERE e."transactionType" = 'RESERVE'), 0) AS went_in,
                   coalesce(sum(e.qty) FILTER (WHERE e."transactionType" IN ('OUTPUT', 'LOSS')), 0) AS gone
              FROM entry AS e
              LEFT JOIN icop_ft_work_order_line AS l
                ON (l."workOrderNo", l."wipId", l.bin) = (e."workOrderNo", e."wipId", e.bin)
              LEFT JOIN icop_wip AS w ON w."wipId" = e."wipId" AND e."transactionType" = 'OUTPUT'
             WHERE e."workOrderNo" IN (SELECT "workOrderNo" FROM icop_ft_work_order) GROUP BY 1, 2) AS groups
     WHERE gone > went_in
    UNION ALL
    SELECT 'order ' || "workOrderNo" || ' is cancelled, and stands in the history of ' || "wipId"
      FROM entry JOIN (SELECT "workOrderNo" FROM icop_bumping_cp_work_order WHERE "billStatus" = '4'
                        UNION ALL SELECT "workOrderNo" FROM icop_assembly_work_order WHERE "billStatus" = '4'
                        UNION ALL SELECT "workOrderNo" FROM icop_ft_work_order WHERE "billStatus" = '4') AS gone USING ("workOrderNo")
    UNION ALL
    SELECT 'wafer ' || p."waferId" || ' of lot ' || w."waferLotId" || ' came from the foundry ' || count(*) || ' times'
      FROM icop_wip AS w JOIN icop_wip_wafer AS p USING ("wipId")
     WHERE w.stage = '1' AND w."parentWipIds" IS NULL GROUP BY w."waferPn", w."waferLotId", p."waferId" HAVING count(*) > 1
    UNION ALL
    SELECT 'wafer ' || e."waferId" || ' of ' || w."parentWipIds" || ' came out of ' || e."workOrderNo" || ' into ' || count(DISTINCT e."wipId") || ' lots'
      FROM entry AS e JOIN icop_wip AS w USING ("wipId")
     WHERE e."transactionType" = 'OUTPUT' AND e."workOrderNo" IN (SELECT "workOrderNo" FROM icop_bumping_cp_work_order)
     GROUP BY e."workOrderNo", w."parentWipIds", e."waferId" HAVING count(DISTINCT e."wipId") > 1
    UNION ALL
    SELECT 'wafer ' || "waferId" || ' of ' || "wipId" || ' holds ' || "chipQty" FROM icop_wip_wafer WHERE "chipQty" < 0`.execute(
    db,
  );
  return rows.map((it) => it.fault);
}
