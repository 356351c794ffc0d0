import { describe, expect, it } from 'vitest';
import { Node } from '#domain/nodes.ts';
import type { GuardedUnit } from '#domain/workflow.ts';
import { shapeOf, validateChange, validateChangeable, validateNewForm } from './rules.change.ts';

const causes = ['1', '9'];
const change = { cause: '1', oldSn: 'OLD-1', newSn: 'NEW-1', remark: '' };
const found = (more: Partial<typeof change>) =>
  validateChange({ ...change, ...more }, causes).map(({ key, field }) => `${key} ${field}`);

describe('a change of SN', () => {
  it('asks for a cause, both SNs, and with another cause for a remark [S-CHG-01]', () => {
    expect(found({})).toEqual([]);
    expect(found({ cause: '', oldSn: '', newSn: '' })).toEqual(['required cause', 'required oldSn', 'required newSn']);
    expect(found({ cause: '9' })).toEqual(['required remark']);
    expect(found({ cause: '9', remark: 'asked for' })).toEqual([]);
    expect(found({ cause: '2' })).toEqual(['format cause']);
    expect(found({ newSn: 'A B' })).toEqual(['format newSn']);
    expect(found({ newSn: 'OLD-1' })).toEqual(['sameSn newSn']);
  });

  it('keeps the form of what is our own; what is not has any', () => {
    expect(validateNewForm('X'.repeat(17), '1')).toEqual([]);
    expect(validateNewForm('X'.repeat(16), '1')).toMatchObject([{ key: 'snLength', field: 'newSn' }]);
    expect(validateNewForm('X'.repeat(16), '4')).toEqual([]);
  });

  it('is not made on what is away, scrap, held or elsewhere; a part is where its device is', () => {
    const at = (more: Partial<GuardedUnit>): GuardedUnit => ({
      sn: 'U',
      siteId: 'SZ',
      ivyId: Node.AwaitingRepair,
      held: null,
      mtbId: null,
      billStatus: null,
      ...more,
    });
    const held = { kind: 'scrap' as const, billId: 'CKB1', since: 1, lineId: 1 };
    const why = (unit: GuardedUnit | undefined, carrier?: GuardedUnit) =>
      validateChangeable('U', { unit, carrier }, (siteId) => siteId === 'SZ', 'oldSn').map((it) => it.key);
    expect(why(at({}))).toEqual([]);
    expect(why(undefined)).toEqual([]);
    expect(why(at({ siteId: 'NB', ivyId: Node.Shipped }))).toEqual(['otherSite']);
    expect(why(at({ ivyId: Node.Shipped, held }))).toEqual(['shipped']);
    expect(why(at({ ivyId: Node.Scrapped, held }))).toEqual(['scrapped']);
    expect(why(at({ held }))).toEqual(['held']);
    const inside = at({ ivyId: null });
    expect(why(inside)).toEqual([]);
    expect(why(inside, at({ ivyId: Node.Shipped }))).toEqual(['shipped']);
    expect(why(undefined, at({ siteId: 'NB' }))).toEqual(['otherSite']);
    expect(why(at({}), at({ ivyId: Node.Shipped }))).toEqual([]);
  });

  it('knows the shape by the label, else by the type', () => {
    expect(shapeOf({ barcodeType: '3', type: '1' })).toBe('3');
    expect(shapeOf({ barcodeType: null, type: '1' })).toBe('2');
    expect(shapeOf({ barcodeType: null, type: '0' })).toBe('1');
  });
});
