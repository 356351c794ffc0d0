import { slotsOf } from '#domain/assembly.ts';
import { SubmitType } from '#domain/enums.ts';
import { Node, nodes } from '#domain/nodes.ts';
import { RepairMethod } from '#domain/repairRecord.ts';
import type { TestApp } from '#tests/support/app.ts';
import { outsideDraws } from './outsideCommands.ts';
import type { OutsideModel } from './outsideModel.ts';
import type {
  Bill,
  DeliveryEdit,
  Goods,
  Item,
  Move,
  Past,
  Site,
  Stockup,
  Unit,
  WorkshopModel,
} from './workshopModel.ts';

/** One thing that somebody does in the workshop: what the model says of it, and how the server is asked. */
export interface Command {
  /** As it is read in the trace of a run. */
  says: string;
  judge: () => string;
  perform: (server: Server) => Promise<string>;
}

/** What the server has of the model's things. */
export interface Server {
  testApp: TestApp;
  codes: Record<string, number>;
  /** An uploaded picture of each site. */
  /** Each belongs to one check. */
  pictures: Record<Site, () => Promise<string>>;
}

export interface Chance {
  /** A whole number from 0 below `n`. */
  below: (n: number) => number;
}

const devices = ['RX19', 'RX21'];
const boards = ['HB19', 'HB21'];
/** What may be drawn, and how often. */
export type Draw = [weight: number, () => Command | undefined];
/** How goods are named in what is sent. */
const typeOf: Record<Goods, string> = { device: '0', board: '1' };
const another: Record<Goods, Goods> = { device: 'board', board: 'device' };
/** SNs of which the archive has not heard. */
const unknownSns = ['STRANGER0001', 'STRANGER0002', 'STRANGER0003'];
/** Boards that the workshop has never seen; only a repair brings them in. */
const spares = Array.from({ length: 12 }, (_, i) => `SPARE${String(i).padStart(12, '0')}`);
/** Who sends goods in; a bill need not say it. */
const customers = ['U1', 'U1', 'U2', null];
export const elsewhere = { SZ: 'NB', NB: 'SZ' } as const;
/** Who works at which site. */
export const staff = {
  warehouse: { SZ: 'warehouse', NB: 'whNB' },
  tech: { SZ: 'tech', NB: 'techNB' },
  supervisor: { SZ: 'supervisor', NB: 'superNB' },
} as const;
const POST = 'POST' as const;
export const ask = async (
  { testApp }: Server,
  as: string,
  path: string,
  input: unknown,
  method: 'GET' | 'POST' = POST,
) => (await testApp.ask(method, `/api/${path}.json`, input, { as })).code;

/** A test package has no waybill: it is known by its remark. */
const billNo = async ({ testApp: { db } }: Server, { shipNo, isOwn }: Bill): Promise<string> => {
  const bills = db.selectFrom('rma_maintain_bill').select('mtbId');
  const found = bills.where(isOwn === 'testAndStore' ? 'remark' : 'receiveShipNo', '=', shipNo);
  return (await found.executeTakeFirst())?.mtbId ?? 'MTB0';
};

/** What somebody at a site scans. */
interface Scanned {
  sns: string[];
  by: Site;
}
type One = { unit: Unit; by: Site } | undefined;
interface OnBill {
  unit: Unit;
  item: Item;
}

