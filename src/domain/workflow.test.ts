import { describe, expect, it } from 'vitest';
import { Node, nodes } from './nodes.ts';
import type { RefusalKey } from './refusal.ts';
import {
  findEvent,
  events,
  nodesOf,
  validateConfirmation,
  validateTab,
  validateUnit,
  steps,
  type GuardedUnit,
  type Step,
} from './workflow.ts';

type Guarded = Exclude<Step, 'receive'>;
const guarded = steps.filter((it): it is Guarded => it !== 'receive');
const nodesAndNone = [null, ...nodes];

describe('the state machine of a unit', () => {
  it('moves units so and in no other way', () => {
    const said = events.map(({ id, step, outcome, from, to, type }) => {
      const of = type === undefined ? '' : type === '0' ? ' device' : ' board';
      return `${id} ${step}/${outcome}${of}: ${from.map((it) => it ?? 'none').join('|')} -> ${to}`;
    });
    expect(said).toEqual([
      'E03 receive/done: none|900 -> 10',
      'E04 receive/counted board: none -> 10',
      'E04 receive/discarded board: none -> 40',
      'E08 check/repair: 10 -> 50',
      'E09 check/scrap: 10 -> 10',
      'E10 check/nofault: 10 -> 10',
      'E11 scrapConfirm/kept: 10 -> 40',
      'E11 scrapConfirm/returned: 10 -> 90',
      'E12 scrapConfirm/declined: 10 -> 10',
      'E13 nofaultConfirm/confirmed: 10 -> 70',
      'E14 nofaultConfirm/declined: 10 -> 10',
      'E15 repair/done device: 50 -> 60',
      'E16 repair/done board: 50 -> 70',
      'E17 assemble/done device: 60 -> 70',
      'E18 aging/pass: 70 -> 80',
      'E19 aging/fail: 70 -> 50',
      'E20 qc/pass: 80 -> 90',
      'E21 qc/fail: 80 -> 50',
      'E22 store/done: 90 -> 100',
      'E23 storeStart/defectives: none|40|100 -> 10',
      'E23 storeStart/goods: none|40|100 -> 100',
      'E23 storeStart/scraps: none|40|100 -> 40',
      'E25 deliver/done: 100 -> 900',
      'E26 deliver/counted board: 100 -> 900',
      'E29 terminate/done: 10|50|60|70|80|90|100 -> 40',
      'E30 returnToCheck/done: 10|40|50|60|70|80|90|100 -> 10',
      'E39 defectiveProductRepair/done: 10 -> 10',
      'E40 testAndStore/done: none|100 -> 70',
    ]);
  });

  it('has at most one event for a step, its outcome, a node and a kind of goods', () => {
    const outcomes = new Set(events.map((it) => it.outcome));
    for (const step of new Set(events.map((it) => it.step))) {
      for (const outcome of outcomes) {
        for (const [from, type] of nodesAndNone.flatMap((it) => [[it, '0'] as const, [it, '1'] as const])) {
          const found = events.filter(
            (it) => it.step === step && it.outcome === outcome && it.from.includes(from) && (it.type ?? type) === type,
          );
          expect(found.length).toBeLessThanOrEqual(1);
          expect(findEvent(step, outcome, from, type)).toBe(found[0]);
        }
      }
    }
  });

  it('brings a board to its tests without assembly', () => {
    expect(findEvent('repair', 'done', Node.AwaitingRepair, '1')?.to).toBe(Node.AwaitingTest);
    expect(findEvent('repair', 'done', Node.AwaitingRepair, '0')?.to).toBe(Node.AwaitingAssembly);
    expect(findEvent('assemble', 'done', Node.AwaitingAssembly, '1')).toBeUndefined();
  });

  it('brings a unit from the dock to its delivery by its steps alone [W-COM-02]', () => {
    const way = [
      ['receive', 'done'],
      ['check', 'repair'],
      ['repair', 'done'],
      ['assemble', 'done'],
      ['aging', 'pass'],
      ['qc', 'pass'],
      ['store', 'done'],
      ['deliver', 'done'],
    ] as const;
    let at: Node | null = null;
    for (const [step, outcome] of way) at = findEvent(step, outcome, at)?.to ?? null;
    expect(at).toBe(Node.Shipped);
  });

  it('knows no node beside the nine [W-ENU-08]', () => {
    expect(nodes).toEqual(['10', '40', '50', '60', '70', '80', '90', '100', '900']);
  });

  it('takes each step from one node, receipt aside', () => {
    expect(guarded.map((it) => nodesOf(it))).toEqual([['10'], ['50'], ['60'], ['70'], ['80'], ['90'], ['100']]);
  });
});

