import { describe, expect, it } from 'vitest';
import { ComponentType } from '#domain/assembly.ts';
import { Node } from '#domain/nodes.ts';
import type { Problem } from '#domain/refusal.ts';
import { RepairMethod } from '#domain/repairRecord.ts';
import type { GuardedUnit } from '#domain/workflow.ts';
import {
  partsAfter,
  validateKinds,
  validatePartsOfVisit,
  validateVisit,
  validateVisitBill,
  validateVisitDevice,
  validateVisitParts,
  validateVisitRow,
  visitCountOf,
  visitPartOf,
  visitPartsTypes,
  visitSlots,
  visitSlotsOf,
  type VisitRow,
} from './rules.ts';

const row: VisitRow = {
  sn: 'HB0001',
  partsType: '7',
  repairMethod: '8',
  codes: [1],
  slot: 'U1',
  spendItemCount: 1,
  urls: [],
};
const methods: readonly string[] = Object.values(RepairMethod);
const says = (problems: readonly Problem[]) => problems.map((it) => [it.field, it.key]);
const ofRow = (more: Partial<VisitRow>, slots: ReadonlySet<string> | null = null) =>
  says(validateVisitRow({ ...row, ...more }, { repairMethods: methods, slots }));

describe('a record of a visit', () => {
  it('has the SN of its part, its kind, a code, a method and a slot [S-OSR-15]', () => {
    expect(ofRow({})).toEqual([]);
    const empty = { sn: ' ', partsType: '', repairMethod: '', codes: [], slot: ' , ' };
    expect(ofRow(empty)).toEqual([
      ['partsType', 'required'],
      ['repairMethod', 'required'],
      ['slot', 'required'],
      ['issueCodeIdList', 'required'],
      ['sn', 'required'],
    ]);
    for (const [name, value] of Object.entries(empty)) expect(ofRow({ [name]: value })).toHaveLength(1);
  });

  it('is of one of the ten kinds of parts [S-OSR-11]', () => {
    expect(visitPartsTypes).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
    for (const partsType of visitPartsTypes) expect(ofRow({ partsType })).toEqual([]);
    for (const partsType of ['0', '11', '15', '01']) expect(ofRow({ partsType })).toEqual([['partsType', 'format']]);
    // The kind that needs no slot in the workshop is none here.
    expect(ofRow({ partsType: '15', slot: '' })).toEqual([
      ['partsType', 'format'],
      ['slot', 'required'],
    ]);
  });

  it('has one of the twelve methods or the other one, or of those that are offered beside them [S-OSR-12]', () => {
    expect(methods.toSorted((a, b) => Number(a) - Number(b))).toEqual([
      ...['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12'],
      '99',
    ]);
    for (const repairMethod of methods) expect(ofRow({ repairMethod })).toEqual([]);
    expect(ofRow({ repairMethod: '13' })).toEqual([['repairMethod', 'format']]);
    const known = { repairMethods: [...methods, '13'], slots: null };
    expect(validateVisitRow({ ...row, repairMethod: '13' }, known)).toEqual([]);
  });

  it('counts the slots where they are replaced or changed, each once [S-OSR-17]', () => {
    const count = (repairMethod: string, slot: string) => visitCountOf({ repairMethod, slot, spendItemCount: 9 });
    expect(visitSlotsOf(' u1,U2、u1,, U3')).toEqual(['U1', 'U2', 'U3']);
    for (const method of ['2', '3']) {
      expect([count(method, 'U1'), count(method, 'U1,U2，U3'), count(method, 'U1,u1'), count(method, '')]).toEqual([
        1, 3, 1, 0,
      ]);
    }
    for (const method of methods.filter((it) => it !== '2' && it !== '3')) expect(count(method, 'U1,U2')).toBe(9);
  });

  it('spends at least one piece, one where nothing was entered [S-OSR-18]', () => {
    expect(visitCountOf({ repairMethod: '8', slot: 'U1', spendItemCount: null })).toBe(1);
    for (const count of [0, -1, 1.5]) expect(ofRow({ spendItemCount: count })).toEqual([['spendItemCount', 'format']]);
    expect(ofRow({ spendItemCount: 100_001 })).toEqual([['spendItemCount', 'atMost']]);
    expect(ofRow({ repairMethod: '2', spendItemCount: 0 })).toEqual([]);
    expect(ofRow({ repairMethod: '2', slot: '', spendItemCount: 4 })).toEqual([['slot', 'required']]);
  });

  it('of a veneer has slots of the bill of material that was chosen [S-OSR-23]', () => {
    const known = new Set(['U1', 'U2']);
    expect(ofRow({ slot: 'u1,U2' }, known)).toEqual([]);
    expect(ofRow({ slot: 'U1,U9' }, known)).toEqual([['slot', 'slot']]);
    expect(ofRow({ slot: 'U1' }, new Set())).toEqual([['slot', 'slot']]);
  });

  it('has at most three pictures', () => {
    expect(ofRow({ urls: ['a', 'b', 'c'] })).toEqual([]);
    expect(ofRow({ urls: 'a##b##c##d' })).toEqual([['repairUrls', 'images']]);
  });
});

