import { Type } from 'typebox';
import { submit } from '#domain/call.ts';
import { LabelPrintKind } from '#domain/enums.ts';
import { Nullable, OptionalCode, Sn } from '#domain/wire.ts';

/** What a label is stuck on. Rule: labels#kinds. */
export const LabelKind = { Device: '1', Veneer: '2', Controls: '3' } as const;
export type LabelKind = (typeof LabelKind)[keyof typeof LabelKind];
export const labelKinds: readonly LabelKind[] = Object.values(LabelKind);
export const isLabelKind = (it: unknown): it is LabelKind => labelKinds.some((kind) => kind === it);

/** More would make a print dialog that nobody waits for. Rule: labels#required. */
export const MOST_LABELS = 500;

/** In px of the page, as a label printer of 96 dots an inch takes them. Rule: labels#printing. */
export const labelSizes: Record<LabelKind, { width: number; height: number }> = {
  1: { width: 189, height: 94 },
  2: { width: 142, height: 71 },
  3: { width: 142, height: 71 },
};

/** From the SNs' arrival to the print dialog, so that the barcodes are drawn by then. Rule: labels#printing. */
export const PRINT_DELAY = 800;

/** A label before it is drawn. */
export interface Label {
  sn: string;
  modelCode: string;
  /** What it is stuck on. */
  kind: LabelKind;
  printKind: LabelPrintKind;
}

/** What stands on a label, in px of the page, however it is drawn. */
interface LabelFacts {
  width: number;
  height: number;
  /** How high the bars of the SN are. */
  bars: number;
  fontSize: number;
  lines: readonly string[];
}

/** In both languages: whoever finds the label reads one of them. */
const marks: Record<LabelPrintKind, string> = {
  [LabelPrintKind.New]: '',
  [LabelPrintKind.Reprint]: '补打 / REPRINT',
  [LabelPrintKind.Change]: '',
  [LabelPrintKind.Test]: '测试 / TEST',
};

/** As long as the company's own SNs and nobody's: whoever scans it is told so. */
export const TEST_SN = 'TEST-LABEL-SAMPLE';

/** Of a line of text, in its letters' height; and between two. */
export const LINE_HEIGHT = 1.2;
export const LINE_GAP = 2;

/**
 * What stands on a label: the bars of its SN, the SN, of a device its model, and what the label was printed for unless
 * it is the SN's first. Rule: labels#facts.
 */
export function factsOf({ sn, modelCode, kind, printKind }: Label): LabelFacts {
  const { width, height } = labelSizes[kind];
  const below = [kind === LabelKind.Device ? modelCode : '', marks[printKind]].filter((it) => it !== '').join(' · ');
  return {
    width,
    height,
    bars: height / 2,
    fontSize: kind === LabelKind.Device ? 12 : 10,
    lines: below === '' ? [sn] : [sn, below],
  };
}

/** The light beside a CODE128, in widths of its thinnest line. ISO/IEC 15417. */
export const QUIET = 10;

/** Start, check and stop of a CODE128; and each symbol between. In widths of its thinnest line. */
const FRAME = 11 + 11 + 13;
const SYMBOL = 11;

/**
 * An SN as `^BC` takes it, and how many lines wide it is: digits go in pairs where that is shorter, which is said and
 * not left to the printer.
 */
function code128(sn: string): { data: string; modules: number } {
  const runs = sn.match(/\d+|\D+/g) ?? [];
  let data = '';
  let symbols = 0;
  let isPairs = false;
  runs.forEach((run, i) => {
    const isFirst = i === 0;
    const isEdge = isFirst || i === runs.length - 1;
    const odd = run.length % 2;
    const wantsPairs = /\d/.test(run) && run.length - odd >= (isEdge ? 4 : 6);
    // A digit that is left over stands where the letters are.
    const [before, pairs, behind] = !wantsPairs
      ? [run, '', '']
      : isFirst
        ? ['', run.slice(0, run.length - odd), run.slice(run.length - odd)]
        : [run.slice(0, odd), run.slice(odd), ''];
    for (const [part, inPairs] of [
      [before, false],
      [pairs, true],
      [behind, false],
    ] as const) {
      if (part === '') continue;
      if (data === '') data = inPairs ? '>;' : '>:';
      else if (inPairs !== isPairs) {
        data += inPairs ? '>5' : '>6';
        symbols += 1;
      }
      isPairs = inPairs;
      data += part;
      symbols += inPairs ? part.length / 2 : part.length;
    }
  });
  return { data, modules: FRAME + symbols * SYMBOL };
}

