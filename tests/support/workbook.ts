import { inflateRawSync } from 'node:zlib';

/** The parts of a workbook as they are written, by their path: what no reader has interpreted yet. */
export function partsOf(workbook: Buffer): Map<string, string> {
  const parts = new Map<string, string>();
  let at = workbook.readUInt32LE(endOf(workbook) + 16);
  while (workbook.readUInt32LE(at) === 0x02014b50) {
    const method = workbook.readUInt16LE(at + 10);
    const size = workbook.readUInt32LE(at + 20);
    const [name, extra, comment] = [28, 30, 32].map((it) => workbook.readUInt16LE(at + it)) as [number, number, number];
    const local = workbook.readUInt32LE(at + 42);
    const start = local + 30 + workbook.readUInt16LE(local + 26) + workbook.readUInt16LE(local + 28);
    const bytes = workbook.subarray(start, start + size);
    const path = workbook.subarray(at + 46, at + 46 + name).toString();
    parts.set(path, (method === 8 ? inflateRawSync(bytes) : bytes).toString());
    at += 46 + name + extra + comment;
  }
  return parts;
}

/** The number by which a workbook's cells name this format. */
export function formatOf(parts: Map<string, string>, format: string): number {
  const styles = parts.get('xl/styles.xml') ?? '';
  const code = format.replaceAll('"', '&quot;');
  const formats = [...styles.matchAll(/<numFmt numFmtId="(\d+)" formatCode="([^"]*)"/g)];
  const id = formats.find((it) => it[2] === code)?.[1];
  const ofCells = styles.slice(styles.indexOf('<cellXfs'));
  return [...ofCells.matchAll(/<xf numFmtId="(\d+)"/g)].findIndex((it) => it[1] === id);
}

function endOf(zip: Buffer): number {
  const at = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (at < 0) throw new Error('no workbook');
  return at;
}
