import { boardCounts, ComponentType, isQrCode, normaliseQrCode, qrCodeFor } from '#domain/assembly.ts';
import { GoodsType } from '#domain/enums.ts';
import type { Problem } from '#domain/refusal.ts';
import { isSn, normaliseSn, repeatedSns } from '#domain/sn.ts';

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
 * repeat), each board a QR code. Spec 2 §5 Assemble.
 */
export function problemsOfParts(deviceSn: string, parts: readonly EnteredPart[]): Problem[] {
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
  return [...problems, ...problemsOfSet(parts)];
}

function problemsOfSet(parts: readonly EnteredPart[]): Problem[] {
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

/** Only devices are assembled. Decisions 2 E17. */
export const problemsOfDevice = (type: string, sn: string): Problem[] =>
  type === GoodsType.Device ? [] : [{ key: 'isBoard', field: 'sn', args: { sn } }];