/** Draws the next command: mostly one that the workshop could do now, now and then any other. */
export function draw(model: OutsideModel, sns: readonly string[], chance: Chance): Command {
  const { below } = chance;
  const one = <T>(list: readonly T[]): T | undefined => list[below(list.length)];
  const units = [...model.units.values()];
  const isWild = below(8) === 0;
  const at = (node: Node): Unit | undefined => {
    const ready = units.filter((it) => it.node === node && !model.holdOf(it));
    if (isWild || ready.length === 0) return one(units);
    const late = ready.filter((it) => model.isFollowing(it));
    return one(below(2) === 0 && late.length > 0 ? late : ready);
  };
  const isReceiving = model.bills.some((it) => it.status === '0' || it.status === '4');
  const customers = model.bills.filter((it) => !it.isOwn);
  const inHouse = units.filter((it) => it.node && !hasLeft(it));
  const brokenBoards = units.filter((it) => it.goods === 'board' && it.node === Node.AwaitingRepair);
  const brokenDevices = units.filter((it) => it.goods === 'device' && it.node === Node.AwaitingRepair);
  const idle = units.filter((it) => it.node !== Node.Shipped && it.item?.bill.status !== '1');
  const ships = model.stockups.filter((it) => it.status === '0' || it.status === '1');
  const placed = units.filter((it) => it.item && it.item.receivedSn !== it.sn);
  const instead = units
    .filter((it) => it.node === Node.CanShip && !it.item)
    .flatMap((unit) => ships.filter(({ site }) => site === unit.site).map((stockup) => ({ unit, stockup })))
    .filter(({ unit, stockup }) => stockup.lines.some((it) => !it.delivered && model.fits(unit, it.item)));
  const untouched = ships.filter((it) => it.status === '0' && it.lines.length > 1);
  const shipsBoards = ships.filter((it) => it.lines.some(({ item }) => model.goodsOf(item.line.salesCode) === 'board'));
  /** A station at which nothing waits is tried less often. */
  const busy = (node: Node): number => (units.some((it) => it.node === node && !model.holdOf(it)) ? 9 : 1);
  /** One to three units, at the node and at one site unless things go wild. */
  const several = (node: Node): Scanned => {
    const first = at(node);
    const found = [first, ...[at(node), at(node)].slice(0, below(3))].flatMap((it) => it ?? []);
    const here = isWild ? found : [...new Set(found)].filter((it) => it.site === first?.site);
    return { sns: here.map((it) => it.sn), by: siteOf(first) };
  };
  /** Now and then somebody of the other site scans. */
  const siteOf = (unit: Unit | undefined): Site => {
    const site = unit?.site ?? 'SZ';
    return below(16) === 0 ? elsewhere[site] : site;
  };
  const scanned = (unit: Unit | undefined) => unit && { unit, by: siteOf(unit) };
  /** One to three units on bills, mostly such as the office may act on. */
  const some = (): OnBill[] => {
    const onBills = units.flatMap((it) => (it.item ? [{ unit: it, item: it.item }] : []));
    const open = onBills.filter(({ unit, item }) => ['0', '1'].includes(item.deliverStatus) && !model.holdOf(unit));
    const list = isWild || open.length === 0 ? onBills : open;
    const [first, ...others] = [one(list), ...[one(list), one(list)].slice(0, below(3))].flatMap((it) => it ?? []);
    if (!first || isWild) return first ? [first, ...others] : [];
    return [...new Set([first, ...others.filter((it) => it.unit.goods === first.unit.goods)])];
  };
  /** Mostly a model of the kind of goods that these are. */
  const modelFor = ([first]: readonly OnBill[]): string | undefined =>
    one(isWild || !first ? [...devices, ...boards, 'RX0'] : first.unit.goods === 'board' ? boards : devices);

  /** One SN is scanned at whatever station. */
  const scannedAnywhere = (unit: Unit): Command | undefined => {
    const by = siteOf(unit);
    const scans = { sns: [unit.sn], by };
    const isHere = unit.spokenBy !== null || (unit.node !== null && unit.node !== Node.Shipped);
    return one<() => Command | undefined>([
      // A part without a model that is not here would come in as somebody else's goods, of which the model knows nothing.
      () => (unit.salesCode || isHere ? receive(model, billFor(model, isWild, chance), [unit.sn]) : undefined),
      () => check(model, { unit, by }, one(['repair', 'scrap', 'nofault']), chance),
      () => repair(model, { unit, by }, chance),
      () => assemble(model, { unit, by }, chance),
      () => test(model, 'aging', scans, chance),
      () => test(model, 'qc', scans, chance),
      () => store(model, scans),
      () => deliver(model, one(model.stockups), scans, isWild, chance),
      () => activate(model, { unit, by }, chance),
      () => modifyNode(model, unit, one(nodes)),
      () => enterNonOfficial(model, unit.sn),
      () => replaceBoard(model, scanned(one(brokenBoards)), chance, unit.sn),
      () => replacePart(model, scanned(one(brokenDevices)), chance, unit.sn),
    ])?.();
  };
  /** What the stations may try with a unit, and what the office may. */
  const anywhere = (unit: Unit | undefined): Command | undefined => {
    if (!unit) return undefined;
    if (below(2) === 0) return scannedAnywhere(unit);
    const chosen = onBill(unit);
    return one<() => Command | undefined>([
      () => confirm(model, { unit, by: siteOf(unit) }, chance),
      () => editDelivery(model, unit, one(edits)),
      () => rollback(model, unit, chance),
      () => actOnItem(model, unit, one(['buyOut', 'returnToCheck'] as const)),
      () => changeSite(model, chosen, one(['SZ', 'NB'] as const)),
      () => changeItem(model, chosen, modelFor(chosen), below(2) === 0),
      () => moveBill(model, chosen, one(model.bills), chance),
    ])?.();
  };

  const draws: Draw[] = [
    // New work comes in as long as there is little of it.
    [customers.filter((it) => it.status !== '2').length < 4 ? 4 : 0, () => create(model, chance)],
    [2, () => arrive(model, one(customers), 'signFor')],
    [2, () => arrive(model, one(customers), 'accept')],
    [isReceiving ? 10 : 1, () => receive(model, billFor(model, isWild, chance), pickSns(model, sns, isWild, chance))],
    [
      isReceiving && inHouse.filter((it) => it.goods === 'board').length < 8 ? 5 : 0,
      () => receiveBoards(model, billFor(model, isWild, chance), chance),
    ],
    [1, () => enterNonOfficial(model, one([...unknownSns, ...sns.slice(0, 1)]))],
    [1, () => deleteReceived(model, billFor(model, true, chance), several(Node.AwaitingCheck).sns)],
    [3, () => finishReceive(model, billFor(model, isWild, chance))],
    [
      busy(Node.AwaitingCheck),
      () =>
        check(model, scanned(at(Node.AwaitingCheck)), one(['repair', 'repair', 'repair', 'scrap', 'nofault']), chance),
    ],
    [6, () => confirm(model, scanned(one(isWild ? units : units.filter((it) => model.holdOf(it)))), chance)],
    [busy(Node.AwaitingRepair), () => repair(model, scanned(at(Node.AwaitingRepair)), chance)],
    [brokenBoards.length > 0 ? 12 : 0, () => replaceBoard(model, scanned(one(isWild ? units : brokenBoards)), chance)],
    [busy(Node.AwaitingRepair), () => replacePart(model, scanned(one(isWild ? units : brokenDevices)), chance)],
    [busy(Node.AwaitingAssembly), () => assemble(model, scanned(at(Node.AwaitingAssembly)), chance)],
    [2, () => activate(model, scanned(one(isWild ? units : idle)), chance)],
    [busy(Node.AwaitingTest), () => test(model, 'aging', several(Node.AwaitingTest), chance)],
    [busy(Node.AwaitingInspection), () => test(model, 'qc', several(Node.AwaitingInspection), chance)],
    [busy(Node.AwaitingStorage), () => store(model, several(Node.AwaitingStorage))],
    [
      busy(Node.CanShip),
      () => deliver(model, one(isWild ? model.stockups : ships), several(Node.CanShip), isWild, chance),
    ],
    // Of what waits together some leaves first, so that a bill is delivered in part.
    [untouched.length > 0 ? 24 : 0, () => deliverFirst(model, one(untouched))],
    [
      shipsBoards.length > 0 ? 6 : 1,
      () => deliverCounted(model, one(isWild ? model.stockups : shipsBoards), isWild, chance),
    ],
    [3, () => editDelivery(model, at(below(2) ? Node.CanShip : Node.AwaitingCheck), one(edits))],
    [3, () => editDelivery(model, at(Node.CanShip), { deliverPriority: '2' })],
    [2, () => editDelivery(model, one(units.filter(isHeldBack)), one(releases))],
    // What is found to be scrap may have to go back to its owner.
    [2, () => editDelivery(model, one(units.filter((it) => model.holdOf(it) === 'scrap')), one(returns))],
    [2, () => modifyNode(model, one(units), one(nodes))],
    [5, () => rollback(model, one(units), chance)],
    // What is rare is rolled back as often as what happens all the time.
    [3, () => rollback(model, one(units.filter((it) => isRare(it.past.findLast((step) => step.stands)))), chance)],
    [2, () => stockupAction(model, one(model.stockups), one(['stop', 'reset', 'cancel', 'finish'] as const))],
    [24, () => stockupAction(model, one(model.stockups.filter((it) => it.status === '1')), one(['finish', 'stop']))],
    [6, () => stockupAction(model, one(model.stockups.filter((it) => it.status === '3')), one(['reset', 'cancel']))],
    [2, () => stockupAction(model, one(model.stockups.filter((it) => it.status === '0')), 'cancel')],
    [1, () => stockupAction(model, one(model.stockups.filter((it) => it.status === '4')), 'reset')],
    [4, () => stockupAction(model, one(model.stockups.filter(remembersSome)), 'reset')],
    [2, () => actOnItem(model, one(units), one(['buyOut', 'returnToCheck', 'returnToCheck'] as const))],
    [1, () => actOnItem(model, one(units.filter((it) => it.item?.stockup)), 'buyOut')],
    [1, () => actOnItem(model, one(units.filter((it) => it.item?.scrap)), 'returnToCheck')],
    // What took another one's place is seldom met by chance.
    [3, () => actOnItem(model, one(placed), 'returnToCheck')],
    [3, () => takeOff(model, one(placed.filter((it) => it.node === Node.AwaitingCheck)))],
    [3, () => modifyNode(model, one(placed.filter((it) => it.node !== Node.CanShip)), Node.CanShip)],
    [1, () => actOnItem(model, one(units.filter((it) => it.goods === 'board' && it.node === Node.CanShip)), 'buyOut')],
    [2, () => deliverInstead(model, one(instead))],
    [1, () => terminate(model, one(model.bills), below(4) === 0)],
    [2, () => changeSite(model, some(), one(['SZ', 'NB'] as const))],
    [
      2,
      () => {
        const chosen = some();
        return changeItem(model, chosen, modelFor(chosen), below(2) === 0);
      },
    ],
    [2, () => moveBill(model, some(), one(model.bills), chance)],
    // What a cancelled stock-up bill has let go, and what still lies on one, ships with others from now on.
    [4, () => moveBill(model, onBill(one(units.filter(isLetGo))), one(model.bills), chance, 'ships')],
    [2, () => moveBill(model, onBill(one(units.filter((it) => it.item?.stockup))), one(model.bills), chance, 'ships')],
    ...outsideDraws(model, sns, chance),
    // What a bill speaks for, and what is called otherwise by now, is tried at any station.
    [units.some((it) => it.spokenBy) ? 8 : 0, () => anywhere(one(units.filter((it) => it.spokenBy)))],
    [
      3,
      () => {
        const unit = one(units.filter((it) => model.namesOf(it).length > 1));
        const sn = unit && one(model.namesOf(unit).filter((it) => it !== unit.sn));
        return unit && sn ? scannedAnywhere({ ...unit, sn }) : undefined;
      },
    ],
  ];
  const total = draws.reduce((sum, [weight]) => sum + weight, 0);
  for (;;) {
    let left = below(total);
    const drawn = draws.find(([weight]) => (left -= weight) < 0);
    const command = drawn?.[1]();
    if (command) return command;
  }
}

