import { type FirstPart, partsFor } from '#domain/firstParts.ts';

type Load = () => Promise<unknown>;

const parts: Record<Exclude<FirstPart, 'moduleRoutes'>, Load> = {
  shell: () => import('#app/shell/Shell.tsx'),
  home: () => import('#app/home/HomePage.tsx'),
  list: () => import('#app/engine/ListPage.tsx'),
  detail: () => import('#app/engine/DetailPage.tsx'),
  form: () => import('#app/engine/FormDialog.tsx'),
};

/**
 * Asks for what an address will need, beside the calls that are made meanwhile; who shows a part loads it as well.
 * `moduleRoutes` come with the features, so the entry alone can load them.
 */
export function preload(pathname: string, moduleRoutes?: Load): void {
  for (const it of partsFor(pathname)) void { ...parts, moduleRoutes }[it]?.();
}
