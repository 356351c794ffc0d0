import { describe, expect, it } from 'vitest';
import {
  boardCounts,
  ComponentType,
  isQrCode,
  lacksParts,
  partOf,
  validateDevice,
  validateParts,
  qrCodeFor,
  slotsOf,
  type EnteredPart,
} from './assembly.ts';

describe('the positions of a device', () => {
  it('are a power, a controls and as many boards as were chosen', () => {
    expect(boardCounts.map((it) => slotsOf(it).length)).toEqual([3, 4, 5, 6, 10]);
    expect(slotsOf(2).map((it) => [it.name, it.componentType, it.hasQrCode])).toEqual([
      ['power', ComponentType.Power, false],
      ['controls', ComponentType.Controls, false],
      ['board1', ComponentType.Board, true],
      ['board2', ComponentType.Board, true],
    ]);
  });

  it('send the type codes of the specification [W-ENU-11]', () => {
    expect(ComponentType).toEqual({ Power: 'COIT000000S1', Controls: 'COIT000000RZ', Board: 'COIT000000S0' });
  });
});

describe('a QR code', () => {
  it('has 17, 25 or 28 characters, or is XXXX [W-ASM-10]', () => {
    const lengths = Array.from({ length: 40 }, (_, i) => i).filter((n) => isQrCode('Q'.repeat(n)));
    expect(lengths).toEqual([17, 25, 28]);
    expect([isQrCode('XXXX'), isQrCode('XXX')]).toEqual([true, false]);
  });

  it('of a board that is not there is XXXX', () => {
    expect([qrCodeFor('XXXX', ''), qrCodeFor('B1', 'Q')]).toEqual(['XXXX', 'Q']);
  });
});

const QR = 'Q'.repeat(17);
const device = (boards: number): EnteredPart[] =>
  slotsOf(boards).map(({ name, componentType, hasQrCode }) => partOf(name, componentType, hasQrCode ? QR : ''));
const changed = (index: number, change: Partial<EnteredPart>) =>
  device(4).map((it, i) => (i === index ? { ...it, ...change } : it));
const keys = (parts: EnteredPart[]) => validateParts('DEV1', parts).map((it) => `${it.key} ${it.field}`);

describe('an assembly', () => {
  it.each(boardCounts)('has a power, a controls and %d computing boards', (boards) => {
    expect(keys(device(boards))).toEqual([]);
  });

  it('has 1, 2, 3, 4 or 8 computing boards and no other number', () => {
    const numbers = Array.from({ length: 11 }, (_, n) => n).filter((n) => keys(device(n)).length === 0);
    expect(numbers).toEqual([1, 2, 3, 4, 8]);
  });

  it('refuses a set that is not whole', () => {
    expect(keys(device(4).slice(1))).toEqual(['format partsList']);
    expect(keys([...device(4), partOf('P2', ComponentType.Power, '')])).toEqual(['format partsList']);
    expect(keys(changed(0, { componentType: 'COIT' }))).toEqual(['format partsList']);
    expect(keys([])).toEqual(['required partsList']);
  });

  it('needs every part SN [W-ASM-09]', () => {
    for (const index of [0, 1, 2, 5]) {
      expect(keys(changed(index, { sn: '' }))).toEqual([`required partsList.${index}.sn`]);
    }
  });

  it('takes a QR code of 17, 25 or 28 characters for a board [W-ASM-10]', () => {
    const lengths = Array.from({ length: 40 }, (_, n) => n).filter(
      (n) => keys(changed(3, { qrCodeNum: 'Q'.repeat(n) })).length === 0,
    );
    expect(lengths).toEqual([17, 25, 28]);
    expect(keys(changed(3, { qrCodeNum: '' }))).toEqual(['qrCodeIllegal partsList.3.qrCodeNum']);
  });

  it('asks power and controls for no QR code', () => {
    expect(keys(changed(0, { qrCodeNum: '' }))).toEqual([]);
  });

  it('refuses a part that stands twice, or is the device; XXXX may repeat [W-ASM-12]', () => {
    expect(keys(changed(4, { sn: 'BOARD1' }))).toEqual(['duplicateSn partsList.4.sn']);
    expect(keys(changed(1, { sn: 'DEV1' }))).toEqual(['duplicateSn partsList.1.sn']);
    const gaps = device(4).map((it) => partOf('xxxx', it.componentType, ''));
    expect(keys(gaps)).toEqual([]);
  });

  it('gives a board XXXX the QR code XXXX, and a part its SN as it is kept', () => {
    expect(partOf(' xxxx ', ComponentType.Board, '')).toEqual({
      sn: 'XXXX',
      componentType: ComponentType.Board,
      qrCodeNum: 'XXXX',
    });
    expect(partOf('ｐ１', ComponentType.Power, 'ignored')).toMatchObject({ sn: 'P1', qrCodeNum: '' });
  });

  it('is for devices', () => {
    expect([validateDevice('0', 'A'), validateDevice('1', 'A')]).toMatchObject([[], [{ key: 'isBoard' }]]);
    expect([lacksParts('0', 0), lacksParts('0', 1), lacksParts('1', 0)]).toEqual([true, false, false]);
  });
});