const billFor = (model: WorkshopModel, isWild: boolean, { below }: Chance): Bill | undefined => {
  // The dock of one site does not know the bills of the other.
  const known = model.bills.filter((it) => it.site !== 'NB');
  const open = known.filter((it) => it.status === '0' || it.status === '4');
  const list = isWild || open.length === 0 ? known : open;
  return list[below(list.length)];
};

function pickSns(model: WorkshopModel, sns: readonly string[], isWild: boolean, { below }: Chance): string[] {
  const outside: (Node | null)[] = [null, Node.Shipped];
  const free = [...sns, ...unknownSns].filter(
    (it) => model.knows(it) && outside.includes(model.units.get(it)?.node ?? null),
  );
  const received = [...model.units.values()].filter((it) => it.salesCode && !spares.includes(it.sn)).map((it) => it.sn);
  const list = isWild || free.length === 0 ? [...sns, ...unknownSns, ...received] : free;
  const picked = Array.from({ length: 1 + below(3) }, () => list[below(list.length)] as string);
  return isWild ? picked : [...new Set(picked)];
}

function create(model: WorkshopModel, { below }: Chance): Command {
  const shipNo = `SFSIM${String(model.bills.filter((it) => !it.isOwn).length + 1).padStart(3, '0')}`;
  // Now and then of a model that nobody knows.
  const models = below(8) === 0 ? ['RX0'] : devices.slice(0, 1 + below(2));
  const declared = [...models, ...boards.slice(0, below(3))].map((salesCode) => ({ salesCode, count: 1 + below(5) }));
  const customer = customers[below(customers.length)] ?? null;
  return {
    says: `create ${shipNo} of ${customer ?? 'anybody'} ${JSON.stringify(declared)}`,
    judge: () => model.create(shipNo, customer, declared),
    perform: (server) =>
      ask(server, 'office', 'rmaMaintainBill/create', {
        receiveShipNo: shipNo,
        ...(customer && { btmUserId: customer }),
        userName: '宁远矿业',
        mobile: '13800000000',
        rmaMaintainBillLineList: declared,
      }),
  };
}

