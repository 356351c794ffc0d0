import { randomUUID } from 'node:crypto';
import type { DataOf, InputOf } from '#domain/call.ts';
import { LabelPrintKind, LabelPrintResult } from '#domain/enums.ts';
import { type Problem, Refusal, refuseIfAny } from '#domain/refusal.ts';
import type { LabelPrinter } from '#server/config.ts';
import { seesSite, type Context } from '#server/context.ts';
import { sendToPrinter } from '#server/labelPrinter.ts';
import { recordInLedger } from '#server/ledger.ts';
import { route } from '#server/route.ts';
import { refuseFormer } from '#server/workflow/names.ts';
import { devicesAround } from '#server/workflow/parts.ts';
import { readSns, readUnits } from '#server/workflow/units.ts';
import { sendChangedLabel, sendNewLabels, sendReprints } from './contract.labels.ts';
import { claimPrint, enterPrint, notePrint, readArchived, readPrint } from './queries.labels.ts';
import {
  isLabelKind,
  type Label,
  type LabelKind,
  lineDots,
  TEST_SN,
  zplOf,
  sendReceivedLabels,
} from '#domain/labelPrint.ts';
import { shapeOf } from './rules.change.ts';

type Print = DataOf<typeof sendNewLabels>;

/** The print is entered with the submit, and sent once that is committed: no printer takes anything back. */
const labelRoute = (call: typeof sendNewLabels, printKind: LabelPrintKind) =>
  route(call, (input, ctx) => enter(input, printKind, ctx), { afterCommit: sendPrint });

export const labelRoutes = [
  labelRoute(sendNewLabels, LabelPrintKind.New),
  labelRoute(sendReceivedLabels, LabelPrintKind.New),
  labelRoute(sendReprints, LabelPrintKind.Reprint),
  labelRoute(sendChangedLabel, LabelPrintKind.Change),
];

/** Refused for a printer that no setting names, and for labels that it can't print. Rule: labels#printers. */
async function enter(
  { printer: name = null, snList = [], test = null }: InputOf<typeof sendNewLabels>,
  asked: LabelPrintKind,
  ctx: Context,
): Promise<Print> {
  const printer = name === null || name === '' ? null : findPrinter(ctx, name);
  const labels = test === null ? await readLabels(ctx, snList, asked) : [testLabel(test)];
  if (printer) refuseIfAny(labels.flatMap((it) => validateWidth(it, printer)));
  const printNo = randomUUID();
  const to = printer?.name ?? null;
  await enterPrint(ctx, { printNo, printer: to, labels });
  const printKind = test === null ? asked : LabelPrintKind.Test;
  await recordInLedger(ctx, {
    what: 'printLabels',
    module: 'ubsLabelPrint',
    recordId: printNo,
    to: { printer: to, printKind, first: labels[0]?.sn, last: labels.at(-1)?.sn, count: labels.length },
  });
  return { printNo, printer: to, count: labels.length };
}

const validateWidth = ({ sn, kind }: Label, { name, dpi }: LabelPrinter): Problem[] =>
  lineDots(sn, kind, dpi) > 0 ? [] : [{ key: 'labelWide', field: 'snList', args: { sn, printer: name } }];

function findPrinter({ config: { labelPrinters } }: Context, name: string): LabelPrinter {
  if (labelPrinters.length === 0) throw new Refusal({ key: 'noPrinters', field: 'printer' });
  const found = labelPrinters.find((it) => it.name === name);
  if (found) return found;
  const what = { zh: '标签打印机', en: 'Label printer' };
  throw new Refusal({ key: 'notFound', field: 'printer', args: { what, value: name } });
}

function testLabel(kind: string): Label {
  if (isLabelKind(kind)) return { sn: TEST_SN, modelCode: '', kind, printKind: LabelPrintKind.Test };
  const field = { module: 'ubsItemObject', field: 'barcodeType' };
  throw new Refusal({ key: 'format', field: 'test', args: { field } });
}

