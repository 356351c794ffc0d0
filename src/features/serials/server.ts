import { GoodsType } from '#domain/enums.ts';
import { Refusal, refuseIfAny } from '#domain/refusal.ts';
import { normaliseNo, normaliseSn } from '#domain/sn.ts';
import type { InputOf } from '#domain/call.ts';
import type { Context } from '#server/context.ts';
import { recordInLedger } from '#server/ledger.ts';
import { route } from '#server/route.ts';
import { namesOf, namesOfOne } from '#server/workflow/names.ts';
import { validateSnText } from '#server/workflow/units.ts';
import { getSnDetail, openOrders, printBarcode, reprintBarCode } from './contract.ts';
import {
  kindsOf,
  modeOf,
  originOf,
  PrintMode,
  validateLookup,
  validatePrint,
  validateReprint,
  ProductVerType,
  serialOf,
  versionsIn,
} from './rules.ts';
import { isLabelKind, LabelKind } from '#domain/labelPrint.ts';
import {
  archivedSn,
  archiveSerials,
  countPrint,
  heldSn,
  isOrderOf,
  findItem,
  type NewSerial,
  ordersBeginning,
  takeNumbers,
} from './queries.ts';

export const serialRoutes = [
  route(openOrders, async ({ salesCode, orderNo }, ctx) => ({
    items: await ordersBeginning(ctx, normaliseNo(salesCode), normaliseNo(orderNo)),
  })),

  /**
   * Gives so many new SNs of a catalogue item and enters them into the archive; a label that is never printed costs a
   * number and nothing else. Refused where something is missing, where the item has no such version or open order, and
   * where the label is none of the item's kind. Rule: labels#required, labels#printing.
   */
  route(printBarcode, async (input, ctx) => {
    const item = await findItem(ctx, input.saleItemId ?? 0);
    if (!item) throw noItem(input.saleItemId);
    const orderNo = normaliseNo(input.orderNo);
    const kind = parseKind(input, orderNo);
    const printing = {
      type: (input.type ?? '').trim(),
      productVer: normaliseNo(input.productVer),
      qty: input.qty ?? 0,
      productVerType: input.productVerType?.trim() || ProductVerType.Low,
      orderNo,
    };
    refuseIfAny(validatePrint(printing, kind, versionsIn(item.productVerList)));
    if (!kindsOf(item.type).includes(kind)) throw wrongField('barcodeType', 'barcodeType');
    if (orderNo !== '') await refuseStrangeOrder(ctx, item.salesCode ?? '', orderNo, { open: true });
    const modelCode = item.modelCode ?? '';
    const snList = await giveSerials(ctx, printing.qty, {
      itemId: item.itemId,
      salesCode: item.salesCode,
      itemName: item.name,
      type: kind === LabelKind.Device ? GoodsType.Device : GoodsType.Board,
      origin: originOf(printing.type),
      productOrder: orderNo || null,
      modelCode,
      productVer: printing.productVer,
      productVerType: printing.productVerType,
      barcodeType: kind,
      printReason: printing.type,
    });
    await recordInLedger(ctx, {
      what: 'printSerial',
      module: 'ubsItem',
      recordId: String(item.itemId),
      to: { ...printing, kind, first: snList[0], last: snList.at(-1) },
    });
    return { snList, modelCode, barcodeType: kind };
  }),

  /** An SN of the archive, as its label shows it. Refused for one that nobody knows, or of another kind than was chosen. */
  route(getSnDetail, async (input, ctx) => {
    const sn = normaliseSn(input.sn);
    const kind = (input.barcodeType ?? '').trim();
    refuseIfAny(validateLookup(sn, kind));
    if (!isLabelKind(kind)) throw wrongField('barcodeType', 'barcodeType');
    refuseIfAny(validateSnText(sn, 'sn'));
    const found = await archivedSn(ctx, (await namesOfOne(ctx.db, sn)).now);
    if (!found) throw new Refusal({ key: 'notInArchive', field: 'sn', args: { sn } });
    if (!mayBe(found, kind)) throw wrongField('barcodeType', 'barcodeType');
    return {
      salesCode: found.salesCode,
      saleItemDesc: found.saleDesc ?? found.itemName,
      productVer: found.productVer,
      modelCode: found.modelCode,
      productVerType: found.productVerType,
      orderNo: found.productOrder,
      snDetailId: found.id,
    };
  }),

  /**
   * Counts one more label of an SN. What was archived without a label learns its kind, and controls without an order
   * the one that is named. Refused for a kind that the SN is not of, and for an order that is none of its item.
   * Rule: labels#reprinting.
   */
  route(reprintBarCode, async (input, ctx) => {
    const found = await heldSn(ctx, input.snDetailId);
    if (!found) {
      const args = { what: { module: 'ubsItemObject', field: 'sn' }, value: input.snDetailId };
      throw new Refusal({ key: 'notFound', field: 'snDetailId', args });
    }
    const sn = found.sn;
    const usual = found.type === GoodsType.Device ? LabelKind.Device : LabelKind.Veneer;
    const kind = input.barcodeType?.trim() || (found.barcodeType ?? usual);
    if (!isLabelKind(kind) || !mayBe(found, kind)) throw wrongField('barcodeType', 'barcodeType');
    const named = kind === LabelKind.Controls ? normaliseNo(input.orderNo) : '';
    const orderNo = found.productOrder ?? (named || null);
    refuseIfAny(validateReprint(kind, orderNo ?? ''));
    if (found.productOrder === null && named !== '') await refuseStrangeOrder(ctx, found.salesCode ?? '', named);
    await countPrint(ctx, found.id, { productOrder: orderNo, barcodeType: kind });
    await recordInLedger(ctx, { what: 'reprintSerial', module: 'ubsItemObject', recordId: sn, to: { kind, orderNo } });
    return { sn, modelCode: found.modelCode ?? '', barcodeType: kind };
  }),
];