function arrive(model: WorkshopModel, bill: Bill | undefined, action: 'signFor' | 'accept'): Command | undefined {
  if (!bill) return undefined;
  const { shipNo } = bill;
  return {
    says: `${action} ${shipNo}`,
    judge: () => model[action](bill),
    perform: async (server) => {
      if (action === 'signFor') {
        const input = { receiveShipNo: shipNo, receivePackageCount: 1, remark: null };
        return ask(server, 'warehouse', 'rmaArrivalBill/signFor', input);
      }
      const arrivals = server.testApp.db
        .selectFrom('rma_arrival_bill')
        .select('id')
        .where('receiveShipNo', '=', shipNo);
      const found = await arrivals.executeTakeFirst();
      return ask(server, 'warehouse', 'rmaArrivalBill/accept', { id: found?.id ?? 999_999 });
    },
  };
}

function receive(model: WorkshopModel, bill: Bill | undefined, sns: string[]): Command | undefined {
  if (!bill) return undefined;
  const items = sns.map((receiveSn) => ({ receiveSn, depreciation: 'B' }));
  return {
    says: `receive ${sns.join(' ')} on ${bill.shipNo}`,
    judge: () => model.receive(bill, sns),
    perform: async (server) =>
      ask(server, 'warehouse', 'rmaReceiveBill/receive', {
        mtbId: await billNo(server, bill),
        rmaReceiveBillLineRequestList: [{ rmaReceiveBillLineItemRequestList: items }],
      }),
  };
}

/** Boards of a model, mostly one that there is. */
function receiveBoards(model: WorkshopModel, bill: Bill | undefined, { below }: Chance): Command | undefined {
  if (!bill) return undefined;
  const salesCode = below(8) === 0 ? (['RX19', 'RX0'][below(2)] as string) : (boards[below(2)] as string);
  const counts = { repairable: below(4), unrepairable: below(4) === 0 ? 1 : 0 };
  let sns: string[] = [];
  return {
    says: `receiveBoards ${salesCode} ${counts.repairable}+${counts.unrepairable} on ${bill.shipNo}`,
    judge: () => model.receiveBoards(bill, salesCode, counts, sns),
    perform: async (server) => {
      const { repairable: repairableCount, unrepairable: unRepairableCount } = counts;
      const line = { type: '1', salesCode, repairableCount, unRepairableCount };
      const input = { mtbId: await billNo(server, bill), rmaReceiveBillLineRequestList: [line] };
      const as = { as: staff.warehouse.SZ };
      const path = '/api/rmaReceiveBill/receive.json';
      const { code, data } = await server.testApp.ask<{ rvbId: string } | null>(POST, path, input, as);
      // The answer names only those that go to their first test.
      const given = server.testApp.db.selectFrom('rma_receive_bill_line_item').select('receiveSn').orderBy('id');
      const rows = await given.where('rvbId', '=', data?.rvbId ?? null).execute();
      sns = rows.map((it) => it.receiveSn);
      return code;
    },
  };
}

function enterNonOfficial(model: WorkshopModel, sn: string | undefined): Command | undefined {
  if (!sn) return undefined;
  return {
    says: `enterStranger ${sn}`,
    judge: () => model.enterNonOfficial(sn),
    perform: (server) => ask(server, 'warehouse', 'ubsItemObject/createNonOfficial', { sn, type: '0' }),
  };
}

function deleteReceived(model: WorkshopModel, bill: Bill | undefined, snList: string[]): Command | undefined {
  if (!bill || snList.length === 0) return undefined;
  return {
    says: `deleteReceived ${snList.join(' ')} on ${bill.shipNo}`,
    judge: () => model.deleteReceived(bill, snList),
    perform: async (server) =>
      ask(server, 'warehouse', 'rmaReceiveBill/deleteReceived', {
        mtbId: await billNo(server, bill),
        rmaReceiveBillLineRequestList: [{ snList }],
      }),
  };
}

/** Of one unit that waits for its first test. */
const takeOff = (model: WorkshopModel, unit: Unit | undefined) =>
  deleteReceived(model, unit?.item?.bill.site === 'NB' ? undefined : unit?.item?.bill, unit ? [unit.sn] : []);

function finishReceive(model: WorkshopModel, bill: Bill | undefined): Command | undefined {
  if (!bill) return undefined;
  return {
    says: `finishReceive ${bill.shipNo}`,
    judge: () => model.finishReceive(bill),
    perform: async (server) =>
      ask(server, 'warehouse', 'rmaReceiveBill/finishReceive', { maintainBillId: await billNo(server, bill) }),
  };
}

const codeFor = { repair: 'FX409', scrap: 'UM17', nofault: 'NTF' } as const;

/** The tab in which a unit is scanned: now and then the wrong one. */
const tabFor = ({ goods }: Unit, { below }: Chance): Goods => (below(16) === 0 ? another[goods] : goods);

function check(model: WorkshopModel, scanned: One, found: keyof typeof codeFor | undefined, chance: Chance) {
  if (!scanned || !found) return undefined;
  const { by } = scanned;
  const { sn } = scanned.unit;
  const tab = tabFor(scanned.unit, chance);
  return {
    says: `check ${sn} ${found} as a ${tab} at ${by}`,
    judge: () => model.check(sn, found, by, tab),
    perform: async (server: Server) =>
      ask(server, staff.tech[by], 'rmaCheckBill/check', {
        sn,
        checkType: typeOf[tab],
        issueCodeIdList: [server.codes[codeFor[found]]],
        checkUrls: found === 'scrap' ? await server.pictures[by]() : '',
      }),
  };
}

/** A supervisor's word on the latest check; mostly on what waits for it. */
function confirm(model: WorkshopModel, scanned: One, { below }: Chance): Command | undefined {
  if (!scanned) return undefined;
  const { unit, by } = scanned;
  const { sn } = unit;
  const kind = model.holdOf(unit) ?? (below(2) === 0 ? 'scrap' : 'nofault');
  const yes = below(2) === 0;
  const status = yes ? '1' : '2';
  const input =
    kind === 'scrap'
      ? { scrapStatus: status, dutySourse: '1', dutySourseRemark: 'burnt', declineScrapRemark: 'still good' }
      : { nofaultConfirmStatus: status, nofaultConfirmRemark: 'seen' };
  return {
    says: `${kind}Confirm ${sn} ${yes ? 'yes' : 'no'} at ${by}`,
    judge: () => model.confirm(sn, kind, yes, by),
    perform: async (server) => {
      const lines = server.testApp.db.selectFrom('rma_check_bill_line').select('ckbId').where('sn', '=', sn);
      const latest = await lines.orderBy('id', 'desc').limit(1).executeTakeFirst();
      return ask(server, staff.supervisor[by], `rmaCheckBill/${kind}Confirm`, {
        sn,
        ckbId: latest?.ckbId ?? 'CKB0',
        ...input,
      });
    },
  };
}

