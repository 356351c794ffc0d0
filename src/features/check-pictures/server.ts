import { imageLimits, joinUrls, splitUrls } from '#domain/images.ts';
import { validateTested } from '#domain/itemActions.ts';
import { refuseIfAny, Refusal } from '#domain/refusal.ts';
import { holdRow } from '#server/engine/rowOf.ts';
import { recordInLedger } from '#server/ledger.ts';
import { route } from '#server/route.ts';
import { touch } from '#server/touch.ts';
import { findPictures, takePictures } from '#server/workflow/pictures.ts';
import { supplementCheckPicture } from './contract.ts';

export const checkPictureRoutes = [
  /**
   * Images are appended to those of an item's first test; at least one, at most three, and not before the test.
   * Rule: events#e34.
   */
  route(supplementCheckPicture, async (input, ctx) => {
    const item = await holdRow(ctx, 'rmaMaintainBillLineItem', input.id);
    const max = imageLimits.makeup;
    const { urls } = await findPictures(ctx, input.checkUrls, { field: 'checkUrls', max });
    if (urls.length === 0) throw new Refusal({ key: 'images', field: 'checkUrls', args: { min: 1, max } });
    refuseIfAny(validateTested(item['checkTime'] as number | null, 'id'));
    await takePictures(ctx, urls, 'checkUrls');
    const checkUrls = joinUrls([...splitUrls(item['checkUrls'] as string | null), ...urls]);
    await ctx.db
      .updateTable('rma_maintain_bill_line_item')
      .set({ checkUrls, ...touch(ctx.currentUser) })
      .where('id', '=', Number(item['id']))
      .execute();
    await recordInLedger(ctx, {
      what: 'supplementCheckPicture',
      module: 'rmaMaintainBillLineItem',
      recordId: String(item['mtbliId']),
      from: { checkUrls: item['checkUrls'] },
      to: { checkUrls },
    });
    return { id: Number(item['id']), checkUrls };
  }),
];
