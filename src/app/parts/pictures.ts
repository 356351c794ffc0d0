import { LARGEST_FILE, PICTURE_WIDTH } from '#domain/uploads.ts';

const pictureName = /\.(jpe?g|png)$/i;
const logName = /\.txt$/i;

export const isPictureFile = (file: File): boolean =>
  pictureName.test(file.name) && (file.type === '' || /^image\/(jpeg|png)$/.test(file.type));
export const isLogFile = (file: File): boolean => logName.test(file.name);

const QUALITY = 0.8;

/**
 * A picture at most 800 wide, its proportions kept, small enough to be sent; one that already is goes as it is, and so does
 * one that can't be decoded here: the server judges it. Without a worker of the library's own, which would load its
 * code from elsewhere; our policy forbids that.
 */
export async function compressed(
  file: File,
  signal?: AbortSignal,
  onProgress?: (share: number) => void,
): Promise<Blob> {
  const image = await createImageBitmap(file).catch(() => undefined);
  if (!image) return file;
  const { width, height } = image;
  image.close();
  if (width <= PICTURE_WIDTH && file.size <= LARGEST_FILE) return file;
  const { default: compress } = await import('browser-image-compression');
  const longest = Math.max(width, height);
  const small = await compress(file, {
    useWebWorker: false,
    maxSizeMB: LARGEST_FILE / 1024 / 1024,
    maxWidthOrHeight: Math.round(longest * Math.min(1, PICTURE_WIDTH / width)),
    initialQuality: QUALITY,
    fileType: /\.png$/i.test(file.name) ? 'image/png' : 'image/jpeg',
    ...(signal && { signal }),
    ...(onProgress && { onProgress: (percent: number) => onProgress(percent / 100) }),
  }).catch((error: unknown) => {
    signal?.throwIfAborted();
    void error;
    return file;
  });
  return small;
}
