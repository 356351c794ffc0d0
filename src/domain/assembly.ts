import { GoodsType } from '#domain/enums.ts';
import type { Problem } from '#domain/refusal.ts';
import { isSn, NO_PART, normaliseNo, normaliseSn, repeatedSns } from '#domain/sn.ts';

/** What a part of a device is. Rule: assembling#positions. */
export const ComponentType = { Power: 'COIT000000S1', Controls: 'COIT000000RZ', Board: 'COIT000000S0' } as const;
export type ComponentType = (typeof ComponentType)[keyof typeof ComponentType];

/** How many computing boards a device may have. Rule: assembling#positions. */
export const boardCounts = [1, 2, 3, 4, 8] as const;
export const BOARD_COUNT = 4;

export interface Slot {
  /** `power`, `controls`, `board1` … */
  name: string;
  componentType: ComponentType;
  hasQrCode: boolean;
}

/**
 * The positions of a device with so many computing boards: power, controls, then the boards.
 * Rule: assembling#positions.
 */
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

/** A QR code as it is kept: full-width letters made plain, trimmed, upper-cased, as a number is. */
export const normaliseQrCode = normaliseNo;

/** A computing board's QR code is 17, 25 or 28 characters long, or XXXX. Rule: assembling#qr-codes. */
export const isQrCode = (text: string): boolean => text === NO_PART || qrCodeLengths.includes(text.length);

/** XXXX stands for a board that is not there; its QR code is then XXXX too. Rule: assembling#sns. */
export const qrCodeFor = (sn: string, qrCode: string): string => (sn === NO_PART ? NO_PART : qrCode);

/** A part as it is entered, SNs normalised. */
export interface EnteredPart {
  sn: string;
  componentType: string;
  qrCodeNum: string;
}

/** A part as it is kept: SNs normalised, XXXX as the QR code of a board that is not there. */
export const partOf = (sn: string, componentType: string, qrCodeNum: string): EnteredPart => ({
  sn: normaliseSn(sn),
  componentType,
  qrCodeNum: componentType === ComponentType.Board ? qrCodeFor(normaliseSn(sn), normaliseQrCode(qrCodeNum)) : '',
});

/**
 * A device has one power, one controls and 1, 2, 3, 4 or 8 computing boards; each has an SN of its own (XXXX may
 * repeat), each board a QR code. Rule: assembling#positions.
 */
export function validateParts(deviceSn: string, parts: readonly EnteredPart[]): Problem[] {
  const at = (i: number, name: string) => `partsList.${i}.${name}`;
  const label = (field: string) => ({ module: 'rmaAssembleBillLine', field });
  const empty = parts.flatMap(({ sn }, i): Problem[] =>
    sn === '' ? [{ key: 'required', field: at(i, 'sn'), args: { fields: [label('sn')] } }] : [],
  );
  if (parts.length === 0) return [{ key: 'required', field: 'partsList', args: { fields: [label('sn')] } }];
  if (empty.length > 0) return empty;
  const problems = parts.flatMap((part, i): Problem[] => [
    ...(isSn(part.sn) ? [] : [{ key: 'format' as const, field: at(i, 'sn'), args: { field: label('sn') } }]),
    ...(part.componentType !== ComponentType.Board || isQrCode(part.qrCodeNum)
      ? []
      : [{ key: 'qrCodeIllegal' as const, field: at(i, 'qrCodeNum') }]),
  ]);
  const repeated = new Set(repeatedSns([deviceSn, ...parts.map((it) => it.sn)]));
  const twice = parts.findLastIndex((it) => repeated.has(it.sn));
  const sn = parts[twice]?.sn ?? '';
  if (twice >= 0) problems.push({ key: 'duplicateSn', field: at(twice, 'sn'), args: { sn } });
  return [...problems, ...validatePartSet(parts)];
}

/**
 * What is wrong with what was entered at one position, beside the others; of an empty one nothing is said yet.
 * Rule: assembling#judging.
 */
export function validatePosition(
  deviceSn: string,
  parts: readonly EnteredPart[],
  i: number,
  name: 'sn' | 'qrCodeNum',
): Problem[] {
  const { sn = '', qrCodeNum = '' } = parts[i] ?? {};
  if (name === 'qrCodeNum') {
    return qrCodeNum === '' || isQrCode(qrCodeNum) ? [] : [{ key: 'qrCodeIllegal', field: name }];
  }
  if (sn === '') return [];
  if (!isSn(sn)) {
    return [{ key: 'format', field: name, args: { field: { module: 'rmaAssembleBillLine', field: 'sn' } } }];
  }
  const others = [deviceSn, ...parts.filter((_, other) => other !== i).map((it) => it.sn)];
  return repeatedSns([sn, ...new Set(others)]).includes(sn) ? [{ key: 'duplicateSn', field: name, args: { sn } }] : [];
}

function validatePartSet(parts: readonly EnteredPart[]): Problem[] {
  const number = (type: string) => parts.filter((it) => it.componentType === type).length;
  const boards = number(ComponentType.Board);
  const isWhole =
    number(ComponentType.Power) === 1 &&
    number(ComponentType.Controls) === 1 &&
    boardCounts.some((it) => it === boards) &&
    parts.length === boards + 2;
  const args = { field: { module: 'rmaAssembleBillLine', field: 'componentType' } };
  return isWhole ? [] : [{ key: 'format', field: 'partsList', args }];
}

/** A device of which no part is known is made up before it leaves. Rule: assembling#make-up. */
export const lacksParts = (type: string, bound: number): boolean => type === GoodsType.Device && bound === 0;

/** Only devices are put together. Rule: events#e17, events#e27. */
export const validateDevice = (type: string, sn: string): Problem[] =>
  type === GoodsType.Device ? [] : [{ key: 'isBoard', field: 'sn', args: { sn } }];
