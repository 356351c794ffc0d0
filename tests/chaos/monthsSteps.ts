import { slotsOf } from '#domain/assembly.ts';
import type { TestApp } from '#tests/support/app.ts';
import {
  allStays,
  endsAnew,
  isAgreed,
  sites,
  warrantyOf,
  type Bill,
  type Journal,
  type Site,
  type Stay,
  type Step,
  type Unit,
} from './monthsJournal.ts';

/** A workshop as it is played: what it is asked by, what it wrote down, and the moment that it is. */
export interface Play {
  testApp: TestApp;
  journal: Journal;
  codes: Record<string, number>;
  /** Each belongs to one check. */
  pictures: Record<Site, () => Promise<string>>;
  now: number;
  below: (n: number) => number;
  /** What the product did otherwise than the rules say. */
  wrong: string[];
  made: number;
  /** What was asked last. */
  asked: string;
  /** A moment later. */
  tick: () => Promise<void>;
}

/** Does something, if there is anything to do; says what was done, and how it was answered where that is a refusal. */
export type Doing = (play: Play) => Promise<string | undefined>;

export const staff = {
  office: { SZ: 'office', NB: 'officeNB' },
  warehouse: { SZ: 'warehouse', NB: 'whNB' },
  tech: { SZ: 'tech', NB: 'techNB' },
  supervisor: { SZ: 'supervisor', NB: 'superNB' },
} as const;

export const one = <T>({ below }: Play, list: readonly T[]): T | undefined => list[below(list.length)];

/** Asks, and holds it against the play where the answer is not what it should be. */
export async function ask<Data = Record<string, unknown>>(
  play: Play,
  as: string,
  path: string,
  input: object,
  { method = 'POST', wants = ['000000'] }: { method?: 'GET' | 'POST'; wants?: readonly string[] } = {},
): Promise<{ isDone: boolean; code: string; data: Data }> {
  const { code, msg, data } = await play.testApp.ask<Data>(method, `/api/${path}.json`, input, { as });
  play.asked = `${path} ${JSON.stringify(input)}: ${code}`;
  if (!wants.includes(code))
    play.wrong.push(`${path} ${JSON.stringify(input)} answers ${code} ${msg}, not ${wants.join(' or ')}`);
  return { isDone: code === '000000', code, data };
}

const isIn = (unit: Unit, node: string) => unit.node === node && !unit.held && unit.stay !== null;
const at = (play: Play, node: string) =>
  one(
    play,
    play.journal.units.filter((it) => isIn(it, node)),
  );
export const snOf = ({ names }: Unit): string => names[0] ?? '';
const siteStaff = (unit: Unit, who: 'warehouse' | 'tech' | 'supervisor') => staff[who][unit.site];

/** A step that a unit has made, with its way back. */
export function made(
  play: Play,
  unit: Unit,
  step: string,
  to: string | null,
  undo: () => void,
  fromSite: Site | null = null,
) {
  const [from, held] = [unit.node, unit.held];
  const entry: Step = {
    ...{ step, at: play.now, site: unit.site, fromSite, from, to, stay: unit.stay, goneAt: null },
    undo: () => {
      unit.node = from;
      unit.held = held;
      undo();
    },
  };
  unit.past.push(entry);
  unit.node = to;
}

const create: Doing = async (play) => {
  const { journal, below } = play;
  const site = one(play, sites) ?? 'SZ';
  const open = journal.bills.filter((it) => it.site === site && it.isOpen);
  if (open.length > 4) return undefined;
  const customer = one(play, ['U1', 'U1', 'U2']) ?? 'U1';
  const declared = ['RX19', 'RX21', 'HB19']
    .slice(0, 1 + below(3))
    .map((salesCode) => ({ salesCode, count: 1 + below(3) }));
  const { data, isDone } = await ask<{ mtbId: string }>(play, staff.office[site], 'rmaMaintainBill/create', {
    receiveShipNo: `SFMONTH${String(++play.made).padStart(5, '0')}`,
    ...{ btmUserId: customer, userName: customer, mobile: '13800000000', rmaMaintainBillLineList: declared },
  });
  if (!isDone) return 'create';
  journal.bills.push({ mtbId: data.mtbId, site, customer, isOpen: true });
  return 'create';
};

