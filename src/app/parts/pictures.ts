import { LARGEST_FILE, PICTURE_WIDTH } from '#domain/uploads.ts';

const pictureName = /\.(jpe?g|png)$/i;
const logName = /\.txt$/i;

export const isPictureFile = (file: File): boolean =>
  pictureName.test(file.name) && (file.type === '' || /^image\/(jpeg|png)$/.test(file.type));
export const isLogFile = (file: File): boolean => logName.test(file.name);

const QUALITY = 0.8;

/**
 * A picture at most 800 wide, its proportions and its format kept; one that already is and may be sent goes as it is, and
 * so does one that can't be decoded here: the server judges it. Decoded and scaled by the browser itself, beside the page,
 * so that a scan is not kept waiting by a photo.
 */
export async function compressed(file: File, signal?: AbortSignal): Promise<Blob> {
  const whole = await createImageBitmap(file).catch(() => undefined);
  if (!whole) return file;
  const { width, height } = whole;
  whole.close();
  signal?.throwIfAborted();
  if (width <= PICTURE_WIDTH && file.size <= LARGEST_FILE) return file;
  const resizeWidth = Math.min(width, PICTURE_WIDTH);
  const resizeHeight = Math.max(1, Math.round((height * resizeWidth) / width));
  const small = await createImageBitmap(file, { resizeWidth, resizeHeight, resizeQuality: 'high' });
  const canvas = document.createElement('canvas');
  canvas.width = small.width;
  canvas.height = small.height;
  canvas.getContext('2d')?.drawImage(small, 0, 0);
  small.close();
  signal?.throwIfAborted();
  const type = /\.png$/i.test(file.name) ? 'image/png' : 'image/jpeg';
  return (await new Promise<Blob | null>((done) => canvas.toBlob(done, type, QUALITY))) ?? file;
}
