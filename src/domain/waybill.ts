import { normaliseNo } from '#domain/sn.ts';

/** Whether a field holds an outbound waybill: by its name, as all definitions name theirs. */
export const holdsWaybill = (field: string): boolean => field === 'deliverShipNo';

/** Until a carrier gave a number, and for good where customers fetch their goods, the stock-up bill's own stands for it. */
export const isWaybill = (no: unknown): boolean => !/^SKB\d{13,}$/.test(String(no ?? ''));

/** A waybill as it is kept and looked up: a courier's groups of digits are no part of it. Rule: money#logistics-costs. */
export const normaliseWaybill = (text: unknown): string => normaliseNo(String(text ?? '')).replaceAll(/\s+/g, '');
