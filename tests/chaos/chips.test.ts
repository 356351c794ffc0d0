import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from '#domain/call.ts';
import { OperateStatus } from '#domain/enums.ts';
import { banksOf, ftBins, FtType, GOOD_BIN, workOrderModules } from '#domain/wafer.ts';
import { receiveWafers, recordOutput, toRecordOutput } from '#features/order-output/contract.ts';
import { merge, rollbackLot, toMerge } from '#features/wip-actions/contract.ts';
import { done, editBillStatus, sendSwitch } from '#features/work-order-actions/contract.ts';
import * as orders from '#features/work-orders/contract.ts';
import { startTestApp, type TestApp } from '#tests/support/app.ts';
import {
  bumpingHead,
  chipParts,
  findChipFaults,
  foundryHead,
  good,
  ok,
  openYard,
  packingHead,
} from '#tests/support/chips.ts';
import { interleave, withAltered, withoutLocks } from '#tests/support/faults.ts';
import { isBlocked } from '#tests/support/locks.ts';
import { randomFrom } from '#tests/support/stations.ts';
import type { Unseen } from '#tests/support/seen.ts';

/**
 * Random receipts, orders, outputs, losses, merges, cancellings and rollbacks of two planners at once, interleaved at every
 * statement: after each two every die is somewhere.
 * `npm run chaos -- chips --commands=50000` is the long run; `SEED` repeats one.
 */
const COMMANDS = Number(process.env['COMMANDS'] ?? 400);
const SEED = Number(process.env['SEED'] ?? 20261126);
const RACES = Number(process.env['ROUNDS'] ?? 5) * 4;
/** A bank gets slower to look at as it fills; each episode has one of its own. */
const EPISODE = 1000;

let testApp: TestApp;
async function openBank() {
  await (testApp as TestApp | undefined)?.close();
  testApp = await startTestApp();
  await chipParts(testApp.db);
}
beforeAll(openBank);
afterAll(() => testApp.close());

const planner = { as: 'planner' };

/** Who plans, and what comes to his mind. */
interface Chance {
  as: string;
  below: (n: number) => number;
  of: <T>(all: readonly T[]) => T | undefined;
  /** By which both planners come upon one order. */
  topic?: number | undefined;
}
const chanceOf = (as: string, seed: number): Chance => {
  const random = randomFrom(seed);
  const below = (n: number) => Math.floor(random() * n);
  return { as, below, of: (all) => all[below(all.length)] };
};

const send = async <C extends Call>(call: C, input: Unseen<C>, as: string): Promise<string> =>
  (await testApp.send(call, input, { as })).code;

/** Lots of these banks that hold something, with their wafers or bins. */
async function lotsIn(stages: readonly string[]) {
  const { db } = testApp;
  const lots = await db
    .selectFrom('icop_wip')
    .selectAll()
    .where('stage', 'in', [...stages])
    .where('chipQty', '>', 0)
    .orderBy('id', 'desc')
    .limit(20)
    .execute();
  return Promise.all(
    lots.map(async (lot) => {
      const wafers = await db.selectFrom('icop_wip_wafer').selectAll().where('wipId', '=', lot.wipId).execute();
      const bins = [GOOD_BIN, ...ftBins].map((bin) => ({ piece: bin, qty: Number(lot[`bin${bin}` as 'binG'] ?? 0) }));
      const pieces = wafers.length > 0 ? wafers.map((it) => ({ piece: it.waferId, qty: it.chipQty ?? 0 })) : bins;
      return { lot, pieces: pieces.filter((it) => it.qty > 0) };
    }),
  );
}

/** An order of this kind, in any of these states. */
async function orderIn(module: string, states: readonly string[], chance: Chance) {
  const table = module.replaceAll(/[A-Z]/g, (it) => `_${it.toLowerCase()}`) as 'icop_ft_work_order';
  const rows = await testApp.db
    .selectFrom(table)
    .select(['id', 'workOrderNo'])
    .where('billStatus', 'in', [...states])
    .orderBy('id', 'desc')
    .limit(12)
    .execute();
  return chance.topic === undefined ? chance.of(rows) : rows[chance.topic % rows.length];
}

