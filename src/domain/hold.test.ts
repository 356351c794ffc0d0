import { describe, expect, it } from 'vitest';
import { type Hold, isOfSite, validateNotHeld, validateNotOnBill } from '#domain/hold.ts';
import { validateItem, validateReturn } from '#domain/itemActions.ts';
import { Node, nodes } from '#domain/nodes.ts';
import { validateNewPart, validateOldPart } from '#domain/parts.ts';
import { steps, validateActivation, validateConfirmation, validateUnit } from '#domain/workflow.ts';

const held: Hold = { kind: 'transfer', billId: 'SKT1', since: 1, siteIds: ['SZ', 'NB'] };
const proposal: Hold = { kind: 'scrap', billId: 'CKB1', since: 1, lineId: 5 };
const unit = { sn: 'A1', siteId: 'SZ', held, mtbId: 'MTB1', billStatus: '2' };
const spokenFor = {
  key: 'spokenFor',
  args: { sn: 'A1', kind: { options: 'holdKinds', value: 'transfer' }, id: 'SKT1' },
};

describe('a unit that a bill speaks for', () => {
  it.each([null, ...nodes])('is refused by that bill before anything else, at node %s', (ivyId) => {
    const at = { ...unit, ivyId };
    for (const step of steps) {
      if (step === 'receive') continue;
      expect(validateUnit('A1', at, step, 'SZ'), step).toMatchObject([spokenFor]);
    }
    const activation = { isArchived: true, inside: 'D1', siteId: 'SZ' };
    expect(validateActivation('A1', at, activation)).toMatchObject([spokenFor]);
    const word = { step: 'scrapConfirm', ckbId: 'CKB1', isOurs: true } as const;
    expect(validateConfirmation('A1', at, word)).toMatchObject([spokenFor]);
    const item = { mtbliId: 'I1', mtbId: 'MTB1', billStatus: '2', receiveSn: 'A1', receiveStatus: '1' };
    const left = { ...item, deliverStatus: '2', scrap: '1', unit: at };
    expect(validateItem(left, 'SZ', 'sn')).toMatchObject([spokenFor]);
    const said = { mtbliId: 'I1', mtbId: 'MTB1', siteId: 'SZ', latest: null };
    expect(validateReturn({ ...at, mtbliId: 'I1' }, left, said, 'sn')).toMatchObject([spokenFor]);
  });

  it.each([null, Node.CanShip])('is no part of another device, at node %s', (ivyId) => {
    const part = { type: '1', siteId: 'SZ', ivyId, held, isBound: false };
    expect(validateNewPart('A1', part, 'SZ', 'x')).toMatchObject([spokenFor]);
    expect(validateOldPart('A1', part, { sn: 'D1', siteId: 'SZ' }, 'x')).toMatchObject([spokenFor]);
    expect(validateNewPart('A1', part, 'US', 'x')).toMatchObject([{ key: 'otherSite' }]);
  });

  it('is known to both sites of that bill, and to no third one', () => {
    const transit = { ...unit, ivyId: null };
    expect(['SZ', 'NB', 'US'].map((it) => isOfSite(transit, it))).toEqual([true, true, false]);
    const keys = (siteId: string) => validateUnit('A1', transit, 'store', siteId).map((it) => it.key);
    expect([keys('NB'), keys('US')]).toEqual([['spokenFor'], ['otherSite']]);
    const activated = validateActivation('A1', transit, { isArchived: true, inside: null, siteId: 'US' });
    expect(activated).toMatchObject([{ key: 'otherSite' }]);
  });
});

describe('a proposal', () => {
  it('speaks for its unit as its check, and is no matter of another site', () => {
    const waiting = { ...unit, held: proposal };
    expect(validateNotHeld(waiting, 'sn')).toMatchObject([{ key: 'held', args: { sn: 'A1', ckbId: 'CKB1' } }]);
    expect(validateNotOnBill(waiting, 'sn')).toEqual([]);
    expect(isOfSite(waiting, 'NB')).toBe(false);
  });
});
