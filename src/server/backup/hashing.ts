import type { Hash } from 'node:crypto';

/** Hands on what it is given, and hashes it. For a pipeline. */
export const hashing = (hash: Hash) =>
  async function* hashed(content: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    for await (const bytes of content) {
      hash.update(bytes);
      yield bytes;
    }
  };

/** What the hash of all files is made of. */
export const lineOfFile = (id: string, content: Hash): string => `${id} ${content.digest('hex')}\n`;