function repair(model: WorkshopModel, scanned: One, chance: Chance): Command | undefined {
  if (!scanned) return undefined;
  const { by } = scanned;
  const { sn } = scanned.unit;
  const tab = tabFor(scanned.unit, chance);
  return {
    says: `repair${tab === 'board' ? 'Board' : ''} ${sn} at ${by}`,
    judge: () => model.repair(sn, by, tab),
    perform: (server) => {
      const row = { partsType: '7', repairMethod: '8', issueCodeIdList: [server.codes['RP01']], slot: 'U1' };
      return ask(server, staff.tech[by], 'rmaRepairBill/repair', { sn, checkType: typeOf[tab], partsList: [row] });
    },
  };
}

export const hasLeft = ({ node }: Unit): boolean => node === Node.Shipped || node === Node.Scrapped;

/** What is named as a part: mostly one that was never here or one of the stock, now and then any unit. */
export function partFor(model: WorkshopModel, by: Site, { below }: Chance): string | undefined {
  const units = [...model.units.values()];
  const stock = units.filter((it) => it.goods === 'board' && !it.item && it.site === by && !hasLeft(it));
  const unused = spares.filter((it) => !model.units.get(it)?.node);
  const held = stock.filter((it) => model.holdOf(it));
  const named = [unused, ...[stock, held, units].map((list) => list.map((it) => it.sn))];
  const list = named[below(named.length)] ?? [];
  return list[below(list.length)];
}

/** A row of a repair that puts one part in the place of another. */
function replacing(sn: string | null, replaceSn: string, { below }: Chance) {
  const repairMethod = below(2) === 0 ? RepairMethod.Replace : RepairMethod.BbScrapped;
  const row = { ...(sn !== null && { sn }), partsType: '7', repairMethod, slot: 'U1', replaceSn };
  return ({ codes }: Server) => ({ ...row, issueCodeIdList: [codes['RP01']] });
}

/** A board is replaced. */
function replaceBoard(model: WorkshopModel, scanned: One, chance: Chance, named?: string): Command | undefined {
  if (!scanned) return undefined;
  const { by } = scanned;
  const { sn } = scanned.unit;
  const other = named ?? partFor(model, by, chance);
  if (!other) return undefined;
  const row = replacing(null, other, chance);
  return {
    says: `replaceBoard ${sn} by ${other} at ${by}`,
    judge: () => model.replace(sn, other, by),
    perform: (server) =>
      ask(server, staff.tech[by], 'rmaRepairBill/repair', { sn, checkType: '1', partsList: [row(server)] }),
  };
}

/** A board of a device is replaced, or one without an SN is. */
function replacePart(model: WorkshopModel, scanned: One, chance: Chance, named?: string): Command | undefined {
  if (!scanned) return undefined;
  const { by } = scanned;
  const { sn } = scanned.unit;
  const other = named ?? partFor(model, by, chance);
  if (!other) return undefined;
  const unheard = spares.filter((it) => it !== other && !model.units.has(it) && !model.knows(it) && !model.isPart(it));
  const known = model.partsOf(sn).find((it) => it !== other && model.units.has(it));
  const old = known ?? (chance.below(4) === 0 ? unheard[0] : null) ?? null;
  const row = replacing(old, other, chance);
  return {
    says: `replacePart ${old ?? 'none'} of ${sn} by ${other} at ${by}`,
    judge: () => model.replacePart(sn, old, other, by),
    perform: (server) =>
      ask(server, staff.tech[by], 'rmaRepairBill/repair', { sn, checkType: '0', partsList: [row(server)] }),
  };
}

/** A device is put together, every other time with a board that has a life of its own. */
function assemble(model: WorkshopModel, scanned: One, chance: Chance): Command | undefined {
  if (!scanned) return undefined;
  const { by } = scanned;
  const { sn } = scanned.unit;
  const part = (chance.below(2) === 0 && partFor(model, by, chance)) || null;
  const partsList = slotsOf(1).map(({ name, componentType, hasQrCode }) => ({
    sn: hasQrCode && part ? part : `${name}-${sn}`,
    component_type: componentType,
    qrCodeNum: hasQrCode ? 'Q'.repeat(17) : '',
  }));
  return {
    says: `assemble ${sn} with ${part ?? 'its own'} at ${by}`,
    judge: () => model.assemble(sn, part, by),
    perform: (server) => ask(server, staff.tech[by], 'rmaAssembleBill/assemble', { sn, partsList }),
  };
}

const warehouses = [
  ['FG', Node.CanShip],
  ['DEF', Node.AwaitingCheck],
  ['SCR', Node.Scrapped],
] as const;

/** Into any warehouse, unless one is named. */
export function activate(
  model: WorkshopModel,
  scanned: One,
  { below }: Chance,
  named?: (typeof warehouses)[number][0],
): Command | undefined {
  if (!scanned) return undefined;
  const { by } = scanned;
  const { sn } = scanned.unit;
  const any = warehouses[below(warehouses.length)] as (typeof warehouses)[number];
  const [subinventoryCode, to] = warehouses.find(([code]) => code === named) ?? any;
  return {
    says: `activate ${sn} for ${subinventoryCode} at ${by}`,
    judge: () => model.activate(sn, to, by),
    perform: (server) => ask(server, staff.warehouse[by], 'rmaStoreBill/storeStart', { sn, subinventoryCode }),
  };
}

