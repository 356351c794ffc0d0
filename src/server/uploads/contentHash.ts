import { webcrypto } from 'node:crypto';

/** The SHA-256 of a file, by which a repeated upload is known. Reckoned beside the event loop: a large one takes a while. */
export async function contentHash(bytes: Buffer): Promise<string> {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex');
}
