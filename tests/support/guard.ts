import { expect } from 'vitest';
import { BillStatus } from '#domain/enums.ts';
import { Node, nodes } from '#domain/nodes.ts';
import type { Answer, TestApp } from '#tests/support/app.ts';
import { heldUnit, stockMachine, unitOnBill } from '#tests/support/factories.ts';
import { takeSnapshot } from '#tests/support/snapshot.ts';

/** One thing that a station refuses: what it is, its code, and how to come by such an SN. */
export type Case = readonly [what: string, code: string, snOf: () => Promise<string>];

/** What every station refuses of an SN, in the order of the general guard. `own` is its own node. Rule: guard#order. */
export function guardCases(testApp: () => TestApp, own: Node): Case[] {
  const at = async (node: Node, more: object = {}) => (await unitOnBill(testApp().db, { node, ...more })).sn;
  const apart: readonly Node[] = [own, Node.Shipped, Node.Scrapped];
  const finished = { billStatus: BillStatus.Finished, item: { receiveStatus: '2' } };
  return [
    ['an empty SN', '100001', async () => '  '],
    ['an SN that can be none', '100015', async () => 'SN 1/2'],
    ['an SN that nobody knows', '100002', async () => 'RX19UNKNOWN'],
    ['an SN of another site', '100004', () => at(own, { siteId: 'NB' })],
    ['a shipped unit', '100005', () => at(Node.Shipped)],
    ['a scrapped unit', '100006', () => at(Node.Scrapped)],
    ['a unit that waits for its scrapping', '100008', async () => (await heldUnit(testApp().db, 'scrap')).sn],
    ['a unit that waits for its no-fault', '100008', async () => (await heldUnit(testApp().db, 'nofault')).sn],
    ['a unit that is not in the house', '100003', () => stockMachine(testApp().db, own, { ivyId: null })],
    ...nodes
      .filter((it) => !apart.includes(it))
      .map((node): Case => [`a unit at node ${node}`, '100003', () => at(node)]),
    ['a unit of a finished bill', '100011', () => at(own, finished)],
  ];
}

/** Asks and is refused with this code; nothing at all was written, but for what is to be looked at by itself. */
export async function expectRefused(
  testApp: TestApp,
  code: string,
  ask: () => Promise<Answer>,
  beside: readonly string[] = [],
): Promise<Answer> {
  const look = async () => {
    const snapshot = await takeSnapshot(testApp.db);
    return Object.fromEntries(Object.entries(snapshot).filter(([table]) => !beside.includes(table)));
  };
  const before = await look();
  const answer = await expectNo(code, ask);
  expect(await look(), 'nothing was written').toEqual(before);
  return answer;
}

/** Asks what only reads, and is refused with this code. */
export async function expectNo(code: string, ask: () => Promise<Answer>): Promise<Answer> {
  const answer = await ask();
  const status = code === '401' ? 401 : code === '100013' ? 403 : 200;
  expect({ status: answer.status, code: answer.code }, answer.msg).toEqual({ status, code });
  expect(answer.msg, 'a sentence with all its words').not.toMatch(/%\{|undefined|\[object/);
  return answer;
}

/** The ids of the world's issue codes, by code. */
export async function readCodeIds(testApp: TestApp): Promise<Record<string, number>> {
  const rows = await testApp.db.selectFrom('ubs_issue_code').select(['code', 'codeId']).execute();
  return Object.fromEntries(rows.map((it) => [it.code, it.codeId ?? 0]));
}

/** Where a unit stands, and what its history says, the newest first. */
export async function readTrace({ db }: TestApp, sn: string) {
  const unit = await db.selectFrom('rma_inventory').selectAll().where('sn', '=', sn).executeTakeFirst();
  const history = await db
    .selectFrom('rma_transaction')
    .selectAll()
    .where('sn', '=', sn)
    .orderBy('id', 'desc')
    .execute();
  return { unit, history };
}

export const readLedger = ({ db }: TestApp, recordId: string) =>
  db.selectFrom('ledger').selectAll().where('recordId', '=', recordId).execute();

/** The item of a unit on its bill. */
export const readItem = ({ db }: TestApp, mtbliId: string) =>
  db.selectFrom('rma_maintain_bill_line_item').selectAll().where('mtbliId', '=', mtbliId).executeTakeFirstOrThrow();
