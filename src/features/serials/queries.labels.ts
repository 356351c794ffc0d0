import { sql } from 'kysely';
import { LabelPrintResult } from '#domain/enums.ts';
import type { Context } from '#server/context.ts';
import { anyOf } from '#server/db/conditions.ts';
import { touch } from '#server/touch.ts';
import type { Label } from '#domain/labelPrint.ts';

/** What the archive and the catalogue say of these SNs that stands on their labels. */
export const readArchived = ({ db }: Context, sns: readonly string[]) =>
  db
    .selectFrom('ubs_item_object as o')
    .leftJoin('ubs_item as i', 'i.salesCode', 'o.salesCode')
    .select(['o.sn', 'o.type', 'o.barcodeType'])
    .select(sql<string | null>`coalesce(o."modelCode", i."modelCode")`.as('modelCode'))
    .where('o.sn', '=', anyOf(sns))
    .execute();

/**
 * Writes down what is going to be printed, a row a label, before anything is sent; without a printer what the browser's
 * dialog is given. Rule: labels#journal.
 */
export async function enterPrint(
  { db, currentUser }: Context,
  { printNo, printer, labels }: { printNo: string; printer: string | null; labels: readonly Label[] },
): Promise<void> {
  await db
    .insertInto('ubs_label_print')
    .values(
      labels.map(({ sn, modelCode, kind, printKind }) => ({
        ...{ printNo, printer, sn, modelCode, barcodeType: kind, printKind },
        result: printer === null ? LabelPrintResult.Dialog : LabelPrintResult.Waiting,
        siteId: currentUser.siteId,
        createBy: currentUser.userId,
      })),
    )
    .execute();
}

/**
 * The labels of a print, for whoever sends them: one alone gets them, and nobody once a byte may have been sent.
 * Rule: labels#once.
 */
export const claimPrint = ({ db, currentUser }: Context, printNo: string) =>
  db
    .updateTable('ubs_label_print')
    .set({ result: LabelPrintResult.Sending, ...touch(currentUser) })
    .where('printNo', '=', printNo)
    .where('result', 'in', [LabelPrintResult.Waiting, LabelPrintResult.NotReached])
    .returning(['id', 'sn', 'modelCode', 'barcodeType', 'printKind'])
    .execute();

/** What became of a print. */
export async function notePrint({ db, currentUser }: Context, printNo: string, result: LabelPrintResult) {
  await db
    .updateTable('ubs_label_print')
    .set({ result, ...touch(currentUser) })
    .where('printNo', '=', printNo)
    .execute();
}

/** How a print stands, and whether it was begun longer ago than any takes. */
export const readPrint = ({ db }: Context, printNo: string) =>
  db
    .selectFrom('ubs_label_print')
    .select(['result', sql<boolean>`"updateTime" < now() - interval '1 minute'`.as('isOld')])
    .where('printNo', '=', printNo)
    .limit(1)
    .executeTakeFirstOrThrow();
