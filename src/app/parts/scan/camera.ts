/** What browsers that read barcodes by themselves offer; the types of the language do not know it yet. */
export interface Detector {
  detect: (picture: HTMLVideoElement) => Promise<{ rawValue: string }[]>;
}
type DetectorClass = new () => Detector;

const detectorClass = (): DetectorClass | undefined =>
  (window as unknown as { BarcodeDetector?: DetectorClass }).BarcodeDetector;

/** A browser gives its camera over a secure connection alone, and not every browser reads barcodes. */
export const canUseCamera = (): boolean =>
  window.isSecureContext && navigator.mediaDevices !== undefined && detectorClass() !== undefined;

export function createDetector(): Detector {
  const Known = detectorClass();
  if (!Known) throw new Error('This browser reads no barcodes');
  return new Known();
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