describe('the general guard', () => {
  const unit: GuardedUnit = {
    sn: 'A1',
    siteId: 'SZ',
    ivyId: Node.AwaitingCheck,
    held: null,
    mtbId: 'MTB1',
    billStatus: '1',
  };
  const says = (step: Guarded, change: Partial<GuardedUnit> | null, siteId = 'SZ'): RefusalKey[] =>
    validateUnit('A1', change === null ? undefined : { ...unit, ...change }, step, siteId).map((it) => it.key);

  it.each(guarded)('lets a unit pass to %s from its own node alone', (step) => {
    const answers = nodesAndNone.map((ivyId) => says(step, { ivyId })[0] ?? 'passes');
    const [own] = nodesOf(step);
    const expected = nodesAndNone.map((ivyId) => {
      if (ivyId === own) return 'passes';
      if (ivyId === Node.Shipped) return 'shipped';
      return ivyId === Node.Scrapped ? 'scrapped' : 'wrongNode';
    });
    expect(answers).toEqual(expected);
  });

  it('says the first thing that forbids, in the order of the specification', () => {
    const worst: Partial<GuardedUnit> = {
      siteId: 'NB',
      ivyId: Node.Shipped,
      held: { kind: 'scrap', billId: 'CKB1', since: 1, lineId: 5 },
      billStatus: '2',
    };
    const order: [Partial<GuardedUnit> | null, RefusalKey][] = [
      [null, 'notFound'],
      [worst, 'otherSite'],
      [{ ...worst, siteId: 'SZ' }, 'shipped'],
      [{ ...worst, siteId: 'SZ', ivyId: Node.Scrapped }, 'scrapped'],
      [{ ...worst, siteId: 'SZ', ivyId: Node.AwaitingCheck }, 'held'],
      [{ ...worst, siteId: 'SZ', ivyId: Node.AwaitingRepair, held: null }, 'wrongNode'],
      [{ ...worst, siteId: 'SZ', ivyId: Node.AwaitingCheck, held: null }, 'billFinished'],
    ];
    expect(order.map(([change]) => says('check', change))).toEqual(order.map(([, key]) => [key]));
  });

  it('names both nodes of a unit that is elsewhere', () => {
    const [problem] = validateUnit('A1', { ...unit, ivyId: Node.AwaitingTest }, 'check', 'SZ');
    expect(problem?.args).toEqual({
      sn: 'A1',
      node: { options: 'nodes', value: '70' },
      expected: [{ options: 'nodes', value: '10' }],
    });
  });

  it('asks of a stock machine for no bill', () => {
    expect(says('check', { mtbId: null, billStatus: null })).toEqual([]);
  });
});

describe('the tab of a station', () => {
  const says = (type: string, tab: string | null | undefined) =>
    validateTab({ sn: 'A1', type }, tab).map(({ key, args }) => [key, args]);

  it.each(['0', '1'])('takes units of its own kind, and no tab those of any: %s', (type) => {
    expect([type, '', null, undefined].map((tab) => says(type, tab))).toEqual([[], [], [], []]);
  });

  it('tells what else a unit is', () => {
    expect(says('1', '0')).toEqual([['isBoard', { sn: 'A1' }]]);
    expect(says('0', '1')).toEqual([['isDevice', { sn: 'A1' }]]);
  });
});

describe('the guard of a confirmation', () => {
  const held = { kind: 'scrap', billId: 'CKB1', since: 1, lineId: 5 } as const;
  const unit: GuardedUnit = { sn: 'A1', siteId: 'SZ', ivyId: Node.AwaitingCheck, held, mtbId: 'MTB1', billStatus: '1' };
  const asked = { step: 'scrapConfirm', ckbId: 'CKB1', isOurs: true } as const;
  const says = (change: Partial<GuardedUnit> | null, more: Partial<Parameters<typeof validateConfirmation>[2]> = {}) =>
    validateConfirmation('A1', change === null ? undefined : { ...unit, ...change }, { ...asked, ...more })[0]?.key;

  it('lets only the unit pass that waits for just this word', () => {
    expect(says({})).toBeUndefined();
    expect(says({}, { step: 'nofaultConfirm' })).toBe('notHeld');
    expect(says({}, { ckbId: 'CKB2' })).toBe('notHeld');
    expect(says({ held: null })).toBe('notHeld');
    for (const ivyId of [null, ...nodes].filter((it) => it !== Node.AwaitingCheck)) {
      const expected = { [Node.Shipped]: 'shipped', [Node.Scrapped]: 'scrapped' }[ivyId as string] ?? 'notHeld';
      expect(says({ ivyId, held: null }), String(ivyId)).toBe(expected);
    }
  });

  it('says the first thing that forbids, in the order of the general guard', () => {
    const worst: Partial<GuardedUnit> = { ivyId: Node.Shipped, held: null, billStatus: '2' };
    expect(says(null, { isOurs: false })).toBe('notFound');
    expect(says(worst, { isOurs: false })).toBe('otherSite');
    expect(says(worst)).toBe('shipped');
    expect(says({ ...worst, ivyId: Node.AwaitingCheck })).toBe('notHeld');
    expect(says({ billStatus: '2' })).toBe('billFinished');
    expect(says({ mtbId: null, billStatus: null })).toBeUndefined();
  });
});