/** An order is one of the item's own; new SNs are given for an open one. */
async function refuseStrangeOrder(
  ctx: Context,
  salesCode: string,
  orderNo: string,
  { open = false }: { open?: boolean } = {},
): Promise<void> {
  if (await isOrderOf(ctx, salesCode, orderNo, open)) return;
  const args = { what: { module: 'ubsProductOrder', field: 'orderNo' }, value: orderNo };
  throw new Refusal({ key: 'notFound', field: 'orderNo', args });
}

/** The kind that is named, else what the mode says: a part with an order is controls. Rule: labels#kinds. */
function parseKind(input: InputOf<typeof printBarcode>, orderNo: string): LabelKind {
  const { barcodeType, mode = null } = input;
  if (barcodeType) {
    if (!isLabelKind(barcodeType)) throw wrongField('barcodeType', 'barcodeType');
    if (mode !== null && mode !== modeOf(barcodeType)) throw wrongField('mode', 'barcodeType');
    return barcodeType;
  }
  if (mode === PrintMode.Device) return LabelKind.Device;
  if (mode === PrintMode.Part) return orderNo === '' ? LabelKind.Veneer : LabelKind.Controls;
  throw wrongField('mode', 'barcodeType');
}

/** What was archived without a label is a device or one of the two kinds of parts. */
const mayBe = (it: { barcodeType: string | null; type: string | null }, kind: LabelKind): boolean =>
  it.barcodeType === null ? kindsOf(it.type).includes(kind) : it.barcodeType === kind;

/** An SN that the archive has from elsewhere costs a number: the next one is given. */
async function giveSerials(ctx: Context, count: number, of: NewSerial): Promise<string[]> {
  const given: string[] = [];
  while (given.length < count) {
    const { numbers, yearWeek } = await takeNumbers(ctx, count - given.length);
    const sns = numbers.map((it) => serialOf({ ...of, yearWeek, kind: of.barcodeType }, it));
    // Nor is a number given that was a unit's once.
    const names = await namesOf(ctx.db, sns);
    const free = sns.filter((it) => names.get(it)?.now === it);
    if (free.length > 0) given.push(...(await archiveSerials(ctx, free, of)));
  }
  return given;
}

const wrongField = (field: string, label: string): Refusal =>
  new Refusal({ key: 'format', field, args: { field: { module: 'ubsItemObject', field: label } } });

const noItem = (id: number | null | undefined): Refusal => {
  const args = { what: { module: 'ubsItem', field: 'itemId' }, value: id ?? '' };
  return new Refusal({ key: 'notFound', field: 'saleItemId', args });
};