const openBills = (play: Play) => play.journal.bills.filter((it) => it.isOpen);

async function mtbliOf(play: Play, sn: string): Promise<string> {
  const unit = await play.testApp.db
    .selectFrom('rma_inventory')
    .select('mtbliId')
    .where('sn', '=', sn)
    .executeTakeFirst();
  return unit?.mtbliId ?? '';
}

async function comesIn(play: Play, unit: Unit, bill: Bill, to: string): Promise<Stay> {
  const before = { stay: unit.stay, site: unit.site, salesCode: unit.salesCode };
  const stay: Stay = {
    ...{
      unit,
      bill,
      site: bill.site,
      salesCode: unit.archived,
      sn: snOf(unit),
      work: [],
      isScrap: false,
      isOwn: false,
    },
    mtbliId: await mtbliOf(play, snOf(unit)),
    warranty: unit.isBoard && unit.stays.length === 0 ? '0' : warrantyOf(unit, play.now),
    receivedAt: play.now,
    ended: to === '40' ? { how: 'discarded', at: play.now, sn: snOf(unit) } : null,
    isSent: false,
    sentFrom: null,
  };
  Object.assign(unit, { stay, site: bill.site, salesCode: unit.archived });
  made(play, unit, 'receive', to, () => {
    unit.stays.splice(unit.stays.indexOf(stay), 1);
    Object.assign(unit, before);
  });
  unit.stays.push(stay);
  return stay;
}

/** What has never come, or has left; often what left from a bill that is still open comes on that bill again. */
const receive: Doing = async (play) => {
  const { journal, below } = play;
  const isUnderWay = (it: Unit) => journal.transfers.some(({ unit }) => unit === it);
  const outside = journal.units.filter(
    (it) => !it.isBoard && (it.node === null || it.node === '900') && !isUnderWay(it),
  );
  const again = outside.filter((it) => it.stay?.bill.isOpen === true);
  const unit = one(play, again.length > 0 && below(3) > 0 ? again : outside);
  const bill = unit?.stay?.bill.isOpen && below(4) > 0 ? unit.stay.bill : one(play, openBills(play));
  if (!unit || !bill) return undefined;
  const items = [{ receiveSn: snOf(unit), depreciation: 'B' }];
  const { isDone } = await ask(play, staff.warehouse[bill.site], 'rmaReceiveBill/receive', {
    mtbId: bill.mtbId,
    rmaReceiveBillLineRequestList: [{ rmaReceiveBillLineItemRequestList: items }],
  });
  const isAgain = unit.stays.some((it) => it.bill === bill);
  if (isDone) await comesIn(play, unit, bill, '10');
  return isAgain ? 'receive again on an open bill' : 'receive';
};

const receiveBoards: Doing = async (play) => {
  const { journal, below, testApp } = play;
  const bill = one(play, openBills(play));
  if (!bill || journal.units.filter((it) => it.isBoard && it.stay && it.node !== '900').length > 8) return undefined;
  const line = {
    type: '1',
    salesCode: 'HB19',
    repairableCount: 1 + below(2),
    unRepairableCount: below(4) === 0 ? 1 : 0,
  };
  const { isDone, data } = await ask<{ rvbId: string }>(play, staff.warehouse[bill.site], 'rmaReceiveBill/receive', {
    mtbId: bill.mtbId,
    rmaReceiveBillLineRequestList: [line],
  });
  if (!isDone) return 'receiveBoards';
  const rows = await testApp.db
    .selectFrom('rma_receive_bill_line_item')
    .select('receiveSn')
    .where('rvbId', '=', data.rvbId)
    .orderBy('id')
    .execute();
  for (const [i, { receiveSn }] of rows.entries()) {
    const unit: Unit = {
      ...{
        names: [receiveSn],
        salesCode: 'HB19',
        archived: 'HB19',
        isBoard: true,
        site: bill.site,
        node: null,
        held: null,
      },
      ...{ warrantyUntil: null, stay: null, stays: [], past: [] },
    };
    journal.units.push(unit);
    await comesIn(play, unit, bill, i < line.repairableCount ? '10' : '40');
  }
  return 'receiveBoards';
};

