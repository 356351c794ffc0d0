import { Suspense, useCallback, useEffect, useState, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Drawer from '@mui/material/Drawer';
import { useIsPhone, useSideMenu } from '#app/shell/appearance.ts';
import { HealthBanner } from '#app/shell/HealthBanner.tsx';
import { KeptPages } from '#app/shell/KeptPages.tsx';
import { Later } from '#app/shell/Later.tsx';
import { Overlays } from '#app/shell/Overlays.tsx';
import { placeOf } from '#app/shell/place.ts';
import { usePlaceNames } from '#app/shell/places.ts';
import { SessionWatch } from '#app/shell/SessionWatch.tsx';
import { menuWidth, SideMenu } from '#app/shell/SideMenu.tsx';
import { TabBar } from '#app/shell/TabBar.tsx';
import { visit } from '#app/shell/tabs.ts';
import { TopBar } from '#app/shell/TopBar.tsx';

/** The top bar and the tabs under it. */
const BARS_HEIGHT = 84;

/** The frame around every page of somebody who is signed in: menu, top bar, tabs. */
export default function Shell({ children }: { children: ReactNode }) {
  const isPhone = useIsPhone();
  const { collapsed, toggle } = useSideMenu();
  const [drawerIsOpen, setDrawerIsOpen] = useState(false);
  const openDrawer = useCallback(() => setDrawerIsOpen(true), []);
  const place = useVisit();
  const translate = useTranslate();
  const { title } = usePlaceNames(place);
  useOffline();
  useEffect(() => {
    document.title = `${title} · ${translate('shell.title')}`;
  }, [title, translate]);

  return (
    <Box sx={{ display: 'flex', height: '100dvh', bgcolor: 'background.default', color: 'text.primary' }}>
      {isPhone ? (
        <Drawer open={drawerIsOpen} onClose={() => setDrawerIsOpen(false)}>
          <SideMenu collapsed={false} onLeave={() => setDrawerIsOpen(false)} />
        </Drawer>
      ) : (
        <Box sx={{ flex: 'none', borderRight: 1, borderColor: 'divider', minWidth: menuWidth(collapsed) }}>
          <Later>
            <Later>
              <SideMenu collapsed={collapsed} />
            </Later>
          </Later>
        </Box>
      )}
      <Box sx={{ flex: 1, minWidth: 0, display: 'flex', flexDirection: 'column' }}>
        <Box sx={{ flex: 'none', minHeight: BARS_HEIGHT }}>
          <Later>
            <TopBar menuIsNarrow={isPhone || collapsed} onMenu={isPhone ? openDrawer : toggle} />
            <TabBar />
          </Later>
        </Box>
        <HealthBanner />
        <Box component="main" id="content" sx={{ flex: 1, minHeight: 0 }}>
          <Suspense fallback={null}>
            <KeptPages>{children}</KeptPages>
          </Suspense>
        </Box>
      </Box>
      <SessionWatch />
      <Overlays />
    </Box>
  );
}

/** Asked for when the first page stands, so that it waits for nothing. Where it is forbidden, work needs the network. */
function useOffline(): void {
  useEffect(() => {
    if (!import.meta.env.PROD) return;
    import('#app/worker/registration.ts').then((it) => it.keepForOffline()).catch(() => undefined);
  }, []);
}

/** Every place that is shown has its tab, at the address where the user is in it; an address that is none has none. */
function useVisit() {
  const { pathname, search } = useLocation();
  const place = placeOf(pathname);
  const { isKnown } = usePlaceNames(place);
  useEffect(() => {
    if (isKnown) visit(placeOf(pathname), pathname + search);
  }, [isKnown, pathname, search]);
  return place;
}
