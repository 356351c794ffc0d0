import { slotsOf } from '#domain/assembly.ts';
import { Node, nodes } from '#domain/nodes.ts';
import type { TestApp } from '#tests/support/app.ts';
import { type Bill, type Past, type Station, type Stockup, type Unit, type WorkshopModel } from './workshopModel.ts';

/** One thing that somebody does in the workshop: what the model says of it, and how the server is asked. */
export interface Command {
  /** As it is read in the trace of a run. */
  says: string;
  judge: () => string;
  perform: (server: Server) => Promise<string>;
}

/** What the server has of the model's things; both number them in the order in which they were made. */
export interface Server {
  house: TestApp;
  codes: Record<string, number>;
  picture: string;
}

export interface Chance {
  /** A whole number from 0 below `n`. */
  below: (n: number) => number;
}

const goods = ['RX19', 'RX21'];
const POST = 'POST' as const;
const ask = async ({ house }: Server, as: string, path: string, input: unknown, method: 'GET' | 'POST' = POST) =>
  (await house.ask(method, `/api/${path}.json`, input, { as })).code;

const billNo = async ({ house: { db } }: Server, { shipNo }: Bill): Promise<string> =>
  (await db.selectFrom('rma_maintain_bill').select('mtbId').where('receiveShipNo', '=', shipNo).executeTakeFirst())
    ?.mtbId ?? 'MTB0';