/** An order of any kind that is in one of these states. */
async function anyOrder(states: readonly string[], chance: Chance) {
  const from = (chance.topic ?? chance.below(workOrderModules.length)) % workOrderModules.length;
  for (const module of [...workOrderModules.slice(from), ...workOrderModules.slice(0, from)]) {
    const row = await orderIn(module, states, chance);
    if (row) return { module, id: String(row.id), workOrderNo: row.workOrderNo };
  }
  return undefined;
}

let made = 0;
type Command = (chance: Chance) => Promise<string>;

const receive: Command = async (chance) => {
  const waferQty = 2 + chance.below(4);
  const { data, code } = await testApp.send(
    orders.createWaferOrder,
    { ...foundryHead, waferPn: 'P1', waferQty },
    chance,
  );
  if (code !== '000000') return code;
  const id = String(data.id);
  await send(sendSwitch('icopWaferWorkOrder'), { id }, chance.as);
  const waferIds = `01-0${1 + chance.below(waferQty)}`;
  // Now and then a lot that has come already.
  const n = chance.below(2) === 0 ? Math.max(1, made - chance.below(2)) : ++made;
  return send(receiveWafers, { id, waferLotId: `LOT-${n}`, waferIds, dies: 1 + chance.below(60) }, chance.as);
};

const input = (qty: number, chance: Chance) => [0, qty, 1 + chance.below(qty + 1)][chance.below(3)] ?? 0;

const order =
  (module: 'icopBumpingCpWorkOrder' | 'icopAssemblyWorkOrder'): Command =>
  async (chance) => {
    const isAssembly = module === 'icopAssemblyWorkOrder';
    const processType = String(1 + chance.below(isAssembly ? 2 : 3));
    const ftType = isAssembly && processType === '2' ? (chance.of(['1', '3']) ?? '1') : undefined;
    const lots = await lotsIn(banksOf(module, { processType }));
    const picked = [chance.of(lots), chance.below(3) === 0 ? chance.of(lots) : undefined];
    const waferList = [...new Set(picked)].flatMap((it) =>
      (it?.pieces ?? [])
        .filter(() => chance.below(3) > 0)
        .map(({ piece, qty }) => ({ wipId: it?.lot.wipId ?? '', waferId: piece, inputQty: input(qty, chance) })),
    );
    const call = isAssembly ? orders.createAssemblyOrder : orders.createBumpingCpOrder;
    const more = isAssembly ? { devicePn: 'D1', ...(ftType && { ftType }) } : {};
    return send(
      call,
      { ...(isAssembly ? packingHead : bumpingHead), processType, waferPn: 'P1', ...more, waferList },
      chance.as,
    );
  };

const orderTest: Command = async (chance) => {
  const ftType = chance.of([FtType.Ft1, FtType.Ft2]) ?? FtType.Ft1;
  const lots = await lotsIn(banksOf('icopFtWorkOrder', { ftType }).slice(0, 1));
  const ftWorkOrderLineGroupList = lots.slice(0, 3).flatMap(({ lot, pieces }) =>
    pieces
      .filter(() => chance.below(2) === 0)
      .map(({ piece, qty }) => ({
        ...{ wipId: lot.wipId, group: 1 + (chance.below(4) === 0 ? 1 : 0), bin: piece, ftTestProgram: `FT${ftType}` },
        chipQty: input(qty, chance),
      })),
  );
  return send(
    orders.createFtOrder,
    { ...packingHead, processType: '1', ftType, devicePn: 'D1', ftWorkOrderLineGroupList },
    chance.as,
  );
};

const switchOrder: Command = async (chance) => {
  // Most are sent, and some taken back.
  const found = await anyOrder(chance.below(4) === 0 ? ['1'] : ['0'], chance);
  return found ? send(sendSwitch(found.module), { id: found.id }, chance.as) : 'none';
};