/** The labels of archived SNs, each of its own kind; refused for what nobody knows, and for another site's. */
async function readLabels(ctx: Context, scanned: readonly string[], printKind: LabelPrintKind): Promise<Label[]> {
  const fieldOf = (i: number) => `snList.${i}`;
  if (scanned.length === 0) {
    const args = { fields: [{ zh: 'SN', en: 'SN' }] };
    throw new Refusal({ key: 'required', field: 'snList', args });
  }
  const sns = readSns(scanned, fieldOf);
  const archived = new Map((await readArchived(ctx, sns)).map((it) => [it.sn, it]));
  const around = await devicesAround(ctx, sns);
  const units = await readUnits(ctx.db, [...sns, ...around.values()]);
  const placeOf = (sn: string) => units.get(around.get(sn) ?? sn);
  refuseIfAny(
    sns.flatMap((sn, i) => {
      const place = placeOf(sn);
      const isElsewhere = place !== undefined && !seesSite(ctx.currentUser, place.siteId);
      return isElsewhere ? [{ key: 'otherSite' as const, field: fieldOf(i), args: { sn } }] : [];
    }),
  );
  const unknown = sns.filter((it) => !archived.has(it));
  await refuseFormer(ctx, unknown, (sn) => fieldOf(sns.indexOf(sn)));
  refuseIfAny(unknown.map((sn) => ({ key: 'notInArchive' as const, field: fieldOf(sns.indexOf(sn)), args: { sn } })));
  return sns.map((sn) => {
    const { barcodeType = null, type = null, modelCode } = archived.get(sn) ?? {};
    return { sn, modelCode: modelCode ?? '', kind: shapeOf({ barcodeType, type }), printKind };
  });
}

/**
 * Sends a print that was entered, if nobody has begun to: repeats of the call answer what became of it. Refused where the
 * printer was not reached, which may be asked again; and where nobody can tell whether the labels came out.
 * Rule: labels#once, labels#answers.
 */
async function sendPrint({ printNo, printer: name }: Print, ctx: Context): Promise<void> {
  if (name === null) return;
  const printer = findPrinter(ctx, name);
  const rows = await claimPrint(ctx, printNo);
  const result = rows.length > 0 ? await send(rows, printNo, printer, ctx) : await resultOf(printNo, ctx);
  const args = { printer: name };
  if (result === LabelPrintResult.NotReached) throw new Refusal({ key: 'printerUnreachable', field: 'printer', args });
  if (result === LabelPrintResult.Unknown) throw new Refusal({ key: 'printUnknown', field: 'printer', args });
}

async function send(
  rows: Awaited<ReturnType<typeof claimPrint>>,
  printNo: string,
  printer: LabelPrinter,
  ctx: Context,
): Promise<LabelPrintResult> {
  const labels = rows
    .toSorted((a, b) => a.id - b.id)
    .map(({ sn, modelCode, barcodeType, printKind }) => {
      const label = { sn, modelCode: modelCode ?? '', kind: barcodeType as LabelKind };
      return zplOf({ ...label, printKind: printKind as LabelPrintKind }, printer.dpi);
    });
  const result = results[await sendToPrinter(printer, labels.join(''))];
  await notePrint(ctx, printNo, result);
  return result;
}

const results = {
  taken: LabelPrintResult.Printed,
  unknown: LabelPrintResult.Unknown,
  notReached: LabelPrintResult.NotReached,
} as const;

/** Of a print that somebody else has begun; a server that stopped meanwhile leaves it unknown. */
async function resultOf(printNo: string, ctx: Context): Promise<LabelPrintResult> {
  const { result, isOld } = await readPrint(ctx, printNo);
  if (result !== LabelPrintResult.Sending) return result as LabelPrintResult;
  if (!isOld) throw new Refusal({ key: 'stillRunning' });
  await notePrint(ctx, printNo, LabelPrintResult.Unknown);
  return LabelPrintResult.Unknown;
}