function test(model: WorkshopModel, station: 'aging' | 'qc', { sns, by }: Scanned, { below }: Chance): Command {
  const results = sns.map((sn) => ({ sn, passes: below(5) > 0 }));
  const [pass, fail] = station === 'aging' ? ['AT00', 'AT01'] : ['QC00', 'QC01'];
  const [path, list] =
    station === 'aging'
      ? ['rmaBurninBill/submitBurninBill', 'rmaBurninBillLineList']
      : ['rmaExamineBill/submitExamineBill', 'rmaExamineBillLineList'];
  return {
    says: `${station} ${results.map((it) => `${it.sn}${it.passes ? '+' : '-'}`).join(' ')} at ${by}`,
    judge: () => model[station](results, by),
    perform: (server) =>
      ask(server, staff.tech[by], path, {
        [list]: results.map(({ sn, passes }) => ({
          sn,
          icdId: server.codes[passes ? pass : fail],
        })),
      }),
  };
}

function store(model: WorkshopModel, { sns, by }: Scanned): Command {
  return {
    says: `store ${sns.join(' ')} at ${by}`,
    judge: () => model.store(sns, by),
    perform: (server) =>
      ask(server, staff.warehouse[by], 'rmaStoreBill/submitStoreBill', {
        rmaStoreBillLineList: sns.map((sn) => ({ sn })),
        packageCount: 20,
      }),
  };
}

/**
 * The number of a stock-up bill, by its place among those of the same bill and site: what makes several at once for
 * several bills may make them in any order.
 */
const stockupNo = async (server: Server, model: WorkshopModel, stockup: Stockup): Promise<string> => {
  const { bill, site, group } = stockup;
  const alike = model.stockups.filter((it) => it.bill === bill && it.site === site && !it.group === !group);
  const position = alike.sort((a, b) => (a.group ?? 0) - (b.group ?? 0)).indexOf(stockup);
  const found = await server.testApp.db
    .selectFrom('rma_stockup_bill')
    .select('skbId')
    .where('mtbId', '=', await billNo(server, bill))
    .where('siteId', '=', site)
    .where('deliverGroup', group ? 'is not' : 'is', null)
    .orderBy('deliverGroup')
    .orderBy('id')
    .limit(1)
    .offset(position)
    .executeTakeFirstOrThrow();
  return found.skbId;
};

function deliver(
  model: WorkshopModel,
  any: Stockup | undefined,
  { sns, by }: Scanned,
  isWild: boolean,
  { below }: Chance,
) {
  const [first] = sns;
  const own = model.stockups.filter((it) => it.lines.some((line) => line.item.sn === first && !line.delivered));
  const stockup = isWild || own.length === 0 ? any : own.at(-1);
  if (!stockup) return undefined;
  const waiting = stockup.lines.flatMap((it) => (it.delivered ? [] : it.item.sn));
  // A stock machine may go instead of the unit that waits.
  const isStock = first !== undefined && model.units.get(first)?.item === null;
  // Mostly something stays behind.
  const most = below(4) === 0 ? waiting.length : Math.max(waiting.length - 1, 1);
  const good = isWild || isStock || waiting.length === 0 ? sns : waiting.slice(0, 1 + below(most));
  // Now and then what is held back is scanned as well.
  const held = [...model.units.values()].filter((it) => it.site === by && isHeldBack(it));
  const extra = below(4) === 0 ? held[below(held.length)] : undefined;
  const chosen = extra ? [...new Set([extra.sn, ...good])] : good;
  return deliverSns(model, stockup, chosen, by);
}

/** One of what waits together leaves. */
const deliverFirst = (model: WorkshopModel, stockup: Stockup | undefined) =>
  stockup &&
  deliverSns(
    model,
    stockup,
    stockup.lines.slice(0, 1).map((it) => it.item.sn),
    stockup.site,
  );

/** A stock machine goes for a unit that waits. */
const deliverInstead = (model: WorkshopModel, it: { unit: Unit; stockup: Stockup } | undefined) =>
  it && deliverSns(model, it.stockup, [it.unit.sn], it.unit.site);

function deliverSns(model: WorkshopModel, stockup: Stockup, chosen: readonly string[], by: Site): Command {
  return {
    says: `deliver ${chosen.join(' ')} on stock-up ${model.stockups.indexOf(stockup)} at ${by}`,
    judge: () => model.deliver(stockup, chosen, by),
    perform: async (server: Server) =>
      ask(server, staff.warehouse[by], 'rmaDeliverBill/submitDeliverBill', {
        skbId: await stockupNo(server, model, stockup),
        submitType: SubmitType.WithSn,
        rmaDeliverBillLineList: chosen.map((deliverSn) => ({ deliverSn, submitCount: 1 })),
      }),
  };
}

