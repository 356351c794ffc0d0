import { cleanText } from '#domain/signs.ts';

/** What a courier writes, as it is compared: case, spaces and full-width letters tell nothing apart. */
export const asCompared = (text: unknown): string =>
  cleanText(String(text ?? ''))
    .normalize('NFKC')
    .replaceAll(/\s+/g, '')
    .toLowerCase();

/** What a parcel is billed once for. Rule: money#logistics-costs. */
export const chargeOf = (line: { deliverShipNo?: unknown; chargeItems?: unknown }): string =>
  `${asCompared(line.deliverShipNo)}\n${asCompared(line.chargeItems)}`;
