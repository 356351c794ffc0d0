import wasm from 'zxing-wasm/reader/zxing_reader.wasm?url';
import type { ReaderOptions } from 'zxing-wasm/reader';

export interface Detector {
  detect: (picture: HTMLVideoElement) => Promise<{ rawValue: string }[]>;
}

const options: ReaderOptions = {
  // What is printed on units, parts, parcels and our own labels; every other kind only takes time, and may be misread.
  formats: ['Code128', 'Code39', 'DataMatrix', 'QRCode'],
  // GS1 elements as they are printed, `(01)…(21)…`: as they are held, nothing says what they are.
  textMode: 'HRI',
};

/** The same reader in every browser: what some of them bring themselves differs from device to device. */
export async function createDetector(): Promise<Detector> {
  const { prepareZXingModule, readBarcodes } = await import('zxing-wasm/reader');
  // From this server, not from the address that the library would take.
  await prepareZXingModule({ overrides: { locateFile: () => wasm }, fireImmediately: true });
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  return {
    async detect(video) {
      const { videoWidth: width, videoHeight: height } = video;
      if (!canvas || width === 0) return [];
      Object.assign(canvas.canvas, { width, height });
      canvas.drawImage(video, 0, 0);
      const codes = await readBarcodes(canvas.getImageData(0, 0, width, height), options);
      return codes.map((it) => ({ rawValue: it.text }));
    },
  };
}

/** A code that stays before the camera is one scan; away for so long, in milliseconds, it may be scanned again. */
const GONE_AFTER = 1500;

/** Tells which of the codes in sight are new. */
export function createCodeFilter(): (codes: readonly string[], at: number) => string[] {
  const seen = new Map<string, number>();
  return (codes, at) => {
    const fresh = codes.filter((it) => at - (seen.get(it) ?? -Infinity) > GONE_AFTER);
    for (const it of codes) seen.set(it, at);
    return [...new Set(fresh)];
  };
}
