import { type FirstPart, partsFor } from '#domain/firstParts.ts';

const parts: Record<FirstPart, () => Promise<unknown>> = {
  shell: () => import('#app/shell/Shell.tsx'),
  home: () => import('#app/home/HomePage.tsx'),
  moduleRoutes: () => import('#app/shell/ModuleRoutes.tsx'),
  list: () => import('#app/engine/ListPage.tsx'),
  detail: () => import('#app/engine/DetailPage.tsx'),
  form: () => import('#app/engine/FormDialog.tsx'),
};

/** Asks for what an address will need, beside the calls that are made meanwhile; who shows a part loads it as well. */
export function foresee(pathname: string): void {
  for (const it of partsFor(pathname)) void parts[it]();
}
