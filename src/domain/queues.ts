import { is, isOneOf } from '#domain/drill.ts';
import {
  ArrivalStatus,
  Confirmation,
  GoodsType,
  PackageStatus,
  SelfPickupStatus,
  shippingStockups,
} from '#domain/enums.ts';
import { Node } from '#domain/nodes.ts';
import type { limits } from '#domain/reports.ts';
import { RepairFeeStatus, LogisticsCostsStatus, reviewSteps, type ReviewStep } from '#domain/review.ts';
import { mayDo } from '#domain/rights.ts';
import { stations } from '#domain/stations.ts';
import { toQuery } from '#domain/viewAddress.ts';
import { WorkOrderStatus } from '#domain/wafer.ts';
import type { Drill } from '#domain/wire.ts';

/** Work that waits for whoever may press this button of this module. Rule: screens#queues. */
export type Queue = { module: string; btnNo: string } & (
  | { of: 'units'; node: Node; handover: keyof typeof limits.handoverHours }
  | { of: 'receipts' | 'stockups' }
  | RowQueue
);

/** Rows of the module that wait while the field says so: each on a page of its own, or by a dialog of the list. */
interface RowQueue {
  of: 'proposals' | 'bills' | 'listed';
  field: string;
  state: string;
  /** Only those of the home site can be taken. */
  atHome?: true;
  review?: ReviewStep;
}

/** What a press needs to know of something that waits. */
interface Waiting {
  id: number;
  /** The SN, or the number by which a station or a list finds it. */
  no: string;
  /** Of a unit: a device or a board. */
  type?: string | null;
}

/** One of the oldest of a queue, with what there is to decide by. */
export interface QueueItem extends Waiting {
  since: number;
  /** Of which model, for which month, whose. */
  what: string | null;
  mtbId: string | null;
  type: string | null;
  amount: string | null;
  currency: string | null;
  /** The first picture's address. */
  picture: string | null;
}

type Unit = Extract<Queue, { of: 'units' }>;
const units = (step: keyof typeof stations, node: Node, handover: Unit['handover']): Queue => ({
  ...stations[step],
  of: 'units',
  node,
  handover,
});
const rows = (of: RowQueue['of'], module: string, btnNo: string, field: string, state: string): Queue & RowQueue => ({
  ...{ module, btnNo, of, field, state },
});

/** Their outputs are there or not; who may say that an order is done waits for it. */
const workOrders = ['icopWaferWorkOrder', 'icopBumpingCpWorkOrder', 'icopAssemblyWorkOrder', 'icopFtWorkOrder'];

/** Everything that waits for somebody, in the order of the work; scrap waits for nobody. Rule: screens#queues. */
export const queues: readonly Queue[] = [
  { ...rows('bills', 'rmaArrivalBill', 'accept', 'status', ArrivalStatus.Signed), atHome: true },
  rows('listed', 'rmaUnhandledPackageBill', 'editInSiteStatus', 'status', PackageStatus.Pending),
  { ...stations.receive, of: 'receipts' },
  units('check', Node.AwaitingCheck, 'receive-check'),
  rows('proposals', 'rmaScrapConfirm', 'scrapConfirm', 'scrapStatus', Confirmation.Waiting),
  rows('proposals', 'rmaNofaultConfirm', 'nofaultConfirm', 'nofaultConfirmStatus', Confirmation.Waiting),
  units('repair', Node.AwaitingRepair, 'check-repair'),
  units('assemble', Node.AwaitingAssembly, 'repair-assemble'),
  units('aging', Node.AwaitingTest, 'assemble-aging'),
  units('qc', Node.AwaitingInspection, 'aging-qc'),
  units('store', Node.AwaitingStorage, 'qc-store'),
  { ...stations.deliver, of: 'stockups' },
  rows('bills', 'rmaSelfPickup', 'selfPickupReview', 'selfPickupStatus', SelfPickupStatus.Waiting),
  ...reviewSteps.map((it) => ({ ...rows('bills', it.module, it.action, 'billStatus', it.from), review: it })),
  rows('listed', 'rmaRepairFeeBill', 'uploadInvoice', 'billStatus', RepairFeeStatus.AwaitingInvoice),
  rows('listed', 'rmaLogisticsCostsBill', 'uploadCertificate', 'billStatus', LogisticsCostsStatus.AwaitingCertificate),
  ...workOrders.map((it) => rows('listed', it, 'done', 'billStatus', WorkOrderStatus.InProcess)),
];

/** The right by which somebody works on a queue; it names the queue on the wire. */
export const rightOf = ({ module, btnNo }: Queue): string => `${module}:${btnNo}`;

/** Where somebody with these rights works: whoever may press the button, in a list that they may open. */
export const queuesFor = (rights: ReadonlySet<string>): Queue[] =>
  queues.filter((it) => mayDo(rights, `${it.module}:list`) && mayDo(rights, rightOf(it)));

/** Where one press begins: the station, the page of the row, or the list of those that wait. Rule: screens#queues. */
export function queueAddress(queue: Queue, it: Waiting): string {
  const list = `/${queue.module}List`;
  const station = `${list}/${queue.btnNo}`;
  if (queue.of === 'receipts' || queue.of === 'stockups') return `${station}?${toQuery({ shipNo: it.no })}`;
  if (queue.of !== 'units') return queue.of === 'listed' ? listAddress(queue) : `${station}/${it.id}`;
  const hasTabs = queue.node === Node.AwaitingCheck || queue.node === Node.AwaitingRepair;
  const query = { sn: it.no, ...(hasTabs && it.type === GoodsType.Board && { type: it.type }) };
  return `${station}?${toQuery(query)}`;
}

/** Where the whole queue is worked off: at the station, or row by row, the oldest first. */
export const beginAddress = (queue: Queue, [oldest]: readonly Waiting[]): string =>
  'field' in queue && oldest ? queueAddress(queue, oldest) : `/${queue.module}List/${queue.btnNo}`;

/**
 * The rows of a queue, where a list shows exactly these to who works at this site. None does where a queue leaves out what
 * somebody may not judge or what waits for another's word, nor of proposals and receipts. Rule: screens#queues.
 */
export function rowsOfQueue(queue: Queue, siteId: string): Drill | undefined {
  switch (queue.of) {
    case 'units':
      if (queue.node === Node.AwaitingCheck) return undefined;
      return { module: 'rmaInventory', rules: [is('ivyId', queue.node), is('siteId', siteId)] };
    case 'stockups':
      return { module: 'rmaStockupBill', rules: [isOneOf('status', shippingStockups), is('siteId', siteId)] };
    case 'bills':
    case 'listed': {
      if (queue.review) return undefined;
      const rules = [is(queue.field, queue.state), ...(queue.atHome ? [is('siteId', siteId)] : [])];
      return { module: queue.module, rules };
    }
    default:
      return undefined;
  }
}

const listAddress = ({ module, field, state }: Queue & RowQueue): string =>
  `/${module}List?${toQuery({ filter: JSON.stringify({ [field]: state }) })}`;