describe('the parts of a device', () => {
  const qr = (length: number) => 'Q'.repeat(length);
  const found = (parts: Parameters<typeof validateVisitParts>[1]) => says(validateVisitParts('RX0001', parts));

  it('are a power, controls and four computing boards by their codes [S-OSR-20]', () => {
    expect(visitSlots.map((it) => [it.name, it.componentType])).toEqual([
      ['power', 'COIT000000S1'],
      ['controls', 'COIT000000RZ'],
      ['board1', 'COIT000000S0'],
      ['board2', 'COIT000000S0'],
      ['board3', 'COIT000000S0'],
      ['board4', 'COIT000000S0'],
    ]);
    const five = Array.from({ length: 5 }, () => visitPartOf('HB', ComponentType.Board, ''));
    expect(says(validateKinds(five, (i) => String(i)))).toEqual([['4', 'format']]);
    expect(says(validateKinds([visitPartOf('X', 'COIT000000XX', '')], (i) => String(i)))).toEqual([['0', 'format']]);
  });

  it('have QR code numbers of 17, 25 or 28 characters, and XXXX for a computing board alone [S-OSR-21]', () => {
    for (const length of [17, 25, 28]) {
      for (const { name } of visitSlots) expect(found({ [name]: { sn: 'P1', qrCode: qr(length) } })).toEqual([]);
    }
    for (const length of [1, 4, 16, 18, 24, 26, 27, 29]) {
      expect(found({ board2: { sn: 'P1', qrCode: qr(length) } })).toEqual([['board2.qrCode', 'qrCodeIllegal']]);
    }
    expect(found({ board1: { sn: 'P1', qrCode: 'xxxx' } })).toEqual([]);
    expect(found({ power: { sn: 'P1', qrCode: 'XXXX' } })).toEqual([['power.qrCode', 'qrCodeIllegal']]);
    expect(found({ controls: { sn: 'XXXX', qrCode: qr(17) } })).toEqual([['controls.sn', 'required']]);
  });

  it('have XXXX as the QR code number of a board that is XXXX [S-OSR-22]', () => {
    const part = (type: string) => visitPartOf('xxxx', type, qr(17));
    expect(part(ComponentType.Board)).toMatchObject({ sn: 'XXXX', qrCodeNum: 'XXXX' });
    expect(part(ComponentType.Power)).toMatchObject({ qrCodeNum: qr(17) });
    const gone = { sn: 'XXXX', qrCode: '' };
    expect(found({ board1: gone, board2: gone })).toEqual([]);
  });

  it('may be left out; an SN needs its number, a number its SN, and none stands twice', () => {
    expect(found({})).toEqual([]);
    expect(found({ power: { sn: 'P1', qrCode: '' }, board1: { sn: '', qrCode: qr(17) } })).toEqual([
      ['power.qrCode', 'required'],
      ['board1.sn', 'required'],
    ]);
    const twice = { sn: 'P1', qrCode: qr(17) };
    expect(found({ power: twice, board1: twice })).toEqual([
      ['power.sn', 'duplicateSn'],
      ['board1.sn', 'duplicateSn'],
    ]);
    expect(found({ board1: { sn: 'rx0001', qrCode: qr(17) } })).toEqual([['board1.sn', 'duplicateSn']]);
    expect(found({ board1: { sn: 'A/B', qrCode: qr(17) } })).toEqual([['board1.sn', 'format']]);
    const field = (i: number, what: string) => `list.${i}.${what}`;
    expect(says(validatePartsOfVisit('RX1', [visitPartOf('P1', ComponentType.Power, '')], field))).toEqual([
      ['list.0.qrCode', 'required'],
    ]);
  });

  it('take the place of what was there, and leave the others', () => {
    const { Power, Board } = ComponentType;
    const bound = ['PW', 'B1', 'B2', 'B3'].map((sn) => ({
      sn,
      componentType: sn === 'PW' ? Power : Board,
      qrCodeNum: null,
    }));
    const after = (...entered: [name: string, sn: string][]) =>
      partsAfter(
        bound,
        entered.map(([name, sn]) => ({ name, ...visitPartOf(sn, name === 'power' ? Power : Board, qr(17)) })),
      ).map((it) => it.sn);
    expect(after(['board2', 'N2'])).toEqual(['PW', 'B1', 'N2', 'B3']);
    expect(after(['power', 'NP'], ['board4', 'N4'])).toEqual(['NP', 'B1', 'B2', 'B3', 'N4']);
    expect(after(['board1', 'B2'], ['board2', 'B1'])).toEqual(['PW', 'B2', 'B1', 'B3']);
    expect(after(['board1', 'B3'])).toEqual(['PW', 'B3', 'B2']);
    expect(after(['', 'N1'], ['', 'N2'])).toEqual(['PW', 'N1', 'N2', 'B3']);
  });
});