const finishReceive: Doing = async (play) => {
  const bills = openBills(play).filter((bill) => allStays(play.journal).some((it) => it.bill === bill));
  const bill = one(play, bills);
  if (!bill || bills.length < 4) return undefined;
  const { isDone } = await ask(play, staff.warehouse[bill.site], 'rmaReceiveBill/finishReceive', {
    maintainBillId: bill.mtbId,
  });
  if (isDone) bill.isOpen = false;
  return 'finishReceive';
};

const codeFor = { repair: 'FX409', scrap: 'UM17', nofault: 'NTF' } as const;
const typeOf = ({ isBoard }: Unit) => (isBoard ? '1' : '0');

/** Something that was found or done for a stay, with its way back. */
function worked(
  play: Play,
  unit: Unit,
  work: Pick<Stay['work'][number], 'kind' | 'found' | 'word' | 'billId'>,
): () => void {
  const { stay } = unit;
  const entry = { ...work, at: play.now, site: unit.site, by: siteStaff(unit, 'tech'), isReturned: false };
  stay?.work.push(entry);
  return () => stay?.work.splice(stay.work.indexOf(entry), 1);
}

const check: Doing = async (play) => {
  const unit = at(play, '10');
  if (!unit) return undefined;
  const found = one(play, ['repair', 'repair', 'repair', 'repair', 'scrap', 'nofault', 'nofault'] as const) ?? 'repair';
  const { isDone, data } = await ask<{ ckbId: string }>(play, siteStaff(unit, 'tech'), 'rmaCheckBill/check', {
    ...{ sn: snOf(unit), checkType: typeOf(unit), issueCodeIdList: [play.codes[codeFor[found]]] },
    checkUrls: found === 'scrap' ? await play.pictures[unit.site]() : '',
  });
  if (!isDone) return 'check';
  const undo = worked(play, unit, { kind: 'check', found, word: found === 'repair' ? null : '0', billId: data.ckbId });
  made(play, unit, 'check', found === 'repair' ? '50' : '10', undo);
  unit.held = found === 'repair' ? null : found;
  return `check ${found}`;
};

const confirm: Doing = async (play) => {
  const { below } = play;
  const unit = one(
    play,
    play.journal.units.filter((it) => it.held),
  );
  const stay = unit?.stay;
  const last = stay?.work.at(-1);
  if (!unit?.held || !stay || !last) return undefined;
  const { held } = unit;
  const isYes = below(4) > 0;
  const word = isYes ? '1' : '2';
  const input =
    held === 'scrap'
      ? { scrapStatus: word, dutySourse: '1', dutySourseRemark: 'burnt', declineScrapRemark: 'still good' }
      : { nofaultConfirmStatus: word, nofaultConfirmRemark: 'seen' };
  const { isDone } = await ask(play, siteStaff(unit, 'supervisor'), `rmaCheckBill/${held}Confirm`, {
    ...{ sn: snOf(unit), ckbId: last.billId, ...input },
  });
  if (!isDone) return `${held}Confirm`;
  last.word = word;
  const isScrapped = held === 'scrap' && isYes && !unrepaired.has(stay);
  const yes = held === 'scrap' ? (isScrapped ? '40' : '90') : '70';
  made(play, unit, `${held}Confirm`, isYes ? yes : '10', () => {
    last.word = '0';
    if (!isYes || held !== 'scrap') return;
    stay.isScrap = false;
    if (stay.ended) open(play, stay);
  });
  unit.held = null;
  if (isYes && held === 'scrap') stay.isScrap = true;
  if (isScrapped) stay.ended = { how: 'scrapped', at: play.now, sn: snOf(unit) };
  if (isScrapped) endsAnew(play.journal, stay);
  return `${held}Confirm ${isYes ? 'yes' : 'no'}`;
};

