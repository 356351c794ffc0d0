import { currencySignOf, digitsOf } from '#domain/money.ts';
import type { XmlBytes } from '#server/exports/xmlBytes.ts';

/**
 * The parts of a workbook that is streamed, as XML. The library that reads and writes the small ones takes 25 to 30
 * microseconds for a row of 15 cells, most of it for each cell's style and attributes; a large report was written longer
 * than it was read.
 */
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** A cell's style by its place in `styles.xml`; those of money follow, one for each currency. */
export const CellStyle = { Plain: 0, Heading: 1, Text: 2, Date: 3, DateTime: 4 } as const;
const FIRST_MONEY_STYLE = 5;

const FIRST_FORMAT = 164;
const formats = ['@', 'yyyy-mm-dd', 'yyyy-mm-dd hh:mm:ss'];
const inFormat = (_: string, i: number) =>
  `<xf numFmtId="${FIRST_FORMAT + i}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`;
const FONT = '<sz val="11"/><name val="Calibri"/>';
const PLAIN = 'numFmtId="0" fontId="0" fillId="0" borderId="0"';
function stylesXml(all: readonly string[]): string {
  return `${DECLARATION}<styleSheet xmlns="${MAIN}"><numFmts count="${all.length}">${all
    .map((it, i) => `<numFmt numFmtId="${FIRST_FORMAT + i}" formatCode="${inAttribute(it)}"/>`)
    .join('')}</numFmts><fonts count="2"><font>${FONT}</font><font><b/>${FONT}</font></fonts>\
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>\
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>\
<cellStyleXfs count="1"><xf ${PLAIN}/></cellStyleXfs><cellXfs count="${all.length + 2}"><xf ${PLAIN} xfId="0"/>\
<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>${all.map(inFormat).join('')}</cellXfs>\
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;
}

/** How a spreadsheet shows an amount: its currency's sign and digits. Rule: exports-and-jobs#cells. */
export function moneyFormat(currency: unknown): string {
  const digits = digitsOf(currency);
  const amount = `"${currencySignOf(currency).replaceAll('"', '')}"#,##0${digits > 0 ? `.${'0'.repeat(digits)}` : ''}`;
  return `${amount};-${amount}`;
}

/** The formats of the amounts that a workbook turns out to hold, each with a style of its own. */
export class MoneyStyles {
  readonly formats: string[] = [];

  of(currency: unknown): number {
    const format = moneyFormat(currency);
    const known = this.formats.indexOf(format);
    return FIRST_MONEY_STYLE + (known >= 0 ? known : this.formats.push(format) - 1);
  }
}

/** What stands before a sheet's rows: the first row does not move when the sheet is scrolled. */
export const openSheet = (widths: readonly number[]): string =>
  `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">\
<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>\
<sheetFormatPr defaultRowHeight="15"/><cols>${widths
    .map((width, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`)
    .join('')}</cols><sheetData>`;

/** What stands behind a sheet's rows: its heading filters them. */
export const closeSheet = (range: string): string => `</sheetData><autoFilter ref="${range}"/></worksheet>`;

/** A sheet's cells from its first on. */
export const rangeOf = (columns: number, rows: number): string => `A1:${columnName(Math.max(columns, 1) - 1)}${rows}`;

/** A column's letters: A to Z, then AA. */
export function columnName(index: number): string {
  const before = Math.floor(index / 26);
  return (before > 0 ? columnName(before - 1) : '') + String.fromCharCode(65 + (index % 26));
}

export const headingCell = (column: string, text: string): string =>
  `<c r="${column}1" t="inlineStr" s="${CellStyle.Heading}"><is><t>${escapeXml(text)}</t></is></c>`;

/** Writes the cells of one column: a number as the column shows it, a text so that no program takes it for a formula. */
export function createCellWriter(column: string, style: number) {
  const open = `<c r="${column}`;
  const number = style === CellStyle.Plain ? '"><v>' : `" s="${style}"><v>`;
  return (xml: XmlBytes, row: string, value: number | string): void => {
    xml.ascii(open);
    xml.ascii(row);
    if (typeof value === 'number') {
      xml.ascii(number);
      xml.ascii(style === CellStyle.DateTime ? daysText(value) : String(value));
      xml.ascii(END);
    } else if (isMarked(value) || !xml.plain(PLAIN_TEXT, value, END)) {
      xml.xml(inlineText(value));
    }
  };
}

