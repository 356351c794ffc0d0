import { Refusal } from '#domain/refusal.ts';
import { normaliseNo } from '#domain/sn.ts';
import { route } from '#server/route.ts';
import { readSns, readUnits } from '#server/workflow/units.ts';
import { viewHistory } from './contract.ts';
import { archiveOf, boundNow, eventsOf, isElsewhere, picturesOn, unitOf } from './store.ts';

export const inventoryRoutes = [
  /** The life of an SN: where it is, what it is made of, each event with who did it. Another site's is not there. */
  route(viewHistory, async (input, ctx) => {
    const [sn] = readSns([input.sn], () => 'sn') as [string];
    const unit = await unitOf(ctx, sn);
    const archive = await archiveOf(ctx, sn);
    const rows = await eventsOf(ctx, sn, normaliseNo(input.mtbId));
    const isOurs = unit !== undefined || (archive !== undefined && !(await isElsewhere(ctx, sn)));
    if (!isOurs && rows.length === 0)
      throw new Refusal({ key: 'notFound', field: 'sn', args: { what: 'SN', value: sn } });
    const held = unit ? (await readUnits(ctx.db, [sn])).get(sn)?.held : null;
    const pictures = await picturesOn(ctx, sn, [...new Set(rows.flatMap((it) => it.billId ?? []))]);
    const { parts, holder } = await boundNow(ctx, sn);
    return {
      sn,
      unit: unit
        ? {
            ...unit,
            sn,
            type: unit.type ?? '0',
            salesCode: unit.salesCode ?? '',
            siteId: unit.siteId ?? '',
            held: held?.confirmation ?? null,
          }
        : null,
      archive: archive ? { ...archive, salesCode: archive.salesCode ?? '' } : null,
      events: rows.map(({ createTime, ...it }) => ({
        ...it,
        siteId: it.siteId ?? '',
        step: it.step ?? '',
        operateStatus: it.operateStatus ?? '',
        eventTime: it.eventTime ?? createTime,
        userId: it.userId ?? '',
        urls: pictures.get(it.billId ?? '') ?? [],
      })),
      components: parts.map((it) => ({
        ...it,
        componentType: it.componentType ?? '',
        componentSn: it.componentSn ?? '',
      })),
      boundTo: holder,
    };
  }),
];
