import { GoodsType, Origin } from '#domain/enums.ts';
import { LabelKind, MOST_LABELS } from '#domain/labelPrint.ts';
import type { Problem } from '#domain/refusal.ts';

/** Labels of a device, or of parts; controls are parts with an order. Rule: labels#kinds. */
export const PrintMode = { Device: 0, Part: 1 } as const;
export const modeOf = (kind: LabelKind): number => (kind === LabelKind.Device ? PrintMode.Device : PrintMode.Part);

/**
 * Why an SN is given: a device, veneer or item without one, a thing of no company of ours, an SN that the ERP has
 * twice. Rule: labels#reasons.
 */
const printReasons = ['1', '2', '3', '4', '5'] as const;
/** Of what is not the company's own. */
const NO_COMPANY = '4';
export const originOf = (reason: string): string => (reason === NO_COMPANY ? Origin.NotOurs : Origin.Ours);

export const ProductVerType = { Low: '1', High: '2' } as const;

/** What an item's labels may be stuck on: a device's on devices, a part's on the two kinds of parts. */
export const kindsOf = (itemType: string | null): readonly LabelKind[] =>
  itemType === GoodsType.Device ? [LabelKind.Device] : [LabelKind.Veneer, LabelKind.Controls];

/** What is to be printed, as it was entered. */
interface Printing {
  type: string;
  productVer: string;
  qty: number;
  productVerType: string;
  orderNo: string;
}

const labelOf = (field: string) => ({ module: 'ubsItemObject', field });
const missing = (field: string, label: string): Problem => ({
  key: 'required',
  field,
  args: { fields: [labelOf(label)] },
});
const wrong = (field: string, label: string): Problem => ({ key: 'format', field, args: { field: labelOf(label) } });

/** The versions of an item, as its catalogue entry lists them. */
export const versionsIn = (productVerList: string | null): string[] =>
  (productVerList ?? '')
    .split('|')
    .map((it) => it.trim())
    .filter((it) => it !== '');

/**
 * What is wrong with a print: what is missing, a count that no printer is given, a value that stands in no list.
 * Rule: labels#required.
 */
export function validatePrint(printing: Printing, kind: LabelKind, versions: readonly string[]): Problem[] {
  const { type, productVer, qty, productVerType, orderNo } = printing;
  const needsOrder = kind === LabelKind.Controls;
  return [
    ...(type === '' ? [missing('type', 'printReason')] : []),
    ...(type !== '' && !printReasons.some((it) => it === type) ? [wrong('type', 'printReason')] : []),
    ...(productVer === '' ? [missing('productVer', 'productVer')] : []),
    ...(productVer !== '' && !versions.includes(productVer) ? [wrong('productVer', 'productVer')] : []),
    ...(qty === 0 ? [missing('qty', 'printCount')] : []),
    ...(qty < 0 || !Number.isInteger(qty) ? [wrong('qty', 'printCount')] : []),
    ...(qty > MOST_LABELS
      ? [{ key: 'atMost' as const, field: 'qty', args: { field: labelOf('printCount'), max: MOST_LABELS } }]
      : []),
    ...(Object.values<string>(ProductVerType).includes(productVerType)
      ? []
      : [wrong('productVerType', 'productVerType')]),
    ...(needsOrder && orderNo === '' ? [missing('orderNo', 'productOrder')] : []),
  ];
}

/** What is missing before an SN can be looked up for its label. Rule: labels#required. */
export const validateLookup = (sn: string, kind: string): Problem[] => [
  ...(kind === '' ? [missing('barcodeType', 'barcodeType')] : []),
  ...(sn === '' ? [missing('sn', 'sn')] : []),
];

/**
 * What is missing before a label is printed again: controls go by the order they were made for. Rule: labels#required.
 */
export const validateReprint = (kind: string, orderNo: string): Problem[] =>
  kind === LabelKind.Controls && orderNo === '' ? [missing('orderNo', 'productOrder')] : [];

const letters: Record<LabelKind, string> = { 1: 'D', 2: 'V', 3: 'C' };
/** Without I, L, O and U, which are read as something else. */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const SERIAL_DIGITS = 6;

/** What is left of a text that goes into an SN: so many letters and digits, its last ones, filled with 0. */
const packed = (text: string, length: number): string =>
  text
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(-length)
    .padStart(length, '0');

/** The 17 characters of a new SN: model 4, version 2, year and week 4, kind 1, number 6. Rule: labels#numbers. */
export function serialOf(
  {
    modelCode,
    productVer,
    yearWeek,
    kind,
  }: { modelCode: string; productVer: string; yearWeek: string; kind: LabelKind },
  number: number,
): string {
  let rest = number;
  let serial = '';
  for (let i = 0; i < SERIAL_DIGITS; i++) {
    serial = digits.charAt(rest % digits.length) + serial;
    rest = Math.floor(rest / digits.length);
  }
  return `${packed(modelCode, 4)}${packed(productVer, 2)}${yearWeek}${letters[kind]}${serial}`;
}