const report: Command = async (chance) => {
  const found = await anyOrder(['1', '2'], chance);
  if (!found) return 'none';
  const { module, id } = found;
  const { data, code } = await testApp.send(toRecordOutput(module), { id }, chance);
  // Somebody else was faster.
  if (code !== '000000') return code;
  const { bins } = data;
  // Now and then all of it is lost, more often of what is tested together.
  const isLost = chance.below(module === 'icopFtWorkOrder' ? 3 : 6) === 0;
  const positions = data.positions
    .filter(() => chance.below(4) > 0)
    .map(({ position, leftQty }) => {
      if (isLost) return { position, outputs: [{ bin: bins[0] ?? null, qty: 0 }], lossQty: leftQty };
      const qty = [0, leftQty, leftQty, chance.below(leftQty + 2)][chance.below(4)] ?? 0;
      const lossQty = [0, leftQty - qty, chance.below(Math.max(1, leftQty - qty + 2))][chance.below(3)] ?? 0;
      const bin = bins.length === 0 ? null : (chance.of(bins) ?? null);
      const half = Math.floor(qty / 2);
      const other = bins.length > 1 ? (chance.of(bins.filter((it) => it !== bin)) ?? null) : null;
      const outputs =
        other === null
          ? [{ bin, qty }]
          : [
              { bin, qty: qty - half },
              { bin: other, qty: half },
            ];
      return { position, outputs, lossQty };
    });
  return positions.length > 0 ? send(recordOutput(module), { id, positions }, chance.as) : 'none';
};

const close: Command = async (chance) => {
  const found = await anyOrder(['1', '2'], chance);
  return found ? send(done(found.module), { id: found.id }, chance.as) : 'none';
};

const cancel: Command = async (chance) => {
  const found = await anyOrder(['0', '1', '2', '3'], chance);
  const billStatus = String(chance.below(5));
  return found ? send(editBillStatus(found.module), { id: found.id, billStatus }, chance.as) : 'none';
};

const mergeAny: Command = async (chance) => {
  const found = chance.of(await lotsIn(['1', '3', '5', '7', '9', 'B']));
  if (!found) return 'none';
  const id = String(found.lot.id);
  const { data, code } = await testApp.send(toMerge, { id }, chance);
  if (code !== '000000') return code;
  const chosen = data.items.filter(() => chance.below(2) === 0).map((it) => it.wipId);
  return chosen.length > 0 ? send(merge, { id, wipIds: chosen.join(',') }, chance.as) : 'none';
};

/**
 * Most look at the history of the lot before, and take the newest entry; some what an order that is out has taken, or a final
 * test, whose lots a loss binds together.
 */
const undo: Command = async (chance) => {
  const out = chance.of([['1', '2'], ['3']]) ?? [];
  const way = chance.below(3);
  const order = [undefined, await anyOrder(out, chance), await orderIn('icopFtWorkOrder', ['2', '3'], chance)][way];
  const rows = await testApp.db
    .selectFrom('icop_transaction')
    .select(['id', 'wipId', 'operateStatus', 'transactionType', 'workOrderNo'])
    .orderBy('id', 'desc')
    .limit(120)
    .execute();
  const newest = rows.filter(
    (it, i) =>
      it.operateStatus === OperateStatus.Normal &&
      rows.findIndex((one) => one.wipId === it.wipId && one.operateStatus === OperateStatus.Normal) === i,
  );
  const taken = newest.filter((it) => it.transactionType === 'RESERVE' && it.workOrderNo === order?.workOrderNo);
  const found = chance.of(order && taken.length > 0 ? taken : chance.below(4) > 0 ? newest : rows);
  return found ? send(rollbackLot, { id: String(found.id), remark: 'mistyped' }, 'admin') : 'none';
};

const commands: Record<string, { often: number; run: Command }> = {
  receive: { often: 3, run: receive },
  bumping: { often: 3, run: order('icopBumpingCpWorkOrder') },
  assembly: { often: 3, run: order('icopAssemblyWorkOrder') },
  finalTest: { often: 5, run: orderTest },
  switch: { often: 5, run: switchOrder },
  report: { often: 8, run: report },
  close: { often: 4, run: close },
  cancel: { often: 2, run: cancel },
  merge: { often: 2, run: mergeAny },
  undo: { often: 4, run: undo },
};
const hat = Object.entries(commands).flatMap(([name, { often }]) => Array<string>(often).fill(name));

