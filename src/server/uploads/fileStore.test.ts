import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect, it } from 'vitest';
import { createFolderStore, isFileId, newFileId } from '#server/uploads/fileStore.ts';

const folder = mkdtempSync(join(tmpdir(), 'reflow-files-'));
const store = createFolderStore(folder);
afterAll(() => rmSync(folder, { recursive: true }));

it('gives back what was put, and nothing after it was removed', async () => {
  const id = newFileId();
  await store.put(id, Buffer.from('内容'));
  expect((await buffer(store.get(id))).toString()).toBe('内容');
  expect(readdirSync(join(folder, id.slice(0, 2)))).toEqual([id]);
  await store.remove(id);
  await expect(buffer(store.get(id))).rejects.toThrow('ENOENT');
});

it('ids are 128 random bits, and no two alike', () => {
  const ids = new Set(Array.from({ length: 1000 }, newFileId));
  expect(ids.size).toBe(1000);
  for (const id of ids) expect(isFileId(id)).toBe(true);
});

it.each(['../../etc/passwd', '..', '', 'a'.repeat(31), `${'a'.repeat(32)}/..`, 'A'.repeat(32), `${'a'.repeat(32)}\0`])(
  'takes no path for an id: %j',
  async (id) => {
    expect(isFileId(id)).toBe(false);
    await expect(store.put(id, Buffer.from('x'))).rejects.toThrow('not the id of a file');
    expect(() => store.get(id)).toThrow('not the id of a file');
  },
);