const PX_PER_INCH = 96;
/** Of `^BY`, in dots. */
const WIDEST_LINE = 10;

/** How many dots wide the thinnest line of an SN's bars is on this label; 0 where they do not fit. Rule: labels#bars. */
export function lineDots(sn: string, kind: LabelKind, dpi: number): number {
  const width = Math.floor((labelSizes[kind].width * dpi) / PX_PER_INCH);
  return Math.min(WIDEST_LINE, Math.floor(width / (code128(sn).modules + 2 * QUIET)));
}

/** A label as ZPL, for a printer of so many dots per inch; its bars have to fit. Rule: labels#zpl. */
export function zplOf(label: Label, dpi: number): string {
  const { width, height, bars, fontSize, lines } = factsOf(label);
  const dots = (px: number) => Math.floor((px * dpi) / PX_PER_INCH);
  const line = lineDots(label.sn, label.kind, dpi);
  const { data, modules } = code128(label.sn);
  const lineHeight = fontSize * LINE_HEIGHT;
  const top = (height - bars - lines.length * (lineHeight + LINE_GAP)) / 2;
  const left = Math.floor((dots(width) - modules * line) / 2);
  const texts = lines.map((text, i) => {
    const y = top + bars + LINE_GAP + i * (lineHeight + LINE_GAP) + (lineHeight - fontSize) / 2;
    const letter = Math.min(dots(fontSize), Math.floor(dots(width) / widthOf(text)));
    return `^FO0,${dots(y)}^A0N,${dots(fontSize)},${letter}^FB${dots(width)},1,0,C^FH^FD${escaped(text)}^FS`;
  });
  return [
    '^XA',
    '^CI28',
    `^PW${dots(width)}`,
    `^LL${dots(height)}`,
    '^LH0,0',
    `^FO${left},${dots(top)}^BY${line}^BCN,${dots(bars)},N,N,N^FH^FD${escaped(data)}^FS`,
    ...texts,
    '^PQ1',
    '^XZ',
    '',
  ].join('\n');
}

/** In heights of a letter, at most. */
const widthOf = (text: string): number =>
  [...text].reduce((sum, it) => sum + (/[\x20-\x7e]/.test(it) ? LETTER_WIDTH : 1), 0);
const LETTER_WIDTH = 0.6;

/** What the printer would take for a command, or for the escape of one, is written as its number. */
const escaped = (text: string): string =>
  text.replace(/\p{Cc}/gu, ' ').replace(/[\^~\\_]/g, (it) => `_${it.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * Labels sent to a printer by its name, or entered as left to the browser's dialog where there is no name; each kind
 * needs the right of its own button. Rule: labels#printers.
 */
export const toPrinter = (path: `/${string}`, right: `${string}:${string}`) =>
  submit({
    path,
    right,
    input: Type.Object({
      printer: OptionalCode,
      snList: Type.Optional(Type.Array(Sn, { maxItems: MOST_LABELS })),
      /** A test label of this kind in place of any SN's. */
      test: OptionalCode,
    }),
    data: Type.Object({
      /** The print in the journal. */
      printNo: Type.String(),
      printer: Nullable(Type.String()),
      count: Type.Integer(),
    }),
  });

/** The first labels of boards that came in without SNs. Rule: receiving#board-sns. */
export const sendReceivedLabels = toPrinter('/api/rmaReceiveBill/printLabels.json', 'rmaReceiveBill:receive');