/** Draws the next command: mostly one that the workshop could do now, now and then any other. */
export function draw(model: WorkshopModel, sns: readonly string[], chance: Chance): Command {
  const { below } = chance;
  const one = <T>(list: readonly T[]): T | undefined => list[below(list.length)];
  const units = [...model.units.values()];
  const isWild = below(8) === 0;
  const at = (node: Node): Unit | undefined => {
    const ready = units.filter((it) => it.node === node && !model.holdOf(it));
    return one(isWild || ready.length === 0 ? units : ready);
  };
  /** One to three units, at the node unless things go wild. */
  const several = (node: Node): string[] => {
    const first = at(node);
    const more = [at(node), at(node)].slice(0, below(3));
    const found = [first, ...more].flatMap((it) => it?.sn ?? []);
    return isWild ? found : [...new Set(found)];
  };

  const draws: [weight: number, () => Command | undefined][] = [
    [model.bills.length < 8 ? 4 : 0, () => create(model, chance)],
    [2, () => arrive(model, one(model.bills), 'signFor')],
    [2, () => arrive(model, one(model.bills), 'accept')],
    [10, () => receive(model, billFor(model, isWild, chance), pickSns(model, sns, isWild, chance))],
    [1, () => deleteReceived(model, one(model.bills), several(Node.AwaitingCheck))],
    [3, () => finishReceive(model, billFor(model, isWild, chance))],
    [10, () => check(model, at(Node.AwaitingCheck), one(['repair', 'repair', 'repair', 'scrap', 'nofault'] as const))],
    [6, () => confirm(model, one(isWild ? units : units.filter((it) => model.holdOf(it))), chance)],
    [8, () => single(model, 'repair', at(Node.AwaitingRepair))],
    [8, () => single(model, 'assemble', at(Node.AwaitingAssembly))],
    [8, () => test(model, 'aging', several(Node.AwaitingTest), chance)],
    [8, () => test(model, 'qc', several(Node.AwaitingInspection), chance)],
    [8, () => store(model, several(Node.AwaitingStorage))],
    [8, () => deliver(model, one(model.stockups), several(Node.CanShip), isWild, chance)],
    [4, () => editDelivery(model, at(below(2) ? Node.CanShip : Node.AwaitingCheck), chance)],
    [2, () => modifyNode(model, one(units), one(nodes))],
    [6, () => rollback(model, one(units), chance)],
    [3, () => stockupAction(model, one(model.stockups), one(['stop', 'reset', 'cancel', 'finish'] as const))],
    [2, () => actOnItem(model, one(units), one(['buyOut', 'returnToCheck', 'returnToCheck'] as const))],
    [1, () => terminate(model, one(model.bills), below(4) === 0)],
    [1, () => foreigner(one(units), one(['repair', 'store'] as const))],
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
  const open = model.bills.filter((it) => it.status === '0' || it.status === '4');
  const list = isWild || open.length === 0 ? model.bills : open;
  return list[below(list.length)];
};

function pickSns(model: WorkshopModel, sns: readonly string[], isWild: boolean, { below }: Chance): string[] {
  const free = sns.filter((it) => [undefined, null, Node.Shipped].includes(model.units.get(it)?.node));
  const list = isWild || free.length === 0 ? [...sns, 'RX19NOBODY'] : free;
  const picked = Array.from({ length: 1 + below(3) }, () => list[below(list.length)] as string);
  return isWild ? picked : [...new Set(picked)];
}

function create(model: WorkshopModel, { below }: Chance): Command {
  const shipNo = `SFSIM${String(model.bills.length + 1).padStart(3, '0')}`;
  const declared = goods.slice(0, 1 + below(2)).map((salesCode) => ({ salesCode, count: 1 + below(3) }));
  const rmaMaintainBillLineList = declared.map((it) => ({ ...it, type: '0' }));
  return {
    says: `create ${shipNo} ${JSON.stringify(declared)}`,
    judge: () => model.create(shipNo, declared),
    perform: (server) =>
      ask(server, 'office', 'rmaMaintainBill/create', {
        receiveShipNo: shipNo,
        userName: '宁远矿业',
        mobile: '13800000000',
        rmaMaintainBillLineList,
      }),
  };
}

function arrive(model: WorkshopModel, bill: Bill | undefined, deed: 'signFor' | 'accept'): Command | undefined {
  if (!bill) return undefined;
  const { shipNo } = bill;
  return {
    says: `${deed} ${shipNo}`,
    judge: () => model[deed](bill),
    perform: async (server) => {
      if (deed === 'signFor') {
        const input = { receiveShipNo: shipNo, receivePackageCount: 1, remark: null };
        return ask(server, 'warehouse', 'rmaArrivalBill/signFor', input);
      }
      const arrivals = server.house.db.selectFrom('rma_arrival_bill').select('id').where('receiveShipNo', '=', shipNo);
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

function check(model: WorkshopModel, unit: Unit | undefined, found: keyof typeof codeFor | undefined) {
  if (!unit || !found) return undefined;
  const { sn } = unit;
  return {
    says: `check ${sn} ${found}`,
    judge: () => model.check(sn, found),
    perform: (server: Server) =>
      ask(server, 'tech', 'rmaCheckBill/check', {
        sn,
        checkType: '0',
        issueCodeIdList: [server.codes[codeFor[found]]],
        checkUrls: found === 'scrap' ? server.picture : '',
      }),
  };
}

/** A supervisor's word on the latest check; mostly on what waits for it. */
function confirm(model: WorkshopModel, unit: Unit | undefined, { below }: Chance): Command | undefined {
  if (!unit) return undefined;
  const { sn } = unit;
  const kind = model.holdOf(unit) ?? (below(2) === 0 ? 'scrap' : 'nofault');
  const yes = below(2) === 0;
  const status = yes ? '1' : '2';
  const input =
    kind === 'scrap'
      ? { scrapStatus: status, dutySourse: '1', dutySourseRemark: 'burnt', declineScrapRemark: 'still good' }
      : { nofaultConfirmStatus: status, nofaultConfirmRemark: 'seen' };
  return {
    says: `${kind}Confirm ${sn} ${yes ? 'yes' : 'no'}`,
    judge: () => model.confirm(sn, kind, yes),
    perform: async (server) => {
      const lines = server.house.db.selectFrom('rma_check_bill_line').select('ckbId').where('sn', '=', sn);
      const latest = await lines.orderBy('id', 'desc').limit(1).executeTakeFirst();
      return ask(server, 'supervisor', `rmaCheckBill/${kind}Confirm`, { sn, ckbId: latest?.ckbId ?? 'CKB0', ...input });
    },
  };
}

const inputOf = {
  repair: (sn: string, codes: Record<string, number>) => ({
    sn,
    partsList: [{ partsType: '7', repairMethod: '8', issueCodeIdList: [codes['RP01']], slot: 'U1' }],
  }),
  assemble: (sn: string) => ({
    sn,
    partsList: slotsOf(1).map(({ name, componentType, hasQrCode }) => ({
      sn: `${name}-${sn}`,
      component_type: componentType,
      qrCodeNum: hasQrCode ? 'Q'.repeat(17) : '',
    })),
  }),
  store: (sn: string) => ({ rmaStoreBillLineList: [{ sn }], packageCount: 20 }),
};
const pathOf = {
  repair: 'rmaRepairBill/repair',
  assemble: 'rmaAssembleBill/assemble',
  store: 'rmaStoreBill/submitStoreBill',
} as const;

function single(model: WorkshopModel, station: 'repair' | 'assemble', unit: Unit | undefined): Command | undefined {
  if (!unit) return undefined;
  const { sn } = unit;
  return {
    says: `${station} ${sn}`,
    judge: () => model[station](sn),
    perform: (server) => ask(server, 'tech', pathOf[station], inputOf[station](sn, server.codes)),
  };
}

function test(model: WorkshopModel, station: 'aging' | 'qc', sns: string[], { below }: Chance): Command {
  const results = sns.map((sn) => ({ sn, passes: below(5) > 0 }));
  const [pass, fail] = station === 'aging' ? ['AT00', 'AT01'] : ['QC00', 'QC01'];
  const [path, list] =
    station === 'aging'
      ? ['rmaBurninBill/submitBurninBill', 'rmaBurninBillLineList']
      : ['rmaExamineBill/submitExamineBill', 'rmaExamineBillLineList'];
  return {
    says: `${station} ${results.map((it) => `${it.sn}${it.passes ? '+' : '-'}`).join(' ')}`,
    judge: () => model[station](results),
    perform: (server) =>
      ask(server, 'tech', path as string, {
        [list as string]: results.map(({ sn, passes }) => ({
          sn,
          icdId: server.codes[(passes ? pass : fail) as string],
        })),
      }),
  };
}

function store(model: WorkshopModel, sns: string[]): Command {
  return {
    says: `store ${sns.join(' ')}`,
    judge: () => model.store(sns),
    perform: (server) =>
      ask(server, 'warehouse', pathOf.store, { rmaStoreBillLineList: sns.map((sn) => ({ sn })), packageCount: 20 }),
  };
}

/** The number of a stock-up bill, by its place in the order in which they were made. */
const stockupNo = async ({ house: { db } }: Server, model: WorkshopModel, stockup: Stockup): Promise<string> => {
  const bills = db.selectFrom('rma_stockup_bill').select('skbId').orderBy('id').limit(1);
  return (await bills.offset(model.stockups.indexOf(stockup)).executeTakeFirstOrThrow()).skbId as string;
};

function deliver(model: WorkshopModel, any: Stockup | undefined, sns: string[], isWild: boolean, { below }: Chance) {
  const [first] = sns;
  const own = model.stockups.filter((it) => it.lines.some((line) => line.item.sn === first && !line.delivered));
  const stockup = isWild || own.length === 0 ? any : own.at(-1);
  if (!stockup) return undefined;
  const waiting = stockup.lines.flatMap((it) => (it.delivered ? [] : it.item.sn));
  const chosen = isWild || waiting.length === 0 ? sns : waiting.slice(0, 1 + below(waiting.length));
  return {
    says: `deliver ${chosen.join(' ')} on stock-up ${model.stockups.indexOf(stockup)}`,
    judge: () => model.deliver(stockup, chosen),
    perform: async (server: Server) =>
      ask(server, 'warehouse', 'rmaDeliverBill/submitDeliverBill', {
        skbId: await stockupNo(server, model, stockup),
        submitType: '0',
        rmaDeliverBillLineList: chosen.map((deliverSn) => ({ deliverSn, submitCount: 1 })),
      }),
  };
}

const edits = [
  { deliverPriority: '2' },
  { deliverPriority: '0' },
  { deliverPriority: '1' },
  { deliverStatus: '0' },
  { deliverStatus: '1' },
  { returness: '1' },
  { returness: '0' },
] as const;

function editDelivery(model: WorkshopModel, unit: Unit | undefined, { below }: Chance): Command | undefined {
  const item = unit?.item;
  if (!item) return undefined;
  const edit = edits[below(edits.length)] as (typeof edits)[number];
  return {
    says: `editDelivery ${item.sn} on ${item.bill.shipNo} ${JSON.stringify(edit)}`,
    judge: () => model.editDelivery(item, edit),
    perform: async (server) => {
      const { mtbliId } = await server.house.db
        .selectFrom('rma_inventory')
        .select('mtbliId')
        .where('sn', '=', item.sn)
        .executeTakeFirstOrThrow();
      return ask(server, 'admin', 'rmaMaintainBillLineItem/editDeliver', { id: mtbliId, ...edit });
    },
  };
}

function modifyNode(model: WorkshopModel, unit: Unit | undefined, to: Node | undefined): Command | undefined {
  if (!unit || !to) return undefined;
  return {
    says: `modifyNode ${unit.sn} to ${to}`,
    judge: () => model.modifyNode(unit.sn, to),
    perform: (server) => ask(server, 'admin', 'rmaInventory/modifyIvyId', { sn: unit.sn, ivyId: to }),
  };
}

function rollback(model: WorkshopModel, unit: Unit | undefined, { below }: Chance): Command | undefined {
  if (!unit || unit.past.length === 0) return undefined;
  const latest = unit.past.findLast((it) => it.stands);
  const which = (below(4) === 0 ? undefined : latest) ?? (unit.past[below(unit.past.length)] as Past);
  const place = unit.past.indexOf(which);
  return {
    says: `rollback step ${place} (${which.step}) of ${unit.sn}`,
    judge: () => model.rollback(unit, which),
    perform: async (server) => {
      // What a rollback, a return or a deleted receipt writes itself is no step of the model.
      const steps = await server.house.db
        .selectFrom('rma_transaction')
        .select('id')
        .where('sn', '=', unit.sn)
        .where('step', '!=', 'rollback')
        .where('step', '!=', 'returnToCheck')
        .where((it) => it.or([it('billId', 'is not', null), it('step', '!=', 'receive')]))
        .orderBy('id')
        .execute();
      const id = String(steps[place]?.id);
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
function actOnItem(model: WorkshopModel, unit: Unit | undefined, deed: 'buyOut' | 'returnToCheck' | undefined) {
  const item = unit?.item;
  if (!unit || !item || !deed) return undefined;
  const { sn } = unit;
  return {
    says: `${deed} ${sn} on ${item.bill.shipNo}`,
    judge: () => model[deed](unit, item),
    perform: async (server: Server) => {
      const { mtbId, mtblId, mtbliId } = await server.house.db
        .selectFrom('rma_inventory')
        .select(['mtbId', 'mtblId', 'mtbliId'])
        .where('sn', '=', sn)
        .executeTakeFirstOrThrow();
      const path = `rmaMaintainBillLineItem/${deed === 'buyOut' ? 'buyOut' : 'rollbackToPreliminaryTest'}`;
      const row = deed === 'buyOut' ? { mtblId, mtbliIdList: [mtbliId], remark: 'simulated' } : { sn, mtbliId, mtbId };
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

/** Somebody of another site scans one of ours. */
function foreigner(unit: Unit | undefined, station: Station & keyof typeof pathOf): Command | undefined;
function foreigner(unit: Unit | undefined, station: 'repair' | 'store' | undefined): Command | undefined;
function foreigner(unit: Unit | undefined, station: 'repair' | 'store' | undefined): Command | undefined {
  if (!unit || !station) return undefined;
  const as = station === 'store' ? 'whNB' : 'techNB';
  return {
    says: `${as} scans ${unit.sn} at ${station}`,
    judge: () => '100004',
    perform: (server) => ask(server, as, pathOf[station], inputOf[station](unit.sn, server.codes)),
  };
}
