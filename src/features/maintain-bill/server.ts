import { BillStatus, Flag, OperateStatus } from '#domain/enums.ts';
import { refuseIfAny } from '#domain/refusal.ts';
import { normaliseNo } from '#domain/sn.ts';
import { ledger } from '#server/ledger.ts';
import { route } from '#server/route.ts';
import { warningOf } from '#server/workflow/warnings.ts';
import { createMaintainBill, getSaleCodeList, queryByReceiveShipNo } from './contract.ts';
import { problemsOfBill, problemsOfLines, type DeclaredLine } from './rules.ts';
import { billOfShipNo, declareItems, itemsBeginning, itemsBySalesCode } from './store.ts';

export const maintainBillRoutes = [
  /** A customer's bill with its declared goods; names of lines come from the catalogue. Design section 13. */
  route(createMaintainBill, async (input, ctx) => {
    const { rmaMaintainBillLineList, ...sent } = input;
    const header = { ...trimmed(sent), receiveShipNo: normaliseNo(sent.receiveShipNo) };
    const lines = rmaMaintainBillLineList.map((it): DeclaredLine => ({
      type: it.type || null,
      salesCode: normaliseNo(it.salesCode),
      count: it.count ?? 0,
    }));
    refuseIfAny(problemsOfBill({ ...header, userName: header.userName ?? '' }, lines));
    const catalogue = await itemsBySalesCode(
      ctx,
      lines.map((it) => it.salesCode),
    );
    refuseIfAny(problemsOfLines(lines, catalogue));

    const mtbId = await ctx.numbers.next('MTB');
    const createBy = ctx.who.userId;
    const { id } = await ctx.db
      .insertInto('rma_maintain_bill')
      .values({
        ...header,
        packConfirm: header.packConfirm ?? Flag.No,
        mtbId,
        billStatus: BillStatus.Awaiting,
        operateStatus: OperateStatus.Normal,
        siteId: ctx.who.siteId,
        createBy,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const mtblIds = await ctx.numbers.many('MBL', lines.length);
    await ctx.db
      .insertInto('rma_maintain_bill_line')
      .values(
        lines.map(({ salesCode, count }, i) => {
          const item = catalogue.get(salesCode);
          return {
            mtblId: mtblIds[i] as string,
            mtbId,
            type: item?.type ?? null,
            salesCode,
            itemName: item?.name ?? null,
            productName: item?.productName ?? null,
            count,
            receiveCount: 0,
            deliverCount: 0,
            scrapCount: 0,
            discardCount: 0,
            buyOutCount: 0,
            createBy,
          };
        }),
      )
      .execute();
    const owners = lines.flatMap(({ count }, i) => Array.from({ length: count }, () => mtblIds[i] as string));
    const numbers = await ctx.numbers.many('MBI', owners.length);
    await declareItems(
      ctx,
      mtbId,
      owners.map((mtblId, i) => ({ mtblId, mtbliId: numbers[i] as string })),
    );
    await ledger(ctx, { what: 'create', module: 'rmaMaintainBill', recordId: mtbId, to: { ...header, lines } });
    return { id, mtbId };
  }),

  route(getSaleCodeList, async ({ saleCode, salesCode, type }, ctx) => ({
    saleCodeList: (await itemsBeginning(ctx, normaliseNo(saleCode ?? salesCode), type ?? '')).map((it) => ({
      salesCode: it.salesCode ?? '',
      name: it.name ?? '',
      type: it.type ?? '',
    })),
  })),

  route(queryByReceiveShipNo, async (input, ctx) => {
    const no = normaliseNo(input.receiveShipNo);
    const bill = await billOfShipNo(ctx, no);
    return {
      mtbId: bill?.mtbId ?? null,
      billStatus: bill?.billStatus ?? null,
      userName: bill?.userName ?? null,
      ...warningOf(bill ? [{ key: 'onBill', args: { no, mtbId: bill.mtbId ?? '' } }] : [], ctx.lang),
    };
  }),
];

/** Texts without the blanks around them; an empty one is none. */
function trimmed<T extends Record<string, string | number | null | undefined>>(row: T): T {
  return Object.fromEntries(
    Object.entries(row).map(([name, it]) => [name, typeof it === 'string' ? it.trim() || null : (it ?? null)]),
  ) as T;
}