/** Whose customers want them back as they are. */
const unrepaired = new WeakSet<Stay>();
const wantBack: Doing = async (play) => {
  const unit = one(
    play,
    play.journal.units.filter((it) => it.held === 'scrap' && it.stay && !unrepaired.has(it.stay)),
  );
  if (!unit?.stay || play.below(2) === 0) return undefined;
  const input = { id: unit.stay.mtbliId, returness: '1' };
  const { isDone } = await ask(play, 'admin', 'rmaMaintainBillLineItem/editDeliver', input);
  if (isDone) unrepaired.add(unit.stay);
  return 'wanted back';
};

const repair: Doing = async (play) => {
  const unit = at(play, '50');
  if (!unit) return undefined;
  const row = { partsType: '7', repairMethod: '8', issueCodeIdList: [play.codes['RP01']], slot: 'U1' };
  const { isDone, data } = await ask<{ rpbId: string }>(play, siteStaff(unit, 'tech'), 'rmaRepairBill/repair', {
    ...{ sn: snOf(unit), checkType: typeOf(unit), partsList: [row] },
    // A customer's unit is defective, whatever is sent.
    ...(play.below(2) === 0 && { repairType: '1' }),
  });
  if (!isDone) return 'repair';
  const undo = worked(play, unit, { kind: 'repair', found: '', word: null, billId: data.rpbId });
  made(play, unit, 'repair', unit.isBoard ? '70' : '60', undo);
  return 'repair';
};

const assemble: Doing = async (play) => {
  const unit = at(play, '60');
  if (!unit) return undefined;
  const n = ++play.made;
  const partsList = slotsOf(1).map(({ name, componentType, hasQrCode }) => ({
    ...{ sn: `${name}-${n}`, component_type: componentType, qrCodeNum: hasQrCode ? 'Q'.repeat(17) : '' },
  }));
  const { isDone } = await ask(play, siteStaff(unit, 'tech'), 'rmaAssembleBill/assemble', {
    sn: snOf(unit),
    partsList,
  });
  if (isDone) made(play, unit, 'assemble', '70', () => undefined);
  return 'assemble';
};

const test =
  (step: 'aging' | 'qc'): Doing =>
  async (play) => {
    const [node, next, path, list, good, bad] =
      step === 'aging'
        ? ['70', '80', 'rmaBurninBill/submitBurninBill', 'rmaBurninBillLineList', 'AT00', 'AT01']
        : ['80', '90', 'rmaExamineBill/submitExamineBill', 'rmaExamineBillLineList', 'QC00', 'QC01'];
    const unit = at(play, node);
    if (!unit) return undefined;
    const passes = play.below(6) > 0;
    const row = { sn: snOf(unit), icdId: play.codes[passes ? good : bad] };
    const { isDone } = await ask(play, siteStaff(unit, 'tech'), path, { [list]: [row] });
    if (isDone) made(play, unit, step, passes ? next : '50', () => undefined);
    return `${step} ${passes ? 'passed' : 'failed'}`;
  };

const store: Doing = async (play) => {
  const unit = at(play, '90');
  if (!unit) return undefined;
  const { isDone } = await ask(play, siteStaff(unit, 'warehouse'), 'rmaStoreBill/submitStoreBill', {
    rmaStoreBillLineList: [{ sn: snOf(unit) }],
    packageCount: 20,
  });
  if (!isDone) return 'store';
  const { stay } = unit;
  // Own goods are stock again, and have come to their end.
  const isOwn = stay?.isOwn === true;
  made(play, unit, 'store', '100', () => {
    if (!isOwn) return;
    stay.ended = null;
    unit.stay = stay;
  });
  if (!isOwn) return 'store';
  stay.ended = { how: 'bought', at: play.now, sn: snOf(unit) };
  unit.stay = null;
  return 'store of own goods';
};

/** A stay that had ended goes on; a fee line of it says so. */
function open({ journal }: Play, stay: Stay): void {
  stay.ended = null;
  stay.isSent = false;
  const line = journal.fees.flatMap((it) => it.lines).find((it) => it.stay === stay);
  if (line) line.isRolledBack = true;
}

