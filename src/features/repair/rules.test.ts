import { describe, expect, it } from 'vitest';
import { ComponentType } from '#domain/assembly.ts';
import { validateRepair, validateSlots, type RepairRow } from '#domain/repairRecord.ts';
import {
  componentTypeOf,
  habitsAfter,
  noHabits,
  findOnlyPart,
  findPartsType,
  validateReplacements,
  proposeRecord,
  repairTypeOf,
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
    expect(validateRepair([], known)).toMatchObject([{ key: 'required', field: 'partsList' }]);
    expect(validateRepair([row], known)).toEqual([]);
  });

  it('takes only board types and repair modes that exist', () => {
    const bad = validateRepair([row, { ...row, partsType: '77', repairMethod: '0' }], known);
    expect(bad.map((it) => it.field)).toEqual(['partsList.1.partsType', 'partsList.1.repairMethod']);
  });

  it('puts a new part in once, and none that is there', () => {
    const replaced = { ...row, repairMethod: '2', replaceSn: NEW };
    expect(validateReplacements('DEV1', [replaced])).toEqual([]);
    expect(validateReplacements('DEV1', [replaced, replaced])).toMatchObject([{ field: 'partsList.1.replaceSn' }]);
    expect(validateReplacements('DEV1', [{ ...replaced, sn: NEW }])).toMatchObject([{ key: 'duplicateSn' }]);
    expect(validateReplacements(NEW, [replaced])).toMatchObject([{ key: 'duplicateSn' }]);
    const none = { ...replaced, replaceSn: 'XXXX' };
    expect(validateReplacements('DEV1', [none, none])).toEqual([]);
  });

  it('refuses a slot that the part’s bill of material has not', () => {
    const slots = new Set(['U1', 'U2']);
    expect(validateSlots({ ...row, slot: 'u1,U9' }, 2, slots)).toEqual([
      { key: 'slot', field: 'partsList.2.slot', args: { slot: 'U9' } },
    ]);
    expect(validateSlots({ ...row, slot: 'U9' }, 2, null)).toEqual([]);
  });

  it('takes a repair type for a stock machine alone; it is defective by default [W-REP-05]', () => {
    expect(repairTypeOf(true, '')).toEqual({ repairType: '2', problems: [] });
    expect(repairTypeOf(true, '3')).toEqual({ repairType: '3', problems: [] });
    expect(repairTypeOf(true, '4').problems).toMatchObject([{ key: 'format', field: 'repairType' }]);
    expect(repairTypeOf(false, '4')).toEqual({ repairType: '2', problems: [] });
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

describe('the record that is proposed', () => {
  const [fx57, fx18] = [
    { codeId: 1, code: 'FX57' },
    { codeId: 2, code: 'FX18' },
  ];
  const device = { type: '0', salesCode: 'RX19', found: [fx57, fx18, fx57] };

  it('names what the tests found, once, on the device itself, repaired as such a code was last', () => {
    expect(proposeRecord(device, [], noHabits)).toEqual({ codes: [fx57, fx18], partsType: '1', repairMethod: '' });
    const welded = habitsAfter(noHabits, { partsType: '7', repairMethod: '8', codes: [fx18] }, null);
    expect(proposeRecord(device, [], welded)?.repairMethod).toBe('8');
    const replaced = habitsAfter(welded, { partsType: '7', repairMethod: '2', codes: [fx18] }, null);
    expect(proposeRecord(device, [], replaced)?.repairMethod).toBe('2');
  });

  it('leaves out what a record names, and is none when all is named', () => {
    expect(proposeRecord(device, [{ codes: [fx57] }], noHabits)?.codes).toEqual([fx18]);
    expect(proposeRecord(device, [{ codes: [fx57, fx18] }], noHabits)).toBeUndefined();
  });

  it('takes a board for what one of its model was recorded as last', () => {
    const board = { ...device, type: '1', salesCode: 'HB19' };
    const habits = habitsAfter(noHabits, { partsType: '7', repairMethod: '8', codes: [fx57] }, 'HB19');
    expect(proposeRecord(board, [], noHabits)?.partsType).toBe('');
    expect(proposeRecord(board, [], habits)?.partsType).toBe('7');
  });

  it('remembers no more codes than a technician meets', () => {
    let habits = noHabits;
    for (let i = 0; i < 300; i++) {
      habits = habitsAfter(habits, { partsType: '7', repairMethod: '8', codes: [{ code: `C${i}` }] }, null);
    }
    expect(Object.keys(habits.methods)).toHaveLength(200);
    expect(habits.methods).toHaveProperty('C299');
  });
});

describe('a part of a device', () => {
  const bound = [
    { componentType: ComponentType.Power, componentSn: 'P1' },
    { componentType: ComponentType.Board, componentSn: 'B1' },
    { componentType: ComponentType.Board, componentSn: 'B2' },
  ];

  it('says which type of board it is', () => {
    expect(['P1', 'B1', 'B2', 'X'].map((it) => findPartsType(bound, it))).toEqual(['2', '7', '8', undefined]);
  });

  it('is meant by its type where it is the only one of its kind', () => {
    expect(['1', '2', '3', '7', '15'].map((it) => findOnlyPart(bound, it))).toEqual([
      undefined,
      'P1',
      undefined,
      undefined,
      undefined,
    ]);
    expect(findOnlyPart(bound.slice(0, 2), '7')).toBe('B1');
  });
});
