import { describe, expect, it } from 'vitest';
import { Node } from '#domain/nodes.ts';
import { limitHours } from '#domain/queueLimits.ts';
import { beginAddress, queueAddress, queues, queuesFor, rightOf, type Queue } from '#domain/queues.ts';
import { reviewSteps } from '#domain/review.ts';
import { nodesOf, type Step } from '#domain/workflow.ts';
import { stations } from '#domain/stations.ts';

const namesFor = (...rights: string[]) => queuesFor(new Set(rights)).map(rightOf);
const queueOf = (right: string): Queue => queues.find((it) => rightOf(it) === right) as Queue;

describe('the queues', () => {
  it('are one for each right, and of each review', () => {
    expect(new Set(queues.map(rightOf)).size).toBe(queues.length);
    expect(queues.map(rightOf)).toEqual(expect.arrayContaining(reviewSteps.map((it) => `${it.module}:${it.action}`)));
  });

  it('of units are where the station takes them, and none is of scrap', () => {
    const atNodes = queues.filter((it) => it.of === 'units');
    for (const queue of atNodes) {
      const [step] = Object.entries(stations).find(([, it]) => `${it.module}:${it.btnNo}` === rightOf(queue)) ?? [];
      expect(nodesOf(step as Step)).toEqual([queue.node]);
      expect(queue.handover.endsWith(`-${step}`)).toBe(true);
    }
    expect(atNodes.map((it) => it.node)).not.toContain(Node.Scrapped);
    expect(atNodes).toHaveLength(6);
  });

  it("are somebody's who may press the button and open its list", () => {
    expect(namesFor('rmaCheckBill:check')).toEqual([]);
    expect(namesFor('rmaCheckBill:list', 'rmaRepairBill:list')).toEqual([]);
    expect(namesFor('*:list', 'rmaCheckBill:check')).toEqual(['rmaCheckBill:check']);
    expect(namesFor('*:*')).toEqual(queues.map(rightOf));
  });
});

describe('one press', () => {
  const first = { id: 7, no: 'N 1', type: '0' };
  it.each([
    ['rmaCheckBill:check', '/rmaCheckBillList/check', '/rmaCheckBillList/check?sn=N%201'],
    ['rmaReceiveBill:receive', '/rmaReceiveBillList/receive', '/rmaReceiveBillList/receive?shipNo=N%201'],
    ['rmaDeliverBill:deliver', '/rmaDeliverBillList/deliver', '/rmaDeliverBillList/deliver?shipNo=N%201'],
    ['rmaArrivalBill:accept', '/rmaArrivalBillList/accept/7', '/rmaArrivalBillList/accept/7'],
    ['rmaScrapConfirm:scrapConfirm', '/rmaScrapConfirmList/scrapConfirm/7', '/rmaScrapConfirmList/scrapConfirm/7'],
    ['rmaPriceBill:financialReview', '/rmaPriceBillList/financialReview/7', '/rmaPriceBillList/financialReview/7'],
  ])('begins %s', (right, begin, address) => {
    expect(beginAddress(queueOf(right), [first])).toBe(begin);
    expect(queueAddress(queueOf(right), first)).toBe(address);
  });

  it('opens the list of those that wait where a dialog does the work', () => {
    const address = '/rmaRepairFeeBillList?filter=%7B%22billStatus%22%3A%224%22%7D';
    expect(beginAddress(queueOf('rmaRepairFeeBill:uploadInvoice'), [first])).toBe(address);
  });

  it('opens the tab of boards for a board, where there are tabs', () => {
    const board = { ...first, no: 'B1', type: '1' };
    expect(queueAddress(queueOf('rmaRepairBill:repair'), board)).toBe('/rmaRepairBillList/repair?sn=B1&type=1');
    expect(queueAddress(queueOf('rmaBurninBill:burnin'), board)).toBe('/rmaBurninBillList/burnin?sn=B1');
  });
});

it('a repair may wait longer than a check, and a bill three days', () => {
  const hours = ['rmaCheckBill:check', 'rmaRepairBill:repair', 'rmaPriceBill:financialReview'].map((it) =>
    limitHours(queueOf(it)),
  );
  expect(hours).toEqual([24, 48, 72]);
});