/** Whether finance has passed what was paid for a stay: it does not go on any more. */
const isSettled = ({ journal }: Play, stay: Stay | null): boolean =>
  journal.fees.some((bill) => isAgreed(bill) && bill.lines.some((it) => it.stay === stay));
export const isBilled = ({ journal }: Play, stay: Stay | null): boolean =>
  journal.fees.some((bill) => bill.lines.some((it) => it.stay === stay));

function leaves(play: Play, unit: Unit, step: string): void {
  const { stay } = unit;
  if (!stay) return;
  const before = { ended: stay.ended, isSent: stay.isSent, isScrap: stay.isScrap };
  made(play, unit, step, '900', () => {
    open(play, stay);
    Object.assign(stay, before);
  });
  stay.ended = { how: 'delivered', at: play.now, sn: snOf(unit) };
  stay.isSent = true;
  stay.sentFrom = unit.site;
  endsAnew(play.journal, stay);
}

const deliver: Doing = async (play) => {
  const unit = at(play, '100');
  if (!unit) return undefined;
  const { db } = play.testApp;
  const line = await db
    .selectFrom('rma_stockup_bill_line as l')
    .innerJoin('rma_stockup_bill as b', 'b.skbId', 'l.skbId')
    .select(['l.skbId', 'l.mtblId'])
    .where('l.sn', '=', snOf(unit))
    .where('l.delivered', '=', '0')
    .where('b.status', 'in', ['0', '1'])
    .executeTakeFirst();
  if (!line) {
    play.wrong.push(`${snOf(unit)} can ship and is on no stock-up bill`);
    return 'deliver';
  }
  const { skbId, mtblId } = line;
  if (!unit.isBoard) {
    const input = { skbId, submitType: '0', rmaDeliverBillLineList: [{ deliverSn: snOf(unit), submitCount: 1 }] };
    const { isDone } = await ask(play, siteStaff(unit, 'warehouse'), 'rmaDeliverBill/submitDeliverBill', input);
    if (isDone) leaves(play, unit, 'deliver');
    return 'deliver';
  }
  const rows = await db
    .selectFrom('rma_stockup_bill_line')
    .select(['sn', 'itemId'])
    .where('skbId', '=', skbId)
    .where('mtblId', '=', mtblId)
    .where('delivered', '=', '0')
    .execute();
  const counted = { deliverItemId: Number(rows[0]?.itemId), submitCount: rows.length };
  const input = { skbId, submitType: '2', rmaDeliverBillLineList: [counted] };
  const { isDone } = await ask(play, siteStaff(unit, 'warehouse'), 'rmaDeliverBill/submitDeliverBill', input);
  for (const { sn } of isDone ? rows : []) {
    const board = play.journal.units.find((it) => snOf(it) === sn);
    if (board) leaves(play, board, 'deliver');
  }
  return 'deliver boards';
};

/** What is rolled back by refusing it for reasons that are no matter of money. */
const elsewhereRefused = ['000000', '100025', '100020', '100015', '100011'];

