// Reads the first sheet of a workbook in a thread of its own: a hostile or huge one runs out of this thread's memory
// and time, never of the server's, and a station's scan does not wait for it. Plain JavaScript, as plain node loads it.
import { dirname, join } from 'node:path/posix';
import { parentPort, workerData } from 'node:worker_threads';
import { inflateRawSync } from 'node:zlib';

const BATCH = 200;
const { bytes, entries, maxRows, maxColumns } = workerData;

/** Rows as the sheet has them, number (from 1) and cells; empty ones are left out. */
async function* rowsOf() {
  const { streamXlsxRows } = await import('hucre/xlsx');
  yield* streamXlsxRows(bytes, { maxRows: maxRows + 1 });
}

/** One of the archive's files as bytes in a text, as almost all that is looked for is ASCII. */
function textOf(path, encoding = 'latin1') {
  const entry = entries.find((it) => it.name === path);
  if (!entry) return '';
  const { start, packed, unpacked, isDeflated } = entry;
  const content = bytes.subarray(start, start + packed);
  return Buffer.from(isDeflated ? inflateRawSync(content, { maxOutputLength: unpacked + 1 }) : content).toString(
    encoding,
  );
}

const tagsIn = (xml, name) =>
  [...xml.matchAll(new RegExp(`<(?:\\w+:)?${name}(?=[\\s/>])(?:"[^"]*"|'[^']*'|[^"'>])*>`, 'g'))].map(([tag]) => tag);
