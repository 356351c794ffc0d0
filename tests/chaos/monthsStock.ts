import { sites, type Stay, type Unit } from './monthsJournal.ts';
import { ask, made, one, snOf, staff, type Doing } from './monthsSteps.ts';

/** What the company bought or tested: it lies on no bill. */
const isStock = ({ node, stay, held }: Unit): boolean =>
  node !== null && !['40', '900'].includes(node) && stay === null && !held;

/** Stock of a site sets out for the other one. */
const setOut: Doing = async (play) => {
  const { journal, testApp } = play;
  const unit = one(play, journal.units.filter(isStock));
  const node = unit?.node;
  if (!unit || !node) return undefined;
  const from = unit.site;
  const to = sites.find((it) => it !== from) ?? 'NB';
  const goods = {
    ...{ salesCode: unit.salesCode, itemType: unit.isBoard ? '1' : '0', storageType: node === '100' ? '0' : '1' },
    count: 1,
  };
  const { isDone, data } = await ask<{ id: number; sktbId: string }>(
    play,
    staff.warehouse[from],
    'rmaStockTransferBill/initiate',
    { deliverSiteId: from, receiveSiteId: to, rmaStockTransferLineRequestList: [goods] },
  );
  if (!isDone) return 'transfer';
  const { sktbId, id } = data;
  const { sktblId } = await testApp.db
    .selectFrom('rma_stock_transfer_bill_line')
    .select('sktblId')
    .where('sktbId', '=', sktbId)
    .executeTakeFirstOrThrow();
  const sent = await ask(play, staff.warehouse[from], 'rmaStockTransferBill/deliverAccept', {
    ...{ sktbId, deliverSiteId: from, lineList: [{ sktblId, snList: [snOf(unit)] }] },
  });
  if (!sent.isDone) return 'transfer';
  made(play, unit, 'transferOut', null, () => undefined);
  journal.transfers.push({ id, sktbId, unit, node, to });
  return 'transfer';
};

/** What is under way is signed for at the other site, or given back to where it lay. */
const arrive: Doing = async (play) => {
  const { journal, testApp, below } = play;
  const transfer = one(play, journal.transfers);
  if (!transfer) return undefined;
  const { id, sktbId, unit, node, to } = transfer;
  const comesBack = below(4) === 0;
  const { id: itemId } = await testApp.db
    .selectFrom('rma_stock_transfer_bill_line_item')
    .select('id')
    .where('sktbId', '=', sktbId)
    .executeTakeFirstOrThrow();
  const { isDone } = comesBack
    ? await ask(play, 'admin', 'rmaStockTransferBill/returnTransfer', { id: String(id) })
    : await ask(play, staff.warehouse[to], 'rmaStockTransferBill/receiverAccept', {
        ...{ sktbId, receiveSiteId: to, idList: [Number(itemId)] },
      });
  if (!isDone) return 'transfer ends';
  journal.transfers.splice(journal.transfers.indexOf(transfer), 1);
  if (!comesBack) unit.site = to;
  made(play, unit, comesBack ? 'transferReturn' : 'transferIn', node, () => undefined);
  return comesBack ? 'transfer returned' : 'transfer received';
};

/** Stock gets a bill of its own: defectives to be repaired, goods to be tested. Nobody has given a warranty for it. */
const register: Doing = async (play) => {
  const unit = one(
    play,
    play.journal.units.filter((it) => isStock(it) && ['10', '100'].includes(it.node ?? '')),
  );
  if (!unit) return undefined;
  const { site } = unit;
  const [step, to] = unit.node === '10' ? ['defectiveProductRepair', '10'] : ['testAndStore', '70'];
  const items = [{ sn: snOf(unit) }];
  const form =
    unit.node === '10'
      ? { receiveShipId: 'SF', receiveShipNo: `SFOWN${++play.made}`, lineRequestList: items }
      : { dataList: [{ itemRequestList: items }] };
  const { isDone, data } = await ask<{ mtbId: string }>(
    play,
    staff.warehouse[site],
    `rmaDefectiveProductRepairBill/${step}`,
    { siteId: site, ...form },
  );
  if (!isDone) return 'own goods';
  const { mtbliId } = await play.testApp.db
    .selectFrom('rma_maintain_bill_line_item')
    .select('mtbliId')
    .where('mtbId', '=', data.mtbId)
    .executeTakeFirstOrThrow();
  const stay: Stay = {
    ...{ unit, mtbliId, bill: { mtbId: data.mtbId, site, customer: site, isOpen: false }, site },
    ...{ salesCode: unit.salesCode, sn: snOf(unit), warranty: '', receivedAt: play.now, work: [] },
    ...{ isScrap: false, isOwn: true, ended: null, isSent: false, sentFrom: null },
  };
  unit.stay = stay;
  unit.stays.push(stay);
  made(play, unit, step, to, () => undefined);
  return unit.node === '10' ? 'own goods to be repaired' : 'own goods to be tested';
};

/** What is done with stock, and how often. */
export const stockSteps: readonly (readonly [often: number, Doing])[] = [
  [5, setOut],
  [8, arrive],
  [4, register],
];