/** A fault, as it would be in the product. */
interface Planted {
  /** What each bank is like, before anybody comes. */
  prepare?: (db: TestApp['db']) => Promise<unknown>;
  /** What is asked of the database instead; where names are said, while these two commands meet. */
  alter?: (text: string) => string;
  of?: readonly [string, string];
}

/** A command of each of two planners, both at once, statement by statement; gives what was wrong after them. */
async function both(chances: readonly [Chance, Chance], pick: (count: number) => number, planted: Planted = {}) {
  const names = chances.map((it) => it.of(hat) ?? 'receive') as [string, string];
  const run = (at: 0 | 1) => async () => (await commands[names[at]]?.run(chances[at])) ?? 'none';
  const blocked = (pids: readonly number[]) => isBlocked(testApp.db, pids);
  const { alter, of } = planted;
  const meet = () => interleave({ blocked, pick }, run(0), run(1));
  const isPlanted = alter && (of ?? []).every((it) => names.includes(it));
  const { answers, deadlocks } = await (isPlanted ? withAltered(alter, meet) : meet());
  const told = names.map((name, at) => `${name} ${answers[at as 0 | 1]}`) as [string, string];
  const odd = told.filter((it) => / 000(5|007)/.test(it));
  return {
    told,
    faults: [...odd, ...(deadlocks > 0 ? ['a circle of locks'] : []), ...(await findChipFaults(testApp.db))],
  };
}

/** So many commands, two at a time; ends with the first faults, and with how many commands found them. */
async function plan(
  count: number,
  seed: number,
  { heard = new Map<string, number>(), ...planted }: Planted & { heard?: Map<string, number> } = {},
) {
  const chances = [chanceOf('planner', seed), chanceOf('admin', seed + 1)] as const;
  const turn = chanceOf('', seed + 2);
  made = 0;
  for (let n = 0; n < count; n += 2) {
    if (n % EPISODE === 0) {
      await openBank();
      await planted.prepare?.(testApp.db);
    }
    const topic = turn.below(2) === 0 ? turn.below(1000) : undefined;
    const [one, other] = [
      { ...chances[0], topic },
      { ...chances[1], topic },
    ];
    const { told, faults } = await both([one, other], turn.below, planted);
    for (const it of told) heard.set(it, (heard.get(it) ?? 0) + 1);
    if (faults.length > 0) return { after: n + 2, faults: [`SEED=${seed}: ${told.join(' beside ')}`, ...faults] };
  }
  return { after: count, faults: [] };
}

const say = (it: string) => process.env['COMMANDS'] && process.stdout.write(`${it}\n`);

it(
  `after each two of ${COMMANDS} random commands of two planners at once every die is somewhere`,
  { timeout: 60_000 + COMMANDS * 1000 },
  async () => {
    const heard = new Map<string, number>();
    const began = performance.now();
    expect(await plan(COMMANDS, SEED, { heard })).toEqual({ after: COMMANDS, faults: [] });
    say(JSON.stringify(Object.fromEntries([...heard].toSorted()), null, 2));
    say(`${((performance.now() - began) / COMMANDS).toFixed(1)} ms a command`);
    // Each of them was done, and not only tried.
    expect(Object.keys(commands).filter((it) => !heard.has(`${it} 000000`))).toEqual([]);
  },
);

