import { partsFor } from '#domain/firstParts.ts';

/** The parts that are loaded when they are needed; named once, so that who foresees the need can ask early. */
export const chunks = {
  product: () => import('#app/start.tsx'),
  shell: () => import('#app/shell/Shell.tsx'),
  home: () => import('#app/home/HomePage.tsx'),
  changePassword: () => import('#app/sign-in/ChangePasswordPage.tsx'),
  errorLog: () => import('#app/error-log/ErrorLogPage.tsx'),
  palette: () => import('#app/palette/Palette.tsx'),
  shortcutSheet: () => import('#app/shell/ShortcutSheet.tsx'),
  moduleRoutes: () => import('#app/shell/ModuleRoutes.tsx'),
  unknownAddress: () => import('#app/shell/UnknownAddress.tsx'),
  list: () => import('#app/engine/ListPage.tsx'),
  detail: () => import('#app/engine/DetailPage.tsx'),
  form: () => import('#app/engine/FormDialog.tsx'),
  offline: () => import('#app/worker/registration.ts'),
};

/** Asks for what an address will need, beside the calls that are made meanwhile. */
export function foresee(pathname: string): void {
  for (const it of partsFor(pathname)) void chunks[it]();
}
