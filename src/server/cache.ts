import { LRUCache } from 'lru-cache';
import type { Model } from '#domain/definition/grammar.ts';
import { versionOf, type Versions } from '#server/changes.ts';

/** What this server keeps in memory, counted in rows; the oldest goes first. */
export type CacheMemory = LRUCache<string, { version: string; value: Promise<unknown>; rows: number }>;
export const createCacheMemory = (): CacheMemory => new LRUCache({ maxSize: 20_000, sizeCalculation: (it) => it.rows });

/** A memory for each model, gone with it. */
export function createCacheMemories(): (model: Model) => CacheMemory {
  const memories = new WeakMap<Model, CacheMemory>();
  return (model) => {
    const memory = memories.get(model) ?? createCacheMemory();
    memories.set(model, memory);
    return memory;
  };
}

/** The cache as one request may use it: under the versions that this request has read. */
export interface Cache {
  /**
   * Returns what was computed before from these tables, unless one of them has changed since; else computes it once.
   * `rows` says how much memory it takes, at most. The value is shared: nobody may change it.
   */
  get<T>(key: string, tables: readonly string[], work: () => Promise<T>, rows?: number): Promise<T>;
}

/** Requests that ask for the same at the same time share one answer; a failure is not kept. */
export function cacheFor(memory: CacheMemory, versions: Versions, asked: ReadonlySet<string>): Cache {
  return {
    get<T>(key: string, tables: readonly string[], work: () => Promise<T>, rows = 1): Promise<T> {
      const version = versionOf(versions, asked, tables);
      if (version === undefined) return work();
      const known = memory.get(key);
      if (known?.version === version) return known.value as Promise<T>;
      const value = work();
      memory.set(key, { version, value, rows });
      value.catch(() => {
        if (memory.peek(key)?.value === value) memory.delete(key);
      });
      return value;
    },
  };
}
