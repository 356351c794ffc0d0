import { Suspense, useCallback, useEffect, useLayoutEffect, useState, type ReactNode } from 'react';
import { type Location, useLocation } from 'react-router-dom';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Drawer from '@mui/material/Drawer';
import { onDraftChanged, preview } from '#app/preview.ts';
import { FailedReads } from '#app/parts/FailedReads.tsx';
import { holdScans } from '#app/parts/scan/scanner.ts';
import { refuseScans } from '#app/parts/scan/signedOut.ts';
import { readAnew } from '#app/queryClient.ts';
import { loadMenu } from '#app/sessionCalls.ts';
import { useIsPhone, useSideMenu } from '#app/shell/appearance.ts';
import { HealthBanner } from '#app/shell/HealthBanner.tsx';
import { CachedPages } from '#app/shell/CachedPages.tsx';
import { Deferred } from '#app/shell/Deferred.tsx';
import { Overlays } from '#app/shell/Overlays.tsx';
import { KeptPages } from '#app/shell/KeptPages.tsx';
import { useIsKiosk } from '#app/shell/kiosk.ts';
import { menuWidth } from '#app/shell/menuWidth.ts';
import { parsePageAddress } from '#app/shell/pageAddress.ts';
import { usePageNames } from '#app/shell/pageNames.ts';
import { offerSignedOut } from '#app/shell/scansAtSignIn.ts';
import { SessionWatch } from '#app/shell/SessionWatch.tsx';
import { ShellContext } from '#app/shell/shellContext.ts';
import { BarsSkeleton, PageSkeleton } from '#app/shell/ShellSkeleton.tsx';
import { SideMenu } from '#app/shell/SideMenu.tsx';
import { TabBar } from '#app/shell/TabBar.tsx';
import { openTab } from '#app/shell/tabs.ts';
import { TopBar } from '#app/shell/TopBar.tsx';
import { usePublishes } from '#app/shell/usePublishes.ts';

/** The top bar and the tabs under it. */
const BARS_HEIGHT = 72;

offerSignedOut({ refuseScans });

/** A page that is loading has no listener yet. Rule: scanning#loading. */
function ComingPage() {
  useLayoutEffect(holdScans, []);
  return <PageSkeleton />;
}

interface ShellProps {
  /** Where the user is; nowhere while the pages stay behind a sign-in. */
  at: Location | null;
  children: ReactNode;
}

/** The frame around every page of somebody who is signed in: menu, top bar, tabs; a preview is the page alone. */
export default function Shell({ at, children }: ShellProps) {
  return (
    <KeptPages at={at}>
      {preview ? <PreviewShell>{children}</PreviewShell> : <FullShell>{children}</FullShell>}
    </KeptPages>
  );
}

function PreviewShell({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  useEffect(
    () =>
      onDraftChanged(() => {
        void readAnew(client);
        if (preview?.hasMenu) void loadMenu();
      }),
    [client],
  );
  return (
    <Box sx={{ display: 'flex', height: '100dvh', bgcolor: 'background.default', color: 'text.primary' }}>
      {preview?.hasMenu && (
        <Box sx={{ flex: 'none', borderRight: 1, borderColor: 'divider' }}>
          <SideMenu collapsed={false} />
        </Box>
      )}
      <Box component="main" sx={{ flex: 1, minWidth: 0, overflow: 'auto' }}>
        <FailedReads />
        <Suspense fallback={<ComingPage />}>
          <ShellContext value={true}>{children}</ShellContext>
        </Suspense>
      </Box>
    </Box>
  );
}

function FullShell({ children }: { children: ReactNode }) {
  const isPhone = useIsPhone();
  const { collapsed, toggle } = useSideMenu();
  const [drawerIsOpen, setDrawerIsOpen] = useState(false);
  const openDrawer = useCallback(() => setDrawerIsOpen(true), []);
  const page = useCurrentPage();
  const isKiosk = useIsKiosk();
  const translate = useTranslate();
  const { title } = usePageNames(page);
  useServiceWorker();
  usePublishes();
  useEffect(() => {
    document.title = `${title} · ${translate('shell.title')}`;
  }, [title, translate]);

  return (
    <Box sx={{ display: 'flex', height: '100dvh', bgcolor: 'background.default', color: 'text.primary' }}>
      {isKiosk ? null : isPhone ? (
        <Drawer open={drawerIsOpen} onClose={() => setDrawerIsOpen(false)}>
          <SideMenu collapsed={false} onLeave={() => setDrawerIsOpen(false)} />
        </Drawer>
      ) : (
        <Box sx={{ flex: 'none', borderRight: 1, borderColor: 'divider', minWidth: menuWidth(collapsed) }}>
          <Deferred>
            <Deferred>
              <SideMenu collapsed={collapsed} />
            </Deferred>
          </Deferred>
        </Box>
      )}
      <Box sx={{ flex: 1, minWidth: 0, display: 'flex', flexDirection: 'column' }}>
        {!isKiosk && (
          <Box sx={{ flex: 'none', minHeight: BARS_HEIGHT }}>
            <Deferred fallback={<BarsSkeleton />}>
              <TopBar menuIsNarrow={isPhone || collapsed} onMenu={isPhone ? openDrawer : toggle} />
              <TabBar />
            </Deferred>
          </Box>
        )}
        <HealthBanner />
        <FailedReads />
        <Box component="main" id="content" sx={{ flex: 1, minHeight: 0 }}>
          <Suspense fallback={<ComingPage />}>
            <ShellContext value={true}>
              <CachedPages>{children}</CachedPages>
            </ShellContext>
          </Suspense>
        </Box>
      </Box>
      <SessionWatch />
      <Overlays />
    </Box>
  );
}

/** Asked for when the first page stands, so that it waits for nothing. Where it is forbidden, work needs the network. */
function useServiceWorker(): void {
  useEffect(() => {
    if (!import.meta.env.PROD) return;
    import('#app/worker/registration.ts').then((it) => it.registerServiceWorker()).catch(() => undefined);
  }, []);
}

/** Every place that is shown has its tab, at the address where the user is in it; an address that is none has none. */
function useCurrentPage() {
  const { pathname, search } = useLocation();
  const page = parsePageAddress(pathname);
  const { isKnown } = usePageNames(page);
  useEffect(() => {
    if (isKnown) openTab(parsePageAddress(pathname), pathname + search);
  }, [isKnown, pathname, search]);
  return page;
}