/** The newest step that stands, mostly; of what has left or is scrap, whether it may is said by its fee. */
const rollback: Doing = async (play) => {
  const { below, journal } = play;
  const ended = journal.units.filter((it) => it.stay?.ended);
  const unit = one(play, below(2) === 0 ? ended : journal.units);
  const step = unit?.past.findLast((it) => it.goneAt === null);
  if (!unit || !step) return undefined;
  const row = await play.testApp.db
    .selectFrom('rma_transaction')
    .select(['id', 'step'])
    .where('sn', 'in', unit.names)
    .where('operateStatus', '=', 'Normal')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  if (row?.step !== step.step) {
    play.wrong.push(`the last step of ${snOf(unit)} is ${row?.step}, not ${step.step}`);
    return 'rollback';
  }
  const isEnd =
    step.stay?.ended &&
    ['deliver', 'scrapConfirm', 'modifyNode'].includes(step.step) &&
    ['40', '900'].includes(step.to ?? '');
  const wasEnd = step.step === 'modifyNode' && ['40', '900'].includes(step.from ?? '');
  const settled = isEnd && isSettled(play, step.stay);
  const wants = settled ? ['100025'] : isEnd ? ['000000'] : elsewhereRefused;
  const { isDone } = await ask(
    play,
    'admin',
    'rmaTransaction/rollbackById',
    { id: String(row.id), remark: 'mistyped' },
    { method: 'GET', wants },
  );
  play.asked += ` ${snOf(unit)} ${step.step}`;
  if (settled) return 'rollback of what is settled, refused';
  if (isDone) {
    step.goneAt = play.now;
    step.undo();
  }
  const billed = isEnd || wasEnd ? (isBilled(play, step.stay) ? ' of what is billed' : ' of what ended') : '';
  return `rollback${billed}${isDone ? '' : ', refused'}`;
};

/** The test begins again: what was done since stands no more, and its records are kept. */
const returnToCheck: Doing = async (play) => {
  const { journal, below } = play;
  const able = journal.units.filter(
    (it) =>
      it.stay?.isOwn === false &&
      (it.held ||
        ['50', '60', '70', '80', '90', '100'].includes(it.node ?? '') ||
        (it.node === '40' && it.stay.ended?.how === 'scrapped')),
  );
  const scrapped = able.filter((it) => it.node === '40');
  const unit = one(play, below(3) === 0 && scrapped.length > 0 ? scrapped : able);
  const stay = unit?.stay;
  if (!unit || !stay) return undefined;
  const bill = await play.testApp.db
    .selectFrom('rma_maintain_bill')
    .select('billStatus')
    .where('mtbId', '=', stay.bill.mtbId)
    .executeTakeFirstOrThrow();
  const settled = isSettled(play, stay);
  const wants = bill.billStatus === '2' ? ['100011'] : settled ? ['100025'] : ['000000'];
  const input = [{ sn: snOf(unit), mtbliId: stay.mtbliId, mtbId: stay.bill.mtbId }];
  const { code, msg } = await play.testApp.ask(
    'POST',
    '/api/rmaMaintainBillLineItem/rollbackToPreliminaryTest.json',
    input,
    { as: 'aftersales' },
  );
  if (!wants.includes(code)) play.wrong.push(`return of ${snOf(unit)} answers ${code} ${msg}, not ${wants.join()}`);
  if (code !== '000000') return 'return to first test, refused';
  const since = unit.past
    .slice(unit.past.findLastIndex((it) => it.step === 'receive') + 1)
    .filter((it) => it.goneAt === null);
  const first = since.findIndex((it) => it.step !== 'changeSn' && (it.step === 'check' || it.to !== '10'));
  const gone = first < 0 ? [] : since.slice(first).filter((it) => it.step !== 'changeSn');
  for (const it of gone) it.goneAt = play.now;
  for (const it of stay.work) if (gone.some((step) => step.at === it.at)) it.isReturned = true;
  const [fromSite = null] = gone.flatMap((it) => it.fromSite ?? []);
  const wasEnded = stay.ended !== null;
  if (wasEnded) open(play, stay);
  for (const it of stay.work) if (it.word === '0') it.word = null;
  stay.isScrap = false;
  unit.node = '10';
  unit.held = null;
  if (fromSite && fromSite !== unit.site) {
    const backThere = () => {
      unit.site = fromSite;
      stay.site = fromSite;
    };
    made(play, unit, 'updateSiteId', '10', backThere, fromSite);
  }
  return wasEnded ? 'return of scrap to first test' : 'return to first test';
};

/** A customer's unit that is being worked on. */
const inWork = (unit: Unit) =>
  unit.node !== null && !['40', '900'].includes(unit.node) && !unit.held && unit.stay?.isOwn === false;

