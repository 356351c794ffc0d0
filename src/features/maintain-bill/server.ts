import { BillStatus, Flag, OperateStatus } from '#domain/enums.ts';
import { refuseIfAny } from '#domain/refusal.ts';
import { normaliseNo } from '#domain/sn.ts';
import type { RmaMaintainBill } from '#server/db/tables.ts';
import { checkForm } from '#server/engine/form.ts';
import { refuseUnknownRefs } from '#server/engine/writing.ts';
import { recordInLedger } from '#server/ledger.ts';
import { requireDefinition } from '#server/requireDefinition.ts';
import { route } from '#server/route.ts';
import { newCounts } from '#server/workflow/lines.ts';
import { createMaintainBill, getSaleCodeList } from './contract.ts';
import { validateDeclaredLines, validateCatalogueItems, type CatalogueItem, type DeclaredLine } from './rules.ts';
import { pipelineRoutes } from './server.pipeline.ts';
import { declareItems, itemsBeginning, itemsBySalesCode } from './queries.ts';

export const maintainBillRoutes = [
  ...pipelineRoutes,

  /** A customer's bill with its declared goods; names of lines come from the catalogue. Rule: bills#creating. */
  route(createMaintainBill, async (input, ctx) => {
    const { rmaMaintainBillLineList, ...sent } = input;
    const definition = requireDefinition(ctx.model, 'rmaMaintainBill');
    const { values, problems } = checkForm(
      definition,
      { ...sent, receiveShipNo: normaliseNo(sent.receiveShipNo) },
      null,
      ctx,
    );
    const lines = rmaMaintainBillLineList.map((it): DeclaredLine => ({
      type: it.type || null,
      salesCode: normaliseNo(it.salesCode),
      count: it.count ?? 0,
    }));
    refuseIfAny([...problems, ...validateDeclaredLines(lines)]);
    await refuseUnknownRefs(definition, values, ctx);
    const catalogue = await itemsBySalesCode(
      ctx,
      lines.map((it) => it.salesCode),
    );
    refuseIfAny(validateCatalogueItems(lines, catalogue));

    const mtbId = await ctx.numbers.next('MTB');
    const createBy = ctx.currentUser.userId;
    const { id } = await ctx.db
      .insertInto('rma_maintain_bill')
      .values({
        packConfirm: Flag.No,
        ...(values as Pick<RmaMaintainBill, 'receiveShipNo' | 'userName'>),
        mtbId,
        billStatus: BillStatus.Awaiting,
        operateStatus: OperateStatus.Normal,
        siteId: ctx.currentUser.siteId,
        createBy,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const mtblIds = await ctx.numbers.many('MBL', lines.length);
    await ctx.db
      .insertInto('rma_maintain_bill_line')
      .values(
        lines.map(({ salesCode, count }, i) => {
          const item = catalogue.get(salesCode) as CatalogueItem;
          return {
            ...newCounts,
            mtblId: mtblIds[i] as string,
            mtbId,
            type: item.type,
            salesCode,
            itemName: item.name,
            productName: item.productName,
            count,
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
    await recordInLedger(ctx, { what: 'create', module: 'rmaMaintainBill', recordId: mtbId, to: { ...values, lines } });
    return { id, mtbId };
  }),

  route(getSaleCodeList, async ({ saleCode, type }, ctx) => ({
    saleCodeList: await itemsBeginning(ctx, normaliseNo(saleCode), type ?? ''),
  })),
];
