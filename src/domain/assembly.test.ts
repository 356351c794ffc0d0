import { describe, expect, it } from 'vitest';
import { boardCounts, ComponentType, isQrCode, qrCodeFor, slotsOf } from './assembly.ts';

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