const move: Doing = async (play) => {
  const { journal, testApp } = play;
  const unit = one(
    play,
    journal.units.filter((it) => inWork(it) && it.stay?.bill.site === it.site),
  );
  const stay = unit?.stay;
  if (!unit || !stay) return undefined;
  const fits = journal.bills.filter(
    (it) => it !== stay.bill && it.site === unit.site && it.customer === stay.bill.customer,
  );
  const lines = await testApp.db
    .selectFrom('rma_maintain_bill_line as l')
    .innerJoin('rma_maintain_bill as b', 'b.mtbId', 'l.mtbId')
    .select(['l.mtbId', 'l.mtblId'])
    .where('l.mtbId', 'in', [...fits.map((it) => it.mtbId), ''])
    .where('l.salesCode', '=', stay.salesCode)
    .where('b.billStatus', 'in', ['0', '1'])
    .orderBy('l.id')
    .execute();
  const own = await testApp.db
    .selectFrom('rma_maintain_bill')
    .select('billStatus')
    .where('mtbId', '=', stay.bill.mtbId)
    .executeTakeFirst();
  const line = one(play, lines);
  const bill = fits.find((it) => it.mtbId === line?.mtbId);
  if (!line || !bill || own?.billStatus === '2') return undefined;
  const flags = { moveBillFlag: '1', deliverFlag: play.below(2) === 0 ? '1' : '0', splitDeliverFlag: '0' };
  const { isDone } = await ask(
    play,
    staff.office[unit.site],
    'rmaMaintainBillLineItem/moveBill',
    { ids: [stay.mtbliId], mtbId: line.mtbId, mtblId: line.mtblId, ...flags },
    { wants: ['000000', '100020'] },
  );
  if (!isDone) return 'move to another bill, refused';
  const before = stay.bill;
  made(play, unit, 'moveBill', unit.node, () => {
    stay.bill = before;
  });
  stay.bill = bill;
  return 'move to another bill';
};

const changeSite: Doing = async (play) => {
  const unit = one(play, play.journal.units.filter(inWork));
  const stay = unit?.stay;
  if (!unit || !stay) return undefined;
  const [from, to] = [unit.site, unit.site === 'SZ' ? 'NB' : 'SZ'] as const;
  const { isDone } = await ask(
    play,
    'aftersales',
    'rmaMaintainBillLineItem/updateSiteId',
    { rmaMaintainBillLineItemList: [{ mtbliId: stay.mtbliId }], updateSiteId: to },
    { wants: ['000000', '100011'] },
  );
  if (!isDone) return 'change of site, refused';
  unit.site = to;
  stay.site = to;
  made(
    play,
    unit,
    'updateSiteId',
    unit.node,
    () => {
      unit.site = from;
      stay.site = from;
    },
    from,
  );
  return 'change of site';
};

const changeModel: Doing = async (play) => {
  const unit = one(
    play,
    play.journal.units.filter((it) => inWork(it) && !it.isBoard && it.node !== '100'),
  );
  const stay = unit?.stay;
  if (!unit || !stay) return undefined;
  const salesCode =
    one(
      play,
      ['RX19', 'RX21', 'RX30'].filter((it) => it !== stay.salesCode),
    ) ?? 'RX19';
  const { isDone } = await ask(
    play,
    'aftersales',
    'rmaMaintainBillLineItem/replaceSaleCode',
    { rmaMaintainBillLineItemList: [{ mtbliId: stay.mtbliId }], salesCode, replaceFlag: '1', salesCodeCount: 1 },
    { wants: ['000000', '100011', '100025'] },
  );
  if (!isDone) return 'change of model, refused';
  const before = [stay.salesCode, unit.salesCode, unit.archived] as const;
  made(play, unit, 'replaceSaleCode', unit.node, () => {
    [stay.salesCode, unit.salesCode, unit.archived] = before;
  });
  unit.archived = salesCode;
  stay.salesCode = salesCode;
  unit.salesCode = salesCode;
  return 'change of model';
};