/**
 * A text with nothing in it that wants care is written as a formula's result is, without a formula: by a third shorter,
 * and known to every program.
 */
const PLAIN_TEXT = '" t="str"><v>';
const END = '</v></c>';

const PRECISION = 1e9;

/** Days with a fraction; two whole numbers become text in a third of the time of one with 17 digits. */
function daysText(days: number): string {
  const whole = Math.floor(days);
  const part = Math.round((days - whole) * PRECISION);
  return part === 0 || part === PRECISION ? String(days) : `${whole}.${String(PRECISION + part).slice(1)}`;
}

/** Whether a text's cell says more than that it is one. Letters, digits and signs, as nearly all begin and end, are told at once. */
const isMarked = (text: string): boolean =>
  !(isWord(text.charCodeAt(0)) && isWord(text.charCodeAt(text.length - 1))) &&
  (FORMULA.test(text) || OUTER_SPACE.test(text));

const isWord = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) ||
  (code >= 0x41 && code <= 0x5a) ||
  (code >= 0x61 && code <= 0x7a) ||
  (code >= 0x4e00 && code <= 0x9fff);

/** Any text, with all that its cell has to say. */
function inlineText(text: string): string {
  const styled = FORMULA.test(text) ? ` s="${CellStyle.Text}"` : '';
  const space = OUTER_SPACE.test(text) ? ' xml:space="preserve"' : '';
  return `" t="inlineStr"${styled}><is><t${space}>${escapeXml(text)}</t></is></c>`;
}

/** How a formula begins, in any spreadsheet program. */
export const FORMULA = /^[\ufffe\uffff]*[=+\-@\t\r\0＝＋－＠]/;

/** A reader may drop spaces at the ends of a text and take a line's end for a space, unless it is told not to. */
const OUTER_SPACE = /^ | $|[\t\n]/;
/** What is no text in XML, and an underscore that would begin the escape of a control character. */
const UNSAFE = /[&<>\0-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[\dA-Fa-f]{4}_)/;
const allUnsafe = new RegExp(UNSAFE, 'g');
/** The last two have no escape: they are left out. */
const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\ufffe': '', '\uffff': '' };

/** Most texts hold nothing of it, and looking for it is quicker than replacing it. */
const escapeXml = (text: string): string =>
  UNSAFE.test(text)
    ? text.replace(allUnsafe, (it) => names[it] ?? `_x${it.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    : text;

const inAttribute = (text: string): string => escapeXml(text).replaceAll('"', '&quot;');

/** Every other part of a workbook that has these sheets and these formats of money, by its path. */
export function otherParts(names: readonly string[], moneyFormats: readonly string[]): Map<string, string> {
  const sheets = names.map((name, i) => ({ name, n: i + 1 }));
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${DOCUMENT}/${type}" Target="${target}"/>`;
  const relations = (them: string) =>
    `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${them}</Relationships>`;
  const override = (path: string, type: string) =>
    `<Override PartName="/xl/${path}" ContentType="${TYPES}.${type}+xml"/>`;
  return new Map([
    ['xl/styles.xml', stylesXml([...formats, ...moneyFormats])],
    [
      'xl/workbook.xml',
      `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${DOCUMENT}"><sheets>${sheets
        .map(({ name, n }) => `<sheet name="${inAttribute(name)}" sheetId="${n}" r:id="rId${n}"/>`)
        .join('')}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      relations(
        sheets.map(({ n }) => relation(`rId${n}`, 'worksheet', `worksheets/sheet${n}.xml`)).join('') +
          relation(`rId${sheets.length + 1}`, 'styles', 'styles.xml'),
      ),
    ],
    ['_rels/.rels', relations(relation('rId1', 'officeDocument', 'xl/workbook.xml'))],
    [
      '[Content_Types].xml',
      `${DECLARATION}<Types xmlns="${PACKAGE}/content-types">\
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\
<Default Extension="xml" ContentType="application/xml"/>${override('workbook.xml', 'sheet.main')}${sheets
        .map(({ n }) => override(`worksheets/sheet${n}.xml`, 'worksheet'))
        .join('')}${override('styles.xml', 'styles')}</Types>`,
    ],
  ]);
}
