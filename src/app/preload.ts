import { type FirstPart, partsFor } from '#domain/firstParts.ts';
import { loadCalls } from '#app/dataProvider.ts';
import { type Load, loadOnce } from '#app/loadOnce.ts';

export const parts = {
  shell: loadOnce(() => import('#app/shell/Shell.tsx')),
  calls: loadCalls,
  home: loadOnce(() => import('#app/home/HomePage.tsx')),
  list: loadOnce(() => import('#app/engine/ListPage.tsx')),
  detail: loadOnce(() => import('#app/engine/DetailPage.tsx')),
  form: () => import('#app/engine/FormDialog.tsx'),
} satisfies Record<Exclude<FirstPart, 'moduleRoutes'>, Load<unknown>>;

/**
 * Asks for what an address will need, beside the calls that are made meanwhile; who shows a part loads it as well.
 * `moduleRoutes` come with the features, so the entry alone can load them.
 */
export function preload(pathname: string, moduleRoutes?: Load<unknown>): Promise<unknown> {
  return Promise.allSettled(partsFor(pathname).map(async (it) => ({ ...parts, moduleRoutes })[it]?.()));
}
