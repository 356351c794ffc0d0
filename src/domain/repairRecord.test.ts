import { describe, expect, it } from 'vitest';
import { needsReplaceSn, validateRecord, RepairMethod, spendCountOf, type RepairRecord } from './repairRecord.ts';
import { parseSlots } from './slots.ts';

const whole: RepairRecord = {
  partsType: '7',
  repairMethod: RepairMethod.Welding,
  issueCodes: [1],
  slot: 'U1',
  spendItemCount: 1,
  repairUrls: null,
  replaceSn: '',
};
const fieldsOf = (change: Partial<RepairRecord>) =>
  validateRecord({ ...whole, ...change }).map((it) => `${it.key} ${it.field}`);
const methods = Object.values(RepairMethod);

describe('a row of a repair', () => {
  it('is whole', () => expect(fieldsOf({})).toEqual([]));

  it.each([
    [{ partsType: '' }, 'partsType'],
    [{ repairMethod: '' }, 'repairMethod'],
    [{ issueCodes: [] }, 'issueCodeIdList'],
  ])('needs its board type, repair mode and issue codes: %j [W-REP-08]', (change, field) => {
    expect(fieldsOf(change)).toEqual([`required ${field}`]);
  });

  it('needs a slot unless its board type is 15 [W-REP-09]', () => {
    expect(fieldsOf({ slot: ' , ，' })).toEqual(['required slot']);
    expect(fieldsOf({ slot: '', partsType: '15' })).toEqual([]);
    const others = ['1', '2', '6', '10', '14', '5'];
    expect(others.map((partsType) => fieldsOf({ slot: '', partsType }))).toEqual(others.map(() => ['required slot']));
  });

  it('carries at most 4 pictures [W-REP-10]', () => {
    const urls = (n: number) => Array.from({ length: n }, (_, i) => `/file/${i}`).join('##');
    expect(fieldsOf({ repairUrls: urls(4) })).toEqual([]);
    expect(fieldsOf({ repairUrls: urls(5) })).toEqual(['images repairUrls']);
  });

  it('names the part that was put in for modes 2 and 6 alone [W-REP-11]', () => {
    expect(methods.filter(needsReplaceSn)).toEqual(['2', '6']);
    expect(methods.filter((repairMethod) => fieldsOf({ repairMethod }).includes('required replaceSn'))).toEqual([
      '2',
      '6',
    ]);
  });

  it.each([
    ['ABCDEFGH123456789', true],
    ['XXXX', true],
    [' xxxx ', true],
    ['ABCDEFGH12345678', false],
    ['ABCDEFGH1234567890', false],
    ['XXX', false],
    ['ABCDEFGH 23456789', false],
  ])('takes a replace SN of 17 characters, or XXXX: %s [W-REP-12]', (replaceSn, isGood) => {
    expect(fieldsOf({ repairMethod: '2', replaceSn })).toEqual(isGood ? [] : ['replaceSn replaceSn']);
  });

  it('counts its slots for modes 2 and 3, whatever count was sent [W-REP-13]', () => {
    const counts = methods.map((repairMethod) => [
      repairMethod,
      spendCountOf({ repairMethod, slot: 'u1，U2, ,U3', spendItemCount: 9 }),
    ]);
    expect(Object.fromEntries(counts)).toEqual({
      ...Object.fromEntries(methods.map((it) => [it, 9])),
      2: 3,
      3: 3,
    });
  });

  it('reads slots in upper case, parted by commas of either width', () => {
    expect(parseSlots(' u1，U2 ,, u3、U4')).toEqual(['U1', 'U2', 'U3', 'U4']);
  });

  it('spends no more pieces than anybody counts', () => {
    expect(fieldsOf({ spendItemCount: 100_000 })).toEqual([]);
    expect([100_001, 2 ** 31, 1e300].map((spendItemCount) => fieldsOf({ spendItemCount }))).toEqual(
      Array.from({ length: 3 }, () => ['atMost spendItemCount']),
    );
    expect(fieldsOf({ spendItemCount: 1e300, repairMethod: RepairMethod.ChangeSlot })).toEqual([]);
  });

  it.each([0, -1, 1.5])('spends at least one piece, and whole ones: %d', (spendItemCount) => {
    expect(fieldsOf({ spendItemCount })).toEqual(['format spendItemCount']);
  });

  it('says all that is wrong, each at its field', () => {
    const bad = { ...whole, partsType: '', issueCodes: [], slot: '' };
    expect(validateRecord(bad, 'partsList.3.').map((it) => it.field)).toEqual([
      'partsList.3.partsType',
      'partsList.3.issueCodeIdList',
      'partsList.3.slot',
    ]);
  });
});
