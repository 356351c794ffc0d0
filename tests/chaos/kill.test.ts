import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkshop, type Workshop } from '#tests/support/serverProcess.ts';
import { openStations, randomFrom, type Stations, type Tally } from '#tests/support/stations.ts';

/** The server is killed in the middle of submits, again and again. `npm run chaos -- kill` is the long run. */
const ROUNDS = Number(process.env['ROUNDS'] ?? 3);
const SEED = Number(process.env['SEED'] ?? 20261121);
const STATIONS = 4;
/** Submits and lookups of one device on its whole way. */
const ANSWERS = 14;

let workshop: Workshop;
let codes: Map<string | null, number | null>;
beforeAll(async () => {
  workshop = await openWorkshop();
  const rows = await workshop.database.db.selectFrom('ubs_issue_code').select(['code', 'codeId']).execute();
  codes = new Map(rows.map((it) => [it.code, it.codeId]));
});
afterAll(() => workshop.close());

const nameOf = (prefix: string, round: number, station: number) =>
  `${prefix}${String(round).padStart(3, '0')}${String(station).padStart(2, '0')}`;
const snOf = (round: number, station: number) => nameOf('RX19P4A2611', round, station);
const shipOf = (round: number, station: number) => nameOf('SF', round, station);
const bill = (receiveShipNo: string) => ({
  receiveShipNo,
  userName: '宁远矿业',
  mobile: '13800000000',
  rmaMaintainBillLineList: [{ type: '0', salesCode: 'RX19', count: 1 }],
});

/** One device from its bill to its delivery; what the last answers said of it. */
async function device({ submit, look }: Stations, sn: string, receiveShipNo: string) {
  const { mtbId } = await submit('office', '/api/rmaMaintainBill/create.json', bill(receiveShipNo));
  const { abId } = await submit('warehouse', '/api/rmaArrivalBill/signFor.json', {
    receiveShipNo,
    receivePackageCount: 1,
    remark: null,
  });
  const open = await look('warehouse', '/api/rmaReceiveBill/queryByShipNo.json', { receiveShipNo });
  const [line] = open['rmaMaintainBillLineList'] as { mtblId: string }[];
  const goods = { salesCode: 'RX19', type: '0' };
  const item = { ...goods, receiveSn: sn, depreciation: 'B' };
  await submit('warehouse', '/api/rmaReceiveBill/receive.json', {
    mtbId,
    payment: '0',
    rmaReceiveBillLineRequestList: [{ ...goods, mtblId: line?.mtblId, rmaReceiveBillLineItemRequestList: [item] }],
  });
  await submit('warehouse', '/api/rmaReceiveBill/finishReceive.json', { maintainBillId: mtbId });
  const { ckbId } = await submit('tech', '/api/rmaCheckBill/check.json', {
    sn,
    checkType: '0',
    checkUrls: '',
    issueCodeIdList: [codes.get('FX409')],
  });
  const part = { sn, partsType: '7', repairMethod: '8', issueCodeIdList: [codes.get('RP01')], slot: 'U1' };
  await submit('tech', '/api/rmaRepairBill/repair.json', {
    sn,
    repairType: '2',
    partsList: [{ ...part, spendItemCount: 1, repairUrls: '' }],
  });
  const own = (kind: string) => `${kind}${sn.slice(-10)}`;
  await submit('tech', '/api/rmaAssembleBill/assemble.json', {
    sn,
    partsList: [
      { sn: own('PW'), component_type: 'COIT000000S1' },
      { sn: own('CT'), component_type: 'COIT000000RZ' },
      ...[1, 2, 3, 4].map((i) => ({
        sn: own(`B${i}`),
        component_type: 'COIT000000S0',
        qrCodeNum: own(`QR${i}0000`),
      })),
    ],
  });
  const tested = (code: string) => [{ sn, icdId: codes.get(code) }];
  await submit('tech', '/api/rmaBurninBill/submitBurninBill.json', { rmaBurninBillLineList: tested('AT00') });
  await submit('tech', '/api/rmaExamineBill/submitExamineBill.json', { rmaExamineBillLineList: tested('QC00') });
  const stored = await submit('warehouse', '/api/rmaStoreBill/submitStoreBill.json', {
    rmaStoreBillLineList: [{ sn }],
    packageCount: 20,
    subinventoryCode: 'FG',
  });
  const [skbId] = stored['skbIdList'] as string[];
  const tallied = await look('warehouse', '/api/rmaDeliverBill/attemptDeliver.json', { sn, skbId }, 'POST');
  await submit('warehouse', '/api/rmaDeliverBill/submitDeliverBill.json', {
    skbId,
    submitType: '0',
    rmaDeliverBillLineList: [
      {
        deliverItemId: tallied['deliverItemId'],
        deliverSn: sn,
        sklId: tallied['sklId'],
        submitCount: 1,
        salesCode: 'RX19',
      },
    ],
  });
  return { sn, receiveShipNo, mtbId, abId, ckbId };
}

/** Reads a row and saves it one higher, as whoever counts on paper would. */
async function countUp({ submit, look }: Stations, id: number) {
  const row = await look('office', '/api/rmaMaintainBill/queryById.json', { id: String(id) });
  const receivePackageCount = Number(row['receivePackageCount']) + 1;
  await submit('office', '/api/rmaMaintainBill/modifyById.json', { id, version: row['version'], receivePackageCount });
}

const rowsOf = async <Row>(query: ReturnType<typeof sql<Row>>) => (await query.execute(workshop.database.db)).rows;

