import { describe, expect, it } from 'vitest';
import { ComponentType } from '#domain/assembly.ts';
import {
  componentTypeOf,
  problemsOfRepair,
  problemsOfReplacements,
  problemsOfSlots,
  repairTypeOf,
  type RepairRow,
} from './rules.ts';

const row: RepairRow = {
  sn: '',
  partsType: '7',
  repairMethod: '8',
  issueCodes: [1],
  slot: 'U1',
  spendItemCount: null,
  repairUrls: null,
  replaceSn: '',
};
const known = { partsTypes: ['7', '15'], repairMethods: ['2', '6', '8'] };
const NEW = 'NEWBOARD000000001';

describe('the repair of a device', () => {
  it('has at least one row [W-REP-15]', () => {
    expect(problemsOfRepair([], known)).toMatchObject([{ key: 'required', field: 'partsList' }]);
    expect(problemsOfRepair([row], known)).toEqual([]);
  });

  it('takes only board types and repair modes that exist', () => {
    const bad = problemsOfRepair([row, { ...row, partsType: '77', repairMethod: '0' }], known);
    expect(bad.map((it) => it.field)).toEqual(['partsList.1.partsType', 'partsList.1.repairMethod']);
  });

  it('puts a new part in once, and none that is there', () => {
    const replaced = { ...row, repairMethod: '2', replaceSn: NEW };
    expect(problemsOfReplacements('DEV1', [replaced])).toEqual([]);
    expect(problemsOfReplacements('DEV1', [replaced, replaced])).toMatchObject([{ field: 'partsList.1.replaceSn' }]);
    expect(problemsOfReplacements('DEV1', [{ ...replaced, sn: NEW }])).toMatchObject([{ key: 'duplicateSn' }]);
    expect(problemsOfReplacements(NEW, [replaced])).toMatchObject([{ key: 'duplicateSn' }]);
    const none = { ...replaced, replaceSn: 'XXXX' };
    expect(problemsOfReplacements('DEV1', [none, none])).toEqual([]);
  });

  it('refuses a slot that the part’s bill of material has not', () => {
    const slots = new Set(['U1', 'U2']);
    expect(problemsOfSlots({ ...row, slot: 'u1,U9' }, 2, slots)).toEqual([
      { key: 'slot', field: 'partsList.2.slot', args: { slot: 'U9' } },
    ]);
    expect(problemsOfSlots({ ...row, slot: 'U9' }, 2, null)).toEqual([]);
  });

  it('has a repair type for a stock machine alone, defective by default [W-REP-05]', () => {
    expect(repairTypeOf(true, '')).toEqual({ repairType: '2', problems: [] });
    expect(repairTypeOf(true, '3')).toEqual({ repairType: '3', problems: [] });
    expect(repairTypeOf(true, '4').problems).toMatchObject([{ key: 'format', field: 'repairType' }]);
    expect(repairTypeOf(false, '4')).toEqual({ repairType: null, problems: [] });
  });

  it('knows what a new part is by what it replaces', () => {
    expect(['2', '3', '7', '14'].map(componentTypeOf)).toEqual([
      ComponentType.Power,
      ComponentType.Controls,
      ComponentType.Board,
      ComponentType.Board,
    ]);
  });
});
