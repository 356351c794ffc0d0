import { NO_PART, normaliseSn } from '#domain/sn.ts';

/** What a part of a device is. Spec 2 §3, §9. */
export const ComponentType = { Power: 'COIT000000S1', Controls: 'COIT000000RZ', Board: 'COIT000000S0' } as const;
export type ComponentType = (typeof ComponentType)[keyof typeof ComponentType];

/** How many computing boards a device may have. Spec 2 §9. */
export const boardCounts = [1, 2, 3, 4, 8] as const;
export const BOARD_COUNT = 4;

export interface Slot {
  /** `power`, `controls`, `board1` … */
  name: string;
  componentType: ComponentType;
  hasQrCode: boolean;
}

/** The positions of a device with so many computing boards: power, controls, then the boards. Spec 2 §2. */
export const slotsOf = (boards: number): Slot[] => [
  { name: 'power', componentType: ComponentType.Power, hasQrCode: false },
  { name: 'controls', componentType: ComponentType.Controls, hasQrCode: false },
  ...Array.from({ length: boards }, (_, i) => ({
    name: `board${i + 1}`,
    componentType: ComponentType.Board,
    hasQrCode: true,
  })),
];

const qrCodeLengths = [17, 25, 28];

/** A QR code as it is kept: full-width letters made plain, trimmed, upper-cased, as an SN is. */
export const normaliseQrCode = normaliseSn;

/** A computing board's QR code is 17, 25 or 28 characters long, or XXXX. Spec 2 §5 Assemble. */
export const isQrCode = (text: string): boolean => text === NO_PART || qrCodeLengths.includes(text.length);

/** XXXX stands for a board that is not there; its QR code is then XXXX too. Spec 2 §5 Assemble. */
export const qrCodeFor = (sn: string, qrCode: string): string => (sn === NO_PART ? NO_PART : qrCode);