describe('a server that is killed in the middle of submits', () => {
  it(
    `loses no acknowledged submit and does none twice, in ${ROUNDS} rounds`,
    { timeout: 30_000 * ROUNDS },
    async () => {
      const { db } = workshop.database;
      const all = Array.from({ length: ROUNDS }, (_, round) =>
        Array.from({ length: STATIONS }, (_, i) => [round, i] as const),
      );
      await db
        .insertInto('ubs_item_object')
        .values(
          all.flat().map(([round, i]) => ({
            sn: snOf(round, i),
            itemId: 1,
            salesCode: 'RX19',
            itemName: 'RX19 104T',
            type: '0',
            origin: '1',
          })),
        )
        .execute();
      const counters = await db
        .insertInto('rma_maintain_bill')
        .values(
          Array.from({ length: STATIONS }, (_, i) => ({
            mtbId: `MTB202001010000${i}`,
            receiveShipNo: `COUNTER${i}`,
            userName: 'counter',
            billStatus: '0',
            receivePackageCount: 0,
            siteId: 'SZ',
          })),
        )
        .returning('id')
        .execute();

      const random = randomFrom(SEED);
      const stations = openStations(workshop, { keyed: true, random });
      await stations.settled();
      const done = [];
      for (const round of all) {
        stations.killAfter(1 + Math.floor(random() * STATIONS * ANSWERS));
        const devices = round.map(async ([number, i]) => {
          await countUp(stations, counters[i]?.id as number);
          return device(stations, snOf(number, i), shipOf(number, i));
        });
        done.push(...(await Promise.all(devices)));
        await stations.settled();
      }
      report('with keys', stations.tally);

      expect(stations.tally.kills).toBe(ROUNDS);
      expect(stations.tally.lost).toBeGreaterThan(0);
      const made = await rowsOf<Record<string, unknown>>(sql`
      SELECT b."receiveShipNo", b."mtbId", b."billStatus", l.count, l."receiveCount", l."deliverCount", a."abId", c."ckbId",
        (SELECT array_agg(t.step ORDER BY t.id) FROM rma_transaction t WHERE t."mtbId" = b."mtbId") AS steps
      FROM rma_maintain_bill b
      JOIN rma_maintain_bill_line l USING ("mtbId")
      LEFT JOIN rma_arrival_bill a USING ("receiveShipNo")
      LEFT JOIN rma_check_bill c ON c."mtbId" = b."mtbId"
      WHERE b."receiveShipNo" LIKE 'SF%' ORDER BY 1`);
      expect(made).toEqual(
        done
          .toSorted((a, b) => (a.receiveShipNo < b.receiveShipNo ? -1 : 1))
          .map(({ receiveShipNo, mtbId, abId, ckbId }) => ({
            ...{ receiveShipNo, mtbId, abId, ckbId, billStatus: '2', count: 1, receiveCount: 1, deliverCount: 1 },
            steps: ['receive', 'check', 'repair', 'assemble', 'aging', 'qc', 'store', 'deliver'],
          })),
      );
      for (const table of ['check', 'repair', 'burnin', 'examine', 'store', 'deliver']) {
        const lines = await rowsOf<{ sn: string }>(
          sql`SELECT sn FROM ${sql.table(`rma_${table}_bill_line`)} ORDER BY sn`,
        );
        expect(
          lines.map((it) => it.sn),
          table,
        ).toEqual(done.map((it) => it.sn).toSorted());
      }
      const counted = await rowsOf(sql`
      SELECT "receivePackageCount" AS n, version FROM rma_maintain_bill WHERE "receiveShipNo" LIKE 'COUNTER%'`);
      expect(counted).toEqual(counters.map(() => ({ n: ROUNDS, version: ROUNDS + 1 })));
      expect(await rowsOf(sql`SELECT count(*) AS n FROM idempotency_key`)).toEqual([{ n: stations.tally.submits }]);
    },
  );

  it(
    'does submits twice when they carry no key, which shows that the keys are what protects',
    { timeout: 30_000 * ROUNDS },
    async () => {
      const random = randomFrom(SEED);
      const stations = openStations(workshop, { keyed: false, random });
      await stations.settled();
      const rounds = Math.max(1, Math.floor(ROUNDS / 3));
      for (let round = 0; round < rounds; round++) {
        stations.killAfter(1 + Math.floor(random() * STATIONS * ANSWERS));
        const bills = Array.from({ length: STATIONS }, async (_, i) => {
          for (let n = 0; n < ANSWERS; n++) {
            const ship = `${nameOf('NOKEY', round, i)}-${n}`;
            await stations.submit('office', '/api/rmaMaintainBill/create.json', bill(ship));
          }
        });
        await Promise.all(bills);
        await stations.settled();
      }
      const [{ made, wanted } = { made: 0, wanted: 0 }] = await rowsOf<{ made: number; wanted: number }>(sql`
      SELECT count(*) AS made, count(DISTINCT "receiveShipNo") AS wanted
      FROM rma_maintain_bill WHERE "receiveShipNo" LIKE 'NOKEY%'`);
      report('without keys', stations.tally, `${made - wanted} done twice`);
      expect(wanted).toBe(stations.tally.submits);
      expect(made).toBeGreaterThan(wanted);
    },
  );
});

/** The figures of the long run. */
function report(kind: string, { kills, submits, lost, cutOff, cutOffButKept }: Tally, more = '') {
  if (!process.env['ROUNDS']) return;
  process.stdout.write(
    `${kind}: ${kills} kills, ${submits} submits acknowledged, ${lost} answers lost on purpose, ` +
      `${cutOff} requests cut off, ${cutOffButKept} of them kept by the database ${more}\n`,
  );
}
