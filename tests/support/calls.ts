import { readModel } from '#server/definitions/read.ts';
import { fileCalls } from '#server/uploads/moduleCalls.ts';
import type { TestApp } from '#tests/support/app.ts';
import { genericActions, registers } from '#tests/support/features.ts';

export interface Called {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  /** Any one of them is enough. */
  rights: string[];
  /** As it is mounted, its `:names` not filled. */
  url: string;
  /** It is answered with a stream, which has no end of its own. */
  streams: boolean;
}

const { definitions } = readModel(registers);

/** Every call that the server has mounted, the generic ones for each module that has them. */
export function callsOf({ app }: TestApp): Called[] {
  const all = app.declaredRights
    .filter((it) => it.method !== 'HEAD')
    .flatMap(({ method, url, right, streams = false }): Called[] => {
      const called = {
        method: method as Called['method'],
        path: url.replace(':id', '0'.repeat(32)),
        rights: right.split(' '),
        url,
        streams,
      };
      if (right !== 'byModule') return [called];
      const action = [...genericActions, ...fileCalls].find(
        (it) => it.method === method && url.endsWith(`/${it.name}.json`),
      );
      return [...definitions.values()].flatMap((definition) => {
        const needed = action?.rightOf(definition);
        return needed ? [{ ...called, path: url.replace(':module', definition.module), rights: [needed] }] : [];
      });
    });
  // A path of its own goes before the generic one.
  return [...new Map(all.toReversed().map((it) => [`${it.method} ${it.path}`, it])).values()];
}