const attribute = (name) => new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`);
const valueOf = (tag, pattern) => {
  const [, double, single] = pattern.exec(tag) ?? [];
  return double ?? single;
};
const attributeOf = (tag, name) => valueOf(tag, attribute(name));

/** What a part of the archive refers to, by path: the first that is wanted. */
function related(path, isWanted) {
  const tag = tagsIn(textOf(join(dirname(path), '_rels', `${path.split('/').at(-1)}.rels`)), 'Relationship').find(
    isWanted,
  );
  const target = tag && attributeOf(tag, 'Target');
  return target ? join(target.startsWith('/') ? '.' : dirname(path), target.replace(/^\//, '')) : '';
}

const NAMED = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' };
const unescaped = (text) =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi, (whole, decimal, hex, name) => {
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : (NAMED[name] ?? whole);
  });

/** The formats that a file need not write out. By which sign 5 to 8 and 41 to 44 show an amount depends on who looks, how many digits does not. */
const WHOLE = '#,##0';
const CENTS = '#,##0.00';
const TIME = 'h:mm:ss';
const BUILT_IN = {
  ...{ 1: '0', 2: '0.00', 3: WHOLE, 4: CENTS, 5: WHOLE, 6: WHOLE, 7: CENTS, 8: CENTS, 9: '0%', 10: '0.00%' },
  ...{ 11: '0.00E+00', 12: '# ?/?', 13: '# ??/??', 37: WHOLE, 38: WHOLE, 39: CENTS, 40: CENTS },
  ...{ 41: WHOLE, 42: WHOLE, 43: CENTS, 44: CENTS, 48: '##0.0E+0' },
  // Of days and times those of times alone, and 32 to 35, 55 and 56 as Chinese files have them.
  ...{ 18: TIME, 19: TIME, 20: TIME, 21: TIME, 32: TIME, 33: TIME, 34: TIME, 35: TIME, 45: TIME, 46: TIME, 47: TIME },
  ...{ 55: TIME, 56: TIME },
};
/** Shows the number as it is. */
const PLAIN = /^(?:General|@)?$/i;

/** How each style shows numbers, where that may be otherwise than as they are. */
function findFormats(workbook) {
  const xml = textOf(
    related(workbook, (tag) => attributeOf(tag, 'Type')?.endsWith('/styles')),
    'utf8',
  );
  const own = new Map(
    tagsIn(xml, 'numFmt').map((it) => [attributeOf(it, 'numFmtId'), unescaped(attributeOf(it, 'formatCode') ?? '')]),
  );
  const [cells = ''] = /<(?:\w+:)?cellXfs[\s>][^]*?<\/(?:\w+:)?cellXfs>/.exec(xml) ?? [];
  return tagsIn(cells, 'xf').map((tag) => {
    const id = attributeOf(tag, 'numFmtId');
    const format = own.get(id) ?? BUILT_IN[id] ?? '';
    return PLAIN.test(format) ? undefined : format;
  });
}

const FORMULA = /<(?:\w+:)?f[\s/>]/;
const MOMENT = /\st\s*=\s*["']d["']/;
const [PLACE, STYLE, KIND, HIDDEN] = ['r', 's', 't', 'hidden'].map(attribute);
const noneOf = (name) => new RegExp(`\\s${name}\\s*=\\s*["']0+(?:\\.0+)?["']`);
const [NO_HEIGHT, NO_WIDTH] = ['ht', 'width'].map(noneOf);
/** Whether it says that nobody is shown it, or has no size to be shown at. */
const isUnshown = (tag, noSize) => ['1', 'true'].includes(valueOf(tag, HIDDEN)) || noSize.test(tag);
const INLINE = /\s*<(?:\w+:)?is[\s>][^]*?<\/(?:\w+:)?is>/y;
const PIECE = /<(?:\w+:)?t(?:\s[^<>]*)?>([^<]*)</g;
/** How a text is read aloud, written beside it: no part of what it says. */
const READING = /<(?:\w+:)?rPh[\s>]/g;
const READING_END = /<\/(?:\w+:)?rPh>/g;
const CDATA = '<![CDATA[';

/** Without the readings beside it: each sign is passed by once, however many readings have no end. */
function withoutReadings(text) {
  let said = '';
  let from = 0;
  for (;;) {
    READING.lastIndex = from;
    const begin = READING.exec(text);
    if (!begin) return said + text.slice(from);
    said += text.slice(from, begin.index);
    READING_END.lastIndex = begin.index;
    if (!READING_END.exec(text)) return said;
    from = READING_END.lastIndex;
  }
}

/** What stands in it as it is, written as other texts are. */
function withoutCdata(text) {
  const [first = '', ...others] = text.split(CDATA);
  const written = others.map((it) => {
    const end = it.indexOf(']]>');
    return end < 0 ? '' : it.slice(0, end).replaceAll('&', '&amp;').replaceAll('<', '&lt;') + it.slice(end + 3);
  });
  return first + written.join('');
}

/** What a text that stands in its cell says, where it has readings beside it. The sheet was read as bytes. */
function inlineText(xml, from) {
  INLINE.lastIndex = from;
  const [text = ''] = INLINE.exec(xml) ?? [];
  const whole = withoutCdata(text);
  const plain = withoutReadings(whole);
  if (plain === whole) return undefined;
  const said = [...plain.matchAll(PIECE)].map(([, it]) => it).join('');
  // As the library reads all other texts.
  return unescaped(Buffer.from(said, 'latin1').toString('utf8')).replace(/_x([\da-f]{4})_/gi, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** The columns, from 0, that nobody is shown: they are said before the rows. */
function findHiddenColumns(xml) {
  const heading = xml.slice(0, Math.max(0, xml.search(/<(?:\w+:)?sheetData[\s/>]/)));
  const found = new Set();
  for (const tag of tagsIn(heading, 'col')) {
    if (!isUnshown(tag, NO_WIDTH)) continue;
    const [first, last] = ['min', 'max'].map((name) => Number(attributeOf(tag, name)));
    for (let it = first; it <= Math.min(last, maxColumns); it++) found.add(it - 1);
  }
  return [...found].sort((a, b) => a - b);
}

/**
 * The columns of a row's formulas and of its days that are written out, the formats of its numbers and days, and its texts
 * beside which it stands how they are read aloud, by the row's index; and which rows and columns nobody is shown: the library reads the
 * values that were last computed, and no more.
 */
function findMarks() {
  const formulas = new Map();
  const moments = new Map();
  const formats = new Map();
  const texts = new Map();
  const hidden = new Set();
  const workbook = related('', (tag) => attributeOf(tag, 'Type')?.endsWith('/officeDocument'));
  const sheet = tagsIn(textOf(workbook), 'sheet')[0] ?? '';
  const isHidden = /hidden/i.test(attributeOf(sheet, 'state') ?? '');
  const id = attributeOf(sheet, '(?:\\w+:)?id');
  const xml = textOf(related(workbook, (tag) => attributeOf(tag, 'Id') === id));
  const styles = findFormats(workbook);
  const hiddenColumns = findHiddenColumns(xml);
  const found = { formulas, moments, formats, texts, hidden, isHidden, hiddenColumns };
  const isPhonetic = xml.search(READING) !== -1;
  const isPlain =
    !FORMULA.test(xml) &&
    !MOMENT.test(xml) &&
    !isPhonetic &&
    !HIDDEN.test(xml) &&
    !NO_HEIGHT.test(xml) &&
    styles.every((it) => it === undefined);
  if (isPlain) return found;
  const put = (marks, at, of) => {
    if (!marks.has(at)) marks.set(at, []);
    marks.get(at).push(of);
  };
  let row = -1;
  let column = -1;
  for (const { 0: tag, 1: name, 2: rest, index } of xml.matchAll(/<(?:\w+:)?(row|c|f)(?=[\s/>])([^<>]*)>/g)) {
    if (name === 'f') {
      put(formulas, row, column);
      continue;
    }
    const at = valueOf(rest, PLACE);
    if (name === 'row') {
      row = at ? Number(at) - 1 : row + 1;
      if (isUnshown(rest, NO_HEIGHT)) hidden.add(row);
      column = -1;
    } else {
      column = at ? columnOf(at) : column + 1;
      const format = styles[Number(valueOf(rest, STYLE) ?? 0)];
      const kind = valueOf(rest, KIND) ?? 'n';
      if (kind === 'd') put(moments, row, column);
      const text = kind === 'inlineStr' && isPhonetic ? inlineText(xml, index + tag.length) : undefined;
      if (text !== undefined) put(texts, row, [column, text]);
      if (format === undefined || !['n', 'd'].includes(kind)) continue;
      if (!formats.has(row)) formats.set(row, {});
      formats.get(row)[column] = format;
    }
  }
  return found;
}

/** `B7` is in column 1. */
const columnOf = (cell) => [...cell.replace(/\d+$/, '')].reduce((sum, it) => sum * 26 + it.charCodeAt(0) - 64, 0) - 1;

const isEmpty = (value) => value === null || value === undefined || value === '';

const ISO = /^(?:(\d{4}-\d\d-\d\d)(?:T|$))?(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?Z?$/;

/** A day that is written out (`t="d"`) says its clock and no zone; a time alone is that of the day before days begin. */
function momentOf(text) {
  const [, day = '1899-12-31', time = '00:00'] = ISO.exec(text) ?? [undefined, 'none'];
  return new Date(`${day}T${time}Z`);
}

/** What a cell says: text, number, moment or yes/no; of a formula the value that was last computed. */
function cellOf(value) {
  if (value instanceof Date) return value;
  return typeof value === 'object' ? null : value;
}

function post(message) {
  const taken = new Promise((done) => parentPort.once('message', done));
  parentPort.postMessage(message);
  return taken;
}

const { formulas, moments, formats, texts, hidden, isHidden, hiddenColumns } = findMarks();
let batch = [];
for await (const { index, values } of rowsOf()) {
  let width = values.length;
  while (width > 0 && isEmpty(values[width - 1])) width -= 1;
  const computed = formulas.get(index);
  // A formula that no program has computed yet has no value.
  if (width === 0 && !computed) continue;
  if (width > maxColumns) {
    await post({ fault: 'columns' });
    break;
  }
  const cells = values.slice(0, width).map(cellOf);
  for (const it of moments.get(index) ?? []) if (!isEmpty(cells[it])) cells[it] = momentOf(String(cells[it]));
  for (const [it, text] of texts.get(index) ?? []) if (it < cells.length) cells[it] = text;
  const whyHidden = isHidden ? 'sheet' : hidden.has(index) ? 'row' : undefined;
  batch.push([index + 1, cells, computed, formats.get(index), whyHidden]);
  if (batch.length < BATCH) continue;
  await post({ rows: batch, hiddenColumns });
  batch = [];
}
if (batch.length > 0) await post({ rows: batch, hiddenColumns });
parentPort.postMessage({ done: true });