const BOUND_FIRST = 'a loss of lots that are tested together which binds the first of them alone';
/** By which the simulation shows that it looks: what it finds of each, and after how many commands at the latest. */
const faultsOf: Record<string, Planted & { within: number; shows: RegExp }> = {
  'a rollback and a report of one order that do not hold it': {
    of: ['undo', 'report'],
    alter: (text) => (/^\s*SELECT 1 FROM/.test(text) ? withoutLocks(text) : text),
    ...{ within: 10_000, shows: /^(order \S+ says|received .* in process)/m },
  },
  [BOUND_FIRST]: {
    alter: (text) => text.replace(/(own\.bin = \$\d+)/, '$1 AND false'),
    ...{ within: 60_000, shows: /^group \S+ of \S+ got \d+, gave/m },
  },
  'wafers that are looked for and not kept once by the database': {
    prepare: (db) => sql`ALTER TABLE wafer_receipt DROP CONSTRAINT wafer_receipt_pkey`.execute(db),
    ...{ within: 10_000, shows: /came from the foundry 2 times/ },
  },
  'a cancelled order that stands in the history of its lots': {
    alter: (text) => text.replace(/^(update "icop_transaction" set .* where "id" = any.*)$/i, '$1 and false'),
    ...{ within: 1000, shows: /is cancelled, and stands in the history of/ },
  },
};

describe('planted in the server, the simulation finds', () => {
  it.each(Object.entries(faultsOf))('%s', { timeout: 3_600_000 }, async (_, { within, shows, ...planted }) => {
    const { after, faults } = await plan(within, SEED, planted);
    say(`found after ${after} commands: ${faults.join('; ')}`);
    expect(faults.join('\n')).toMatch(shows);
  });
});

it(
  'a loss that binds the first lot alone is found where commands go straight to it',
  { timeout: 600_000 },
  async () => {
    await openBank();
    const yard = openYard(testApp);
    const tested = async () => {
      const lots: string[] = [];
      for (let n = 0; n < 2; n++) {
        const { wipId } = await yard.foundryLot();
        const packing = await yard.assembly([{ wipId, waferId: '01' }]);
        const report = { id: packing, positions: [good(wipId, 100, 0, GOOD_BIN)] };
        lots.push((await ok(yard.record('icopAssemblyWorkOrder', report))).wipIds[0] as string);
      }
      const id = await yard.finalTest(
        FtType.Ft1,
        lots.map((wipId) => ({ wipId, group: 1, bin: GOOD_BIN })),
      );
      await ok(yard.record('icopFtWorkOrder', { id, positions: [good('1', 0, 200, '1')] }));
      return lots[1] as string;
    };
    const isSound = await yard.undo(await tested());
    expect([isSound.code, await findChipFaults(testApp.db)]).toEqual(['100025', []]);
    const { alter = (it) => it, shows } = faultsOf[BOUND_FIRST] as (typeof faultsOf)[string];
    const later = await tested();
    expect((await withAltered(alter, () => yard.undo(later))).code).toBe('000000');
    expect((await findChipFaults(testApp.db)).join('\n')).toMatch(shows);
    await openBank();
  },
);

describe('two planners who want one wafer at the same moment', () => {
  beforeAll(openBank);

  it(`do not both get it, ${RACES} times`, { timeout: 60_000 + RACES * 1000 }, async () => {
    const wafers = { ...foundryHead, waferPn: 'P1', waferQty: 25 };
    const won = [0, 0];
    for (let n = 0; n < RACES; n++) {
      const { data } = await testApp.send(orders.createWaferOrder, wafers, planner);
      const id = String(data.id);
      await send(sendSwitch('icopWaferWorkOrder'), { id }, 'planner');
      const lot = { id, waferLotId: `RACE${n}`, waferIds: '01', dies: 50 };
      const received = await testApp.send(receiveWafers, lot, planner);
      const waferList = [{ wipId: received.data.wipId ?? '', waferId: '01', inputQty: 30 }];
      const input = { ...bumpingHead, processType: '1', waferPn: 'P1', waferList };
      const asks = ['planner', 'admin'].map((as) =>
        testApp.send(orders.createBumpingCpOrder, input, { as }).then((it) => it.code),
      );
      const codes = await Promise.all(asks);
      expect([...codes].sort(), `race ${n}`).toEqual(['000000', '100042']);
      won[codes.indexOf('000000')] = (won[codes.indexOf('000000')] ?? 0) + 1;
    }
    if (process.env['ROUNDS']) process.stdout.write(`won: ${won.join(' and ')}\n`);
    expect(await findChipFaults(testApp.db)).toEqual([]);
  });
});
