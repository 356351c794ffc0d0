import wasm from 'zxing-wasm/reader/zxing_reader.wasm?url';
import type { BarcodeFormat } from 'barcode-detector/ponyfill';

export interface Detector {
  detect: (picture: HTMLVideoElement) => Promise<{ rawValue: string }[]>;
}

/** What is printed on units, parts, parcels and our own labels; every other kind only takes time, and may be misread. */
const FORMATS: BarcodeFormat[] = ['code_128', 'code_39', 'data_matrix', 'qr_code'];

/** The same reader in every browser: what some of them bring themselves differs from device to device. */
export async function createDetector(): Promise<Detector> {
  const { BarcodeDetector, prepareZXingModule } = await import('barcode-detector/ponyfill');
  // From this server, not from the address that the library would take.
  await prepareZXingModule({ overrides: { locateFile: () => wasm }, fireImmediately: true });
  return new BarcodeDetector({ formats: FORMATS });
}

/** A code that stays before the camera is one scan; away for so long, in milliseconds, it may be scanned again. */
const GONE_AFTER = 1500;

/** Tells which of the codes in sight are new. */
export function createSight(): (codes: readonly string[], at: number) => string[] {
  const seen = new Map<string, number>();
  return (codes, at) => {
    const fresh = codes.filter((it) => at - (seen.get(it) ?? -Infinity) > GONE_AFTER);
    for (const it of codes) seen.set(it, at);
    return [...new Set(fresh)];
  };
}
