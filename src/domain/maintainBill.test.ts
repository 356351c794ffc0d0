import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tries } from '#tests/support/tries.ts';
import { countsOf, isFinished, isOpen, mayLeave, mayReceive, opensAgain, statusAfterReceipt } from './maintainBill.ts';

const item = fc.record({
  receiveStatus: fc.constantFrom('0', '1', '2', '3'),
  deliverStatus: fc.constantFrom('0', '1', '2', '3', '4'),
  scrap: fc.constantFrom('0', '1', null),
});

describe('a maintain bill', () => {
  it('may receive while it awaits goods, or late goods', () => {
    expect(['0', '1', '2', '3', '4', null].filter(mayReceive)).toEqual(['0', '4']);
  });

  it('is received or not received when its receipt is closed', () => {
    expect([statusAfterReceipt(0), statusAfterReceipt(1), statusAfterReceipt(9)]).toEqual(['3', '1', '1']);
  });

  it.each([
    ['0', true, false],
    ['1', true, true],
    ['1', false, false],
    ['2', true, false],
    ['3', false, true],
    ['4', true, false],
  ])('of status %s with a short line %s opens again for late goods: %s', (status, isShort, opens) => {
    expect(opensAgain(status, isShort)).toBe(opens);
  });

  it('is finished exactly when its receipt is closed and no item is open', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 6 }), fc.constantFrom('0', '1', '2', '3', '4'), (items, status) => {
        expect(isFinished(status, items)).toBe(status === '1' && items.every((it) => !isOpen(it)));
      }),
      tries(),
    );
  });

  it.each([
    ['1', '0', true],
    ['3', '1', true],
    ['1', '2', false],
    ['1', '3', false],
    ['1', '4', false],
    ['0', '0', false],
    ['2', '0', false],
  ])('has an open item at receive status %s and deliver status %s: %s', (receiveStatus, deliverStatus, open) => {
    expect(isOpen({ receiveStatus, deliverStatus, scrap: '0' })).toBe(open);
  });

  it('lets an item leave that is released and not paused', () => {
    const items = ['0', '1', '2', '3', '4', null].flatMap((deliverStatus) =>
      ['0', '1', '2', null].map((deliverPriority) => ({ deliverStatus, deliverPriority })),
    );
    expect(items.filter(mayLeave)).toEqual([
      { deliverStatus: '1', deliverPriority: '0' },
      { deliverStatus: '1', deliverPriority: '1' },
      { deliverStatus: '1', deliverPriority: null },
    ]);
  });
});

describe('the counts of a line', () => {
  it('are projections of its items', () => {
    expect(
      countsOf([
        { receiveStatus: '0', deliverStatus: '0', scrap: '0' },
        { receiveStatus: '1', deliverStatus: '2', scrap: '0' },
        { receiveStatus: '3', deliverStatus: '2', scrap: '1' },
        { receiveStatus: '1', deliverStatus: '3', scrap: '1' },
        { receiveStatus: '1', deliverStatus: '3', scrap: '0' },
        { receiveStatus: '1', deliverStatus: '4', scrap: '0' },
      ]),
    ).toEqual({ receiveCount: 5, deliverCount: 2, scrapCount: 2, discardCount: 1, buyOutCount: 1 });
  });

  it('never count an item as both discarded and scrapped', () => {
    fc.assert(
      fc.property(fc.array(item), (items) => {
        const { discardCount, scrapCount } = countsOf(items);
        expect(discardCount + scrapCount).toBeLessThanOrEqual(items.length);
      }),
      tries(),
    );
  });
});