it('a submit has an order, a device, a code that was found and a record', () => {
  expect(validateVisit({ mtbId: 'MTB1', sn: 'RX1', checkCodes: 1, rows: 1 })).toEqual([]);
  expect(says(validateVisit({ mtbId: '', sn: '', checkCodes: 0, rows: 0 }))).toEqual([
    ['mtbId', 'required'],
    ['productSn', 'required'],
    ['checkIssueCodeIdList', 'required'],
    ['repairInfoList', 'required'],
  ]);
});

it('an order is open while it is awaited, received or received later', () => {
  const of = (billStatus: string, billType: string | null = null) =>
    validateVisitBill({ mtbId: 'MTB1', billStatus, billType }).map((it) => it.key);
  expect(['0', '1', '4'].map((it) => of(it))).toEqual([[], [], []]);
  expect([of('2'), of('3'), of('1', '9')]).toEqual([['billFinished'], ['billState'], ['ownGoodsApart']]);
});

describe('the device of an order', () => {
  const known = { type: '0', salesCode: 'RX19', name: 'RX19 104T', itemId: 1 };
  const unit: GuardedUnit = {
    ...{ sn: 'RX1', siteId: 'SZ', ivyId: Node.Shipped, held: null, mtbId: 'MTB0', billStatus: '2' },
  };
  const place = { isNamed: false, isRepaired: false, declared: 0, taken: 0 };
  const of = (it: Partial<GuardedUnit> | undefined, at: Partial<typeof place> = { isNamed: true }, type = '0') =>
    validateVisitDevice('RX1', { ...known, type }, it && { ...unit, ...it }, {
      mtbId: 'MTB1',
      siteId: 'SZ',
      place: { ...place, ...at },
    }).map((problem) => problem.key);

  it('is one that it names, or of a model of which it has an open count', () => {
    expect(of(undefined)).toEqual([]);
    expect(of({}, {})).toEqual(['notOfVisit']);
    expect(of({}, { declared: 2, taken: 1 })).toEqual([]);
    expect(of({}, { declared: 2, taken: 2 })).toEqual(['notOfVisit']);
    expect(of({ mtbId: 'MTB1' }, {})).toEqual([]);
    expect(of({}, { isNamed: true }, '1')).toEqual(['isBoard']);
    expect(of({}, { isNamed: true, isRepaired: true })).toEqual(['repairedOnSite']);
  });

  it('is with its customer', () => {
    expect(of({ siteId: 'NB' })).toEqual([]);
    expect(of({ ivyId: null, siteId: 'NB' })).toEqual([]);
    expect(of({ ivyId: Node.AwaitingRepair })).toEqual(['wrongNode']);
    expect(of({ ivyId: Node.Scrapped })).toEqual(['scrapped']);
    expect(of({ ivyId: Node.AwaitingRepair, siteId: 'NB' })).toEqual(['otherSite']);
    const held = { kind: 'transfer' as const, billId: 'SKT1', since: 0, siteIds: ['SZ'] };
    expect(of({ ivyId: null, held })).toEqual(['spokenFor']);
    expect(of({ ivyId: null, siteId: 'NB', held: { ...held, siteIds: ['NB'] } })).toEqual(['otherSite']);
  });
});