const changeSn: Doing = async (play) => {
  const unit = one(play, play.journal.units.filter(inWork));
  const stay = unit?.stay;
  if (!unit || !stay) return undefined;
  const oldSn = snOf(unit);
  const back = unit.names.slice(1).filter(() => play.below(3) === 0);
  const newSn = back[0] ?? `RX19N${String(++play.made).padStart(12, '0')}`;
  const { isDone } = await ask(play, 'admin', 'ubsItemObject/changeSn', { cause: '1', oldSn, newSn });
  if (!isDone) return 'change of SN';
  const before = [...unit.names];
  made(play, unit, 'changeSn', unit.node, () => {
    unit.names = before;
    stay.sn = oldSn;
  });
  unit.names = [newSn, ...before.filter((it) => it !== newSn)];
  stay.sn = newSn;
  return 'change of SN';
};

/** The company buys a unit of a customer: it is stock where it stands, and nothing is paid for what was done. */
const buyOut: Doing = async (play) => {
  const unit = one(play, play.journal.units.filter(inWork));
  const stay = unit?.stay;
  if (!unit || !stay) return undefined;
  const { mtblId } = await play.testApp.db
    .selectFrom('rma_maintain_bill_line_item')
    .select('mtblId')
    .where('mtbliId', '=', stay.mtbliId)
    .executeTakeFirstOrThrow();
  const { isDone } = await ask(
    play,
    'aftersales',
    'rmaMaintainBillLineItem/buyOut',
    [{ mtblId, mtbliIdList: [stay.mtbliId], remark: 'spare stock' }],
    { wants: ['000000', '100011'] },
  );
  if (!isDone) return 'buy-out, refused';
  made(play, unit, 'buyOut', unit.node, () => {
    stay.ended = null;
    unit.stay = stay;
  });
  stay.ended = { how: 'bought', at: play.now, sn: snOf(unit) };
  unit.stay = null;
  return isBilled(play, stay) ? 'buy-out of what is billed' : 'buy-out';
};

/** An administrator says where a unit is: it has left, it has not, or it is scrap that nobody has confirmed, which is not paid. */
const setNode: Doing = async (play) => {
  const { journal, below } = play;
  const away = journal.units.filter((it) => it.stay?.ended && !it.stay.isOwn && it.stay.ended.how !== 'discarded');
  const unit = one(play, below(2) === 0 ? away : journal.units.filter(inWork));
  const stay = unit?.stay;
  if (!unit || !stay) return undefined;
  const isBack = stay.ended !== null;
  const settled = isBack && isSettled(play, stay);
  const to = isBack ? '50' : below(3) === 0 ? '40' : '900';
  const { isDone } = await ask(
    play,
    'admin',
    'rmaInventory/modifyIvyId',
    { sn: snOf(unit), ivyId: to, remark: 'seen there' },
    { wants: settled ? ['100025'] : ['000000'] },
  );
  if (settled) return 'node of what is settled, refused';
  if (!isDone) return 'node';
  if (to === '900') {
    leaves(play, unit, 'modifyNode');
    return 'node, left';
  }
  const before = { ended: stay.ended, isSent: stay.isSent, isScrap: stay.isScrap };
  made(play, unit, 'modifyNode', to, () => {
    Object.assign(stay, before);
    if (stay.ended) endsAnew(journal, stay);
  });
  if (to === '40') {
    Object.assign(stay, { ended: { how: 'discarded', at: play.now, sn: snOf(unit) }, isScrap: true });
    endsAnew(journal, stay);
    return 'node, scrap';
  }
  if (unit.past.at(-1)?.from === '40') stay.isScrap = false;
  open(play, stay);
  return 'node, back';
};

/** What the stations and the office do, and how often. */
export const steps: readonly (readonly [often: number, Doing])[] = [
  [6, create],
  [14, receive],
  [4, receiveBoards],
  [2, finishReceive],
  [16, check],
  [10, confirm],
  [4, wantBack],
  [14, repair],
  [12, assemble],
  [16, test('aging')],
  [16, test('qc')],
  [14, store],
  [16, deliver],
  [10, rollback],
  [3, returnToCheck],
  [6, move],
  [3, changeSite],
  [2, changeModel],
  [6, changeSn],
  [5, setNode],
  [4, buyOut],
];
