import { type Envelope, SUCCESS } from '#domain/call.ts';
import { addressOf, CallError, newKey } from '#app/send.ts';
import { currentToken } from '#app/session.ts';

/** What is sent, after compression, is at most 5 MiB. Design section 13. */
export const LARGEST_FILE = 5 * 1024 * 1024;
/** Spec 2 §9. */
export const PICTURE_WIDTH = 800;

const pictureName = /\.(jpe?g|png)$/i;
const logName = /\.txt$/i;

export const isPictureFile = (file: File): boolean =>
  pictureName.test(file.name) && (file.type === '' || /^image\/(jpeg|png)$/.test(file.type));
export const isLogFile = (file: File): boolean => logName.test(file.name);

/** A picture at most 800 wide; one that can't be decoded here goes as it is, and the server judges it. */
export async function compressed(file: File): Promise<Blob> {
  const image = await createImageBitmap(file).catch(() => undefined);
  if (!image || image.width <= PICTURE_WIDTH) return file;
  const canvas = document.createElement('canvas');
  canvas.width = PICTURE_WIDTH;
  canvas.height = Math.round((image.height * PICTURE_WIDTH) / image.width);
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  image.close();
  return (await new Promise<Blob | null>((done) => canvas.toBlob(done, file.type || 'image/jpeg', 0.85))) ?? file;
}

/** Sends one file and gives its address in this house. */
export async function upload(file: Blob, name: string): Promise<string> {
  const body = new FormData();
  body.append('file', file, name);
  const headers = { token: currentToken.get(), 'idempotency-key': newKey() };
  const answer = await fetch(addressOf('/api/RmaPicture/upload.json'), { method: 'POST', headers, body }).catch(() => {
    throw new CallError('', '', 0, true);
  });
  const envelope = (await answer.json().catch(() => null)) as Envelope<{ url: string }> | null;
  if (envelope?.code !== SUCCESS) throw new CallError(envelope?.code ?? '', envelope?.msg ?? '', answer.status, false);
  return envelope.data.url;
}
