import { lazy, Suspense, useEffect, useMemo, type ComponentType, type ReactNode } from 'react';
import { Navigate, Route, useLocation } from 'react-router-dom';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { CoreAdminContext, CoreAdminUI, CustomRoutes, Resource, useTranslate } from 'ra-core';
import CssBaseline from '@mui/material/CssBaseline';
import { ThemeProvider } from '@mui/material/styles';
import { authProvider, HOME } from '#app/authProvider.ts';
import { dataProvider } from '#app/dataProvider.ts';
import { leavesOf } from '#app/engine/module.ts';
import { i18nProvider } from '#app/i18nProvider.ts';
import { LanguageProvider } from '#app/LanguageProvider.tsx';
import { notices } from '#app/notify.ts';
import { parts } from '#app/preload.ts';
import { createClient } from '#app/queryClient.ts';
import { currentUser, followOtherWindows, onSessionLost, useMenu, useUser } from '#app/session.ts';
import { useAppearance } from '#app/shell/appearance.ts';
import { BrokenPage } from '#app/shell/BrokenPage.tsx';
import { ErrorPage } from '#app/shell/ErrorPage.tsx';
import { Guard, SignedIn } from '#app/shell/Guard.tsx';
import { Notices } from '#app/shell/Notices.tsx';
import { NotifyProvider } from '#app/shell/NotifyProvider.tsx';
import { ShellSkeleton } from '#app/shell/ShellSkeleton.tsx';
import { LoginPage } from '#app/sign-in/LoginPage.tsx';
import { createUserStore } from '#app/userStore.ts';

const Shell = lazy(parts.shell);
const UnknownAddress = lazy(() => import('#app/shell/UnknownAddress.tsx'));
const HomePage = lazy(parts.home);
const ChangePasswordPage = lazy(() => import('#app/sign-in/ChangePasswordPage.tsx'));
const ErrorLogPage = lazy(() => import('#app/error-log/ErrorLogPage.tsx'));

interface AppProps {
  /** The views of a menu entry: `ModuleRoutes` with the features' pages and dialogs. */
  Modules: ComponentType;
  /** What was asked for already; left out, nothing. */
  client?: QueryClient;
}

/** Stands inside of a router; everything that react-admin needs is given here, once. */
export function App({ Modules, client: given }: AppProps) {
  const client = useMemo(() => given ?? createClient(), [given]);
  const userId = useUser()?.userId;
  const store = useMemo(() => createUserStore(userId), [userId]);
  return (
    <CoreAdminContext
      authProvider={authProvider}
      dataProvider={dataProvider}
      i18nProvider={i18nProvider}
      queryClient={client}
      store={store}
    >
      <LanguageProvider>
        <NotifyProvider>
          <Themed Modules={Modules} />
        </NotifyProvider>
      </LanguageProvider>
    </CoreAdminContext>
  );
}

function Themed({ Modules }: AppProps) {
  const { theme } = useAppearance();
  return (
    <ThemeProvider theme={theme}>
      <CssBaseline enableColorScheme />
      <Pages Modules={Modules} />
      <Notices />
      <SessionEnd />
    </ThemeProvider>
  );
}

/** A list for each entry of the user's menu, and the pages of the product. */
function Pages({ Modules }: AppProps) {
  const menu = useMenu();
  const resources = useMemo(
    () =>
      leavesOf(menu ?? []).map((it) => (
        <Resource key={it.menuNo} name={it.menuNo} list={Modules} hasCreate hasEdit hasShow />
      )),
    [menu, Modules],
  );
  const children = useMemo(() => [...fixedRoutes, ...resources], [resources]);
  const catchAll = useMemo(() => () => <UnknownAddress Modules={Modules} />, [Modules]);
  return (
    <CoreAdminUI disableTelemetry layout={Layout} catchAll={catchAll} error={BrokenPage} title="">
      {children}
    </CoreAdminUI>
  );
}

/** The frame is no part of the login page, so it comes with the first page behind it. */
function Layout({ children }: { children: ReactNode }) {
  return (
    <Guard login={<LoginPage />}>
      {(at) => (
        <Suspense fallback={at && <ShellSkeleton />}>
          <Shell at={at}>{children}</Shell>
        </Suspense>
      )}
    </Guard>
  );
}

/** Home, or where an address of react-admin's own router points to: `/#/{menuNo}/{id}`. */
function Start() {
  const [, path = HOME] = /^#(\/\w.*)$/.exec(useLocation().hash) ?? [];
  return <Navigate to={path} replace />;
}

const fixedRoutes = [
  <CustomRoutes key="pages">
    <Route path="/" element={<Start />} />
    <Route path="/home" element={<HomePage />} />
    <Route path="/changePassword" element={<ChangePasswordPage />} />
    <Route id="error_logger_page" path="/error_logger_page" element={<ErrorLogPage />} />
  </CustomRoutes>,
  <CustomRoutes key="errors" noLayout>
    <Route id="error_401" path="/401" element={<SignedIn children={<ErrorPage code="401" />} />} />
    <Route id="error_500" path="/500" element={<SignedIn children={<ErrorPage code="500" />} />} />
  </CustomRoutes>,
];

/** In the language of the moment: it is often chosen at the sign-in. */
const Words = ({ of }: { of: string }) => useTranslate()(of);
const [lost, kept] = ['lost', 'kept'].map((it) => <Words of={`shell.session.${it}`} />);

/** Says once that the session is over; the guard leads to the login by itself. */
function SessionEnd() {
  const client = useQueryClient();
  useEffect(() => onSessionLost(() => notices.error(lost, kept)), []);
  useEffect(followOtherWindows, []);
  // Nobody else reads any of it.
  useEffect(() => currentUser.subscribe(() => currentUser.get() ?? client.clear()), [client]);
  return null;
}
