/** One file of an archive, as its directory declares it. */
interface ZipEntry {
  name: string;
  packed: number;
  unpacked: number;
  /** Where its content begins. */
  start: number;
  isDeflated: boolean;
}

/** What an archive may unpack to. Rule: uploads#archives. */
export const zipLimits = { entries: 1000, unpacked: 50 * 1024 * 1024, ratio: 100, ratioFrom: 1024 * 1024 } as const;

type ZipFault = 'broken' | 'huge';

const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const LONGEST_COMMENT = 65_535;

/**
 * The directory of a zip archive, or what is wrong with it, read without unpacking anything. Refused are more entries
 * or more bytes than the limits, a ratio that no honest file has, sizes that are hidden (zero, ZIP64) or that overlap,
 * encryption, a method other than stored and deflated, and the same name twice. Whoever unpacks afterwards has to stop
 * at the declared size; what is declared here is bounded.
 */
export function parseDirectory(bytes: Buffer): readonly ZipEntry[] | ZipFault {
  const end = findEnd(bytes);
  if (end < 0) return 'broken';
  const count = bytes.readUInt16LE(end + 10);
  let at = bytes.readUInt32LE(end + 16);
  if (count > zipLimits.entries) return 'huge';
  const entries: ZipEntry[] = [];
  const spans: [number, number][] = [];
  for (let i = 0; i < count; i++) {
    if (at + 46 > end || bytes.readUInt32LE(at) !== CENTRAL) return 'broken';
    const flags = bytes.readUInt16LE(at + 8);
    const method = bytes.readUInt16LE(at + 10);
    const packed = bytes.readUInt32LE(at + 20);
    const unpacked = bytes.readUInt32LE(at + 24);
    const nameLength = bytes.readUInt16LE(at + 28);
    const local = bytes.readUInt32LE(at + 42);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    if ((flags & 1) !== 0 || (method !== 0 && method !== 8)) return 'broken';
    if (packed === 0xffffffff || unpacked === 0xffffffff) return 'huge';
    if (unpacked === 0 && packed > 2) return 'broken';
    if (method === 0 && packed !== unpacked) return 'broken';
    if (local + 30 > bytes.length || bytes.readUInt32LE(local) !== LOCAL) return 'broken';
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    if (start + packed > bytes.length) return 'broken';
    if (unpacked > zipLimits.ratioFrom && unpacked > packed * zipLimits.ratio) return 'huge';
    entries.push({ name, packed, unpacked, start, isDeflated: method === 8 });
    spans.push([local, start + packed]);
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  if (entries.reduce((sum, it) => sum + it.unpacked, 0) > zipLimits.unpacked) return 'huge';
  if (new Set(entries.map((it) => it.name)).size !== entries.length) return 'broken';
  return overlap(spans) ? 'broken' : entries;
}

/** Where the record stands that ends every archive; -1 without one. */
function findEnd(bytes: Buffer): number {
  const first = Math.max(0, bytes.length - 22 - LONGEST_COMMENT);
  for (let at = bytes.length - 22; at >= first; at--) if (bytes.readUInt32LE(at) === END) return at;
  return -1;
}

/** Entries that share their bytes make a small archive unpack to anything. */
function overlap(spans: [number, number][]): boolean {
  const sorted = [...spans].sort(([a], [b]) => a - b);
  return sorted.some(([start], i) => i > 0 && start < (sorted[i - 1] as [number, number])[1]);
}
