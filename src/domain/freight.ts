import { cleanText } from '#domain/signs.ts';

/** What a courier or a workbook writes, as it is compared: case, spaces and full-width letters tell nothing apart. */
export const asCompared = (text: unknown): string =>
  cleanText(String(text ?? ''))
    .normalize('NFKC')
    .replaceAll(/\s+/g, '')
    .toLowerCase();

/** What a courier charges a parcel for, as far as one of them says something of another. */
export const ChargeItem = { Freight: '1', FreightAndInsurance: '2', Insurance: '3' } as const;

/** Who names no charge bills freight, and freight with insurance is both. */
const covered: Readonly<Record<string, readonly string[]>> = {
  '': [ChargeItem.Freight],
  [ChargeItem.FreightAndInsurance]: [ChargeItem.Freight, ChargeItem.Insurance],
};

/** What a line bills a parcel for, each of which is billed once. Rule: money#logistics-costs. */
export function chargesOf(line: { deliverShipNo?: unknown; chargeItems?: unknown }): string[] {
  const charge = asCompared(line.chargeItems);
  return (covered[charge] ?? [charge]).map((it) => `${asCompared(line.deliverShipNo)}\n${it}`);
}