/** Boards of a stock-up bill by their count: mostly all that wait on a line, which an item or a model names. */
function deliverCounted(model: WorkshopModel, stockup: Stockup | undefined, isWild: boolean, { below }: Chance) {
  if (!stockup) return undefined;
  const waiting = stockup.lines.filter((it) => !it.delivered).map((it) => it.item);
  const isBoard = (it: Item) => model.goodsOf(it.line.salesCode) === 'board';
  // What has left, or waits elsewhere, names nothing.
  const others = isWild || waiting.length === 0 ? model.stockups.flatMap((it) => it.lines.map(({ item }) => item)) : [];
  const list = waiting.some(isBoard) && !isWild ? waiting.filter(isBoard) : [...waiting, ...others];
  const picked = Array.from({ length: 1 + below(2) }, () => list[below(list.length)]).flatMap((it) => it ?? []);
  const named = below(8) === 0 ? picked : [...new Map(picked.map((it) => [it.line, it])).values()];
  const sent = named.map((item) => {
    const group = model.waitingWith(stockup, item);
    const salesCode = model.units.get(item.sn)?.salesCode;
    const alike = waiting.filter((it) => model.units.get(it.sn)?.salesCode === salesCode);
    const isPlain = waiting.includes(item) && alike.every((it) => it.line === item.line);
    return {
      item,
      count: Math.max(group.length + (below(3) === 0 ? below(3) - 1 : 0), 0),
      // A model may be waited for on more lines than one.
      salesCode: isPlain && below(2) === 0 ? salesCode : undefined,
    };
  });
  const by = below(16) === 0 ? elsewhere[stockup.site] : stockup.site;
  const names = sent.map(({ item, count, salesCode }) => `${count} ${salesCode ?? `as ${item.sn}`}`);
  return {
    says: `deliverCounted ${names.join(', ')} on stock-up ${model.stockups.indexOf(stockup)} at ${by}`,
    judge: () => model.deliverCounted(stockup, sent, by),
    perform: async (server: Server) => {
      const skbId = await stockupNo(server, model, stockup);
      const lines = server.testApp.db.selectFrom('rma_stockup_bill_line').select(['sn', 'itemId']);
      const tallied = await lines.where('skbId', '=', skbId).execute();
      const snOf = (item: Item) => stockup.lines.find((it) => it.item === item)?.sn;
      const itemId = (item: Item) => tallied.find((it) => it.sn === snOf(item))?.itemId ?? 999_999;
      const rmaDeliverBillLineList = sent.map(({ item, count: submitCount, salesCode }) =>
        salesCode ? { salesCode, submitCount } : { deliverItemId: itemId(item), submitCount },
      );
      const input = { skbId, submitType: SubmitType.WithoutSn, rmaDeliverBillLineList };
      return ask(server, staff.warehouse[by], 'rmaDeliverBill/submitDeliverBill', input);
    },
  };
}

/** On the shelf, and let go by a stock-up bill that was cancelled. */
const isLetGo = ({ node, item }: Unit): boolean =>
  node === Node.CanShip && item?.deliverStatus === '1' && !item.stockup;
/** A cancelled stock-up bill of which something may come back. */
const remembersSome = ({ status, lines }: Stockup): boolean =>
  status === '4' && lines.some(({ item, delivered }) => !delivered && !item.stockup && item.deliverStatus === '1');
const onBill = (unit: Unit | undefined): OnBill[] => (unit?.item ? [{ unit, item: unit.item }] : []);

/** On the shelf, but paused or not released. */
const isHeldBack = ({ node, item }: Unit): boolean => node === Node.CanShip && item?.deliverStatus === '0';

const edits = [
  { deliverPriority: '2' },
  { deliverPriority: '0' },
  { deliverPriority: '1' },
  { deliverStatus: '0' },
  { deliverStatus: '1' },
  { returness: '1' },
  { returness: '0' },
] as const;
const releases = [{ deliverPriority: '0' }, { deliverPriority: '1' }, { deliverStatus: '1' }] as const;
const returns = [{ returness: '1' }, { returness: '1' }, { returness: '0' }] as const;

function editDelivery(model: WorkshopModel, unit: Unit | undefined, edit: DeliveryEdit | undefined) {
  const item = unit?.item;
  if (!item || !edit) return undefined;
  return {
    says: `editDelivery ${item.sn} on ${item.bill.shipNo} ${JSON.stringify(edit)}`,
    judge: () => model.editDelivery(item, edit),
    perform: async (server: Server) => {
      const { mtbliId } = await server.testApp.db
        .selectFrom('rma_inventory')
        .select('mtbliId')
        .where('sn', '=', item.sn)
        .executeTakeFirstOrThrow();
      return ask(server, 'admin', 'rmaMaintainBillLineItem/editDeliver', { id: mtbliId, ...edit });
    },
  };
}

export function modifyNode(model: WorkshopModel, unit: Unit | undefined, to: Node | undefined): Command | undefined {
  if (!unit || !to) return undefined;
  return {
    says: `modifyNode ${unit.sn} to ${to}`,
    judge: () => model.modifyNode(unit.sn, to),
    perform: (server) => ask(server, 'admin', 'rmaInventory/modifyIvyId', { sn: unit.sn, ivyId: to }),
  };
}

const rare = ['replace', 'replaced', 'scrapConfirm', 'deliver', 'modifyNode', 'buyOut', 'terminate'];
const isRare = (step: Past | undefined): boolean => rare.includes(step?.step ?? '');

function rollback(model: OutsideModel, unit: Unit | undefined, { below }: Chance): Command | undefined {
  if (!unit || unit.past.length === 0) return undefined;
  const latest = unit.past.findLast((it) => it.stands);
  const which = (below(4) === 0 ? undefined : latest) ?? unit.past[below(unit.past.length)]!;
  const position = unit.past.indexOf(which);
  const names = model.namesOf(unit);
  // A stay that has ended is written down under the SN that the unit had then.
  let isUnderFormer = false;
  return {
    says: `rollback step ${position} (${which.step}) of ${unit.sn}`,
    judge: () => (isUnderFormer ? '100025' : model.rollback(unit, which)),
    perform: async (server) => {
      // What a rollback, a return that does not stand or a deleted receipt writes itself is no step of the model.
      const steps = await server.testApp.db
        .selectFrom('rma_transaction')
        .select(['id', 'sn'])
        .where('sn', 'in', names)
        .where('step', '!=', 'rollback')
        .where((it) => it.or([it('step', '!=', 'returnToCheck'), it('operateStatus', '=', 'Normal')]))
        .where((it) => it.or([it('billId', 'is not', null), it('step', '!=', 'receive')]))
        .orderBy('id')
        .execute();
      const id = String(steps[position]?.id);
      isUnderFormer = steps[position]?.sn !== unit.sn;
      return ask(server, 'admin', 'rmaTransaction/rollbackById', { id, remark: 'simulated' }, 'GET');
    },
  };
}

function stockupAction(
  model: WorkshopModel,
  stockup: Stockup | undefined,
  action: 'stop' | 'reset' | 'cancel' | 'finish' | undefined,
): Command | undefined {
  if (!stockup || !action) return undefined;
  const call = action === 'finish' ? 'finishBill' : `${action}StockupBill`;
  return {
    says: `${action} stock-up ${model.stockups.indexOf(stockup)}`,
    judge: () => model[action](stockup),
    perform: async (server) => {
      const id = await stockupNo(server, model, stockup);
      return ask(server, 'admin', `rmaStockupBill/${call}`, { id }, 'GET');
    },
  };
}

