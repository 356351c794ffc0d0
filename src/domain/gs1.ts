/** What separates the elements of a GS1 code: the control character GS, or what scanners that can't type it write instead. */
const SEPARATOR = /\u001d|␝|<GS>|\{GS\}/;

/** Symbology identifiers that say: what follows are GS1 elements. GS1 General Specifications, section 5. */
const ofElements = [']C1', ']D2', ']Q3', ']J1'];

/** AI 21 holds 20 characters at most. GS1 General Specifications, section 3. */
const SERIAL_MAX = 20;

/** Elements of a length that is known by their first two digits, these included; all others end at a separator. Same, figure 7.8.5-2. */
const lengths: Readonly<Record<string, number>> = {
  ...{ '00': 20, '01': 16, '02': 16, '03': 16, '04': 18, '11': 8, '12': 8, '13': 8, '14': 8, '15': 8, '16': 8 },
  ...{ '17': 8, '18': 8, '19': 8, '20': 4, '31': 10, '32': 10, '33': 10, '34': 10, '35': 10, '36': 10, '41': 16 },
};

/** Whether a scanner's symbology identifier announces GS1 elements. */
export const announcesElements = (identifier: string): boolean =>
  // In capitals it would be that of an EAN, whose digits mean something else.
  identifier === ']e0' || ofElements.includes(identifier.toUpperCase());

export const hasSeparator = (text: string): boolean => SEPARATOR.test(text);

/** The serial number (AI 21) of GS1 elements as a scanner sends them: `01` + 14 digits, `21` + serial, separator, … */
export function parseElements(text: string): string | undefined {
  for (const run of text.split(SEPARATOR)) {
    const serial = parseRun(run);
    if (serial !== undefined) return isSerial(serial) ? serial : undefined;
  }
  return undefined;
}

/** Between two separators: elements of known lengths, then at most one of any length. */
function parseRun(run: string): string | undefined {
  let at = 0;
  while (at < run.length) {
    const ai = run.slice(at, at + 2);
    if (ai === '21') return run.slice(at + 2);
    const length = lengths[ai];
    if (length === undefined) return undefined;
    at += length;
  }
  return undefined;
}

/** The serial number of GS1 elements as they are printed for people: `(01)09521234543213(21)SERIAL(10)LOT`. */
export function parsePrinted(text: string): string | undefined {
  if (!/^\(\d{2,4}\)/.test(text)) return undefined;
  const parts = text.split(/\((\d{2,4})\)/);
  const at = parts.findIndex((it, i) => i % 2 === 1 && it === '21');
  const serial = at < 0 ? undefined : parts[at + 1]?.trim();
  return serial !== undefined && isSerial(serial) ? serial : undefined;
}

/** The serial number of a GS1 Digital Link: an http address with `/21/SERIAL` after the product's `/01/` or `/8006/`. */
export function parseDigitalLink(text: string): string | undefined {
  const [path = ''] = text.split(/[?#]/, 1);
  const [scheme, empty, host, ...parts] = path.split('/');
  if (!/^https?:$/i.test(scheme ?? '') || empty !== '' || !host) return undefined;
  const product = parts.findIndex((it, i) => (it === '01' || it === '8006') && /^\d{8,18}$/.test(parts[i + 1] ?? ''));
  if (product < 0) return undefined;
  for (let i = product + 2; i + 1 < parts.length; i += 2) {
    if (parts[i] === '21') return decoded(parts[i + 1] ?? '');
  }
  return undefined;
}

const isSerial = (serial: string): boolean => serial !== '' && serial.length <= SERIAL_MAX;

/** A link may write any letter by its number. */
function decoded(part: string): string | undefined {
  try {
    const serial = decodeURIComponent(part);
    return isSerial(serial) ? serial : undefined;
  } catch {
    return undefined;
  }
}