/** The office buys a unit from its customer, or has it tested from the beginning again. */
function actOnItem(model: WorkshopModel, unit: Unit | undefined, action: 'buyOut' | 'returnToCheck' | undefined) {
  const item = unit?.item;
  if (!unit || !item || !action) return undefined;
  const { sn } = unit;
  return {
    says: `${action} ${sn} on ${item.bill.shipNo}`,
    judge: () => model[action](unit, item),
    perform: async (server: Server) => {
      const { mtbId, mtblId, mtbliId } = await server.testApp.db
        .selectFrom('rma_inventory')
        .select(['mtbId', 'mtblId', 'mtbliId'])
        .where('sn', '=', sn)
        .executeTakeFirstOrThrow();
      const path = `rmaMaintainBillLineItem/${action === 'buyOut' ? 'buyOut' : 'rollbackToPreliminaryTest'}`;
      const row =
        action === 'buyOut' ? { mtblId, mtbliIdList: [mtbliId], remark: 'simulated' } : { sn, mtbliId, mtbId };
      return ask(server, 'admin', path, { list: [row] });
    },
  };
}

function terminate(model: WorkshopModel, bill: Bill | undefined, discards: boolean): Command | undefined {
  if (!bill) return undefined;
  return {
    says: `terminate ${bill.shipNo}${discards ? ', discarding' : ''}`,
    judge: () => model.terminate(bill, discards),
    perform: async (server) =>
      ask(server, 'admin', 'rmaMaintainBill/terminate', {
        mtbId: await billNo(server, bill),
        discardInHouse: discards ? '1' : '0',
      }),
  };
}

/** The items' numbers, by the units that stand for them. */
const itemNos = async ({ testApp: { db } }: Server, chosen: readonly OnBill[]): Promise<string[]> => {
  const sns = chosen.map((it) => it.unit.sn);
  const rows = await db.selectFrom('rma_inventory').select(['sn', 'mtbliId']).where('sn', 'in', sns).execute();
  return sns.map((sn) => rows.find((it) => it.sn === sn)?.mtbliId ?? 'MBI0');
};
const named = (chosen: readonly OnBill[]): string => chosen.map((it) => it.unit.sn).join(' ');
const isTwice = (chosen: readonly OnBill[]): boolean => new Set(chosen.map((it) => it.unit)).size < chosen.length;

function changeSite(model: WorkshopModel, chosen: readonly OnBill[], to: Site | undefined): Command | undefined {
  if (chosen.length === 0 || !to || isTwice(chosen)) return undefined;
  const units = chosen.map((it) => it.unit);
  return {
    says: `changeStore ${named(chosen)} to ${to}`,
    judge: () => model.changeSite(units, to),
    perform: async (server) => {
      const rmaMaintainBillLineItemList = (await itemNos(server, chosen)).map((mtbliId) => ({ mtbliId }));
      const input = { rmaMaintainBillLineItemList, updateSiteId: to };
      return ask(server, 'admin', 'rmaMaintainBillLineItem/updateSiteId', input);
    },
  };
}

function changeItem(model: WorkshopModel, chosen: readonly OnBill[], salesCode: string | undefined, corrects: boolean) {
  if (chosen.length === 0 || !salesCode || isTwice(chosen)) return undefined;
  const units = chosen.map((it) => it.unit);
  return {
    says: `changeItem ${named(chosen)} ${corrects ? 'is' : 'sends'} ${salesCode}`,
    judge: () => model.changeItem(units, salesCode, corrects),
    perform: async (server: Server) => {
      const rmaMaintainBillLineItemList = (await itemNos(server, chosen)).map((mtbliId) => ({ mtbliId }));
      return ask(server, 'admin', 'rmaMaintainBillLineItem/replaceSaleCode', {
        rmaMaintainBillLineItemList,
        salesCode,
        replaceFlag: corrects ? '1' : '0',
        salesCodeCount: chosen.length,
      });
    },
  };
}

function moveBill(
  model: WorkshopModel,
  chosen: readonly OnBill[],
  bill: Bill | undefined,
  { below }: Chance,
  how: 'any' | 'ships' = 'any',
) {
  // Now and then a line of the other kind of goods.
  const alike = bill?.lines.filter((it) => model.goodsOf(it.salesCode) === chosen[0]?.unit.goods) ?? [];
  const lines = alike.length === 0 || below(8) === 0 ? (bill?.lines ?? []) : alike;
  const line = lines[below(lines.length)];
  if (chosen.length === 0 || !bill || !line || isTwice(chosen)) return undefined;
  // Whose goods ship from two sites has no one address to ship to.
  const isAway = [...model.units.values()].some(
    ({ item, site }) => item && site !== 'SZ' && (item.bill === bill || item.shipsWith === bill),
  );
  const delivers = below(2) === 0 && !isAway;
  const splits = how === 'ships' ? !delivers : below(4) === 0;
  const move: Move = { moves: below(3) > 0, delivers, splits };
  const units = chosen.map((it) => it.unit);
  const flag = (is: boolean) => (is ? '1' : '0');
  return {
    says: `moveBill ${named(chosen)} to ${bill.shipNo} ${line.salesCode} ${JSON.stringify(move)}`,
    judge: () => model.moveBill(units, bill, line, move),
    perform: async (server: Server) => {
      const mtbId = await billNo(server, bill);
      const lines = server.testApp.db.selectFrom('rma_maintain_bill_line').select('mtblId').where('mtbId', '=', mtbId);
      const found = await lines.where('salesCode', '=', line.salesCode).executeTakeFirst();
      return ask(server, 'admin', 'rmaMaintainBillLineItem/moveBill', {
        ids: await itemNos(server, chosen),
        mtbId,
        mtblId: found?.mtblId ?? 'MBL0',
        moveBillFlag: flag(move.moves),
        deliverFlag: flag(move.delivers),
        splitDeliverFlag: flag(move.splits),
      });
    },
  };
}
