import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import Box from '@mui/material/Box';
import { useIsPhone, useSideMenu } from '#app/shell/appearance.ts';
import { menuWidth } from '#app/shell/menuWidth.ts';
import { parsePageAddress } from '#app/shell/pageAddress.ts';
import { HOME } from '#app/shell/tabs.ts';

/** The frame's own shape from the first moment, as `index.html` draws it before any script. Rule: screens#first-frame. */
export function ShellSkeleton() {
  useEffect(holdScans, []);
  const isPhone = useIsPhone();
  const { collapsed } = useSideMenu();
  return (
    <Box aria-busy="true" sx={{ display: 'flex', height: '100dvh', bgcolor: 'background.default' }}>
      {!isPhone && <Box sx={{ borderRight: 1, ...barSx, width: menuWidth(collapsed) }} />}
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <BarsSkeleton />
        <PageSkeleton />
      </Box>
    </Box>
  );
}

/** The sign-in shows it as well, and needs no scanner: until that has come the first keys are kept as they are. */
function holdScans(): () => void {
  let isOver = false;
  let stop: (() => void) | undefined;
  void import('#app/parts/scan/scanner.ts').then(
    (scanner) => void (isOver || (stop = scanner.holdScans())),
    // The frame brings it too, and says so where it can't.
    () => undefined,
  );
  return () => {
    isOver = true;
    stop?.();
  };
}

// Its colour behind the border itself, which would else take that of the text.
const barSx = { flex: 'none', borderColor: 'divider', bgcolor: 'background.paper' } as const;

export const BarsSkeleton = () => (
  <>
    <Box sx={{ borderBottom: 1, ...barSx, height: 40 }} />
    <Box sx={{ borderBottom: 1, ...barSx, height: 32 }} />
  </>
);

/**
 * What most pages are: a line of what can be done, and a table; of home, its rows and its numbers; of a station, the field
 * that is scanned into, its verdict and its scans, and the facts beside them.
 */
export function PageSkeleton() {
  const { pathname } = useLocation();
  const { view } = parsePageAddress(pathname);
  const isStation = !['', 'create', 'modify', 'detail'].includes(view);
  return (
    <Box aria-hidden sx={{ px: 4, pt: 1, display: 'flex', flexDirection: 'column', gap: 2 }}>
      {pathname === HOME ? (
        <>
          <Box sx={{ ...blockSx, width: 240, maxWidth: 1, height: 20, my: 2.5, border: 0, bgcolor: 'action.hover' }} />
          {[1, 2, 3, 4].map((it) => (
            <Box key={it} sx={{ ...blockSx, height: 48 }} />
          ))}
          <Box sx={{ display: 'grid', gap: 3, gridTemplateColumns: { xs: '1fr 1fr', md: 'repeat(4, 1fr)' } }}>
            {[1, 2, 3, 4, 5, 6, 7, 8].map((it) => (
              <Box key={it} sx={{ ...blockSx, height: 72 }} />
            ))}
          </Box>
        </>
      ) : isStation ? (
        <Box sx={{ display: 'grid', gap: 4, pt: 12, gridTemplateColumns: { xs: '1fr', md: '2fr 1fr' } }}>
          <Box sx={{ display: 'flex', flexDirection: 'column', gap: 3 }}>
            {[56, 56, 320].map((height, i) => (
              <Box key={i} sx={{ ...blockSx, height }} />
            ))}
          </Box>
          <Box sx={{ ...blockSx, height: 240 }} />
        </Box>
      ) : (
        <>
          <Box sx={{ ...blockSx, height: 32 }} />
          <Box sx={{ ...blockSx, height: 480 }} />
        </>
      )}
    </Box>
  );
}

const blockSx = { border: 1, borderColor: 'divider', borderRadius: 1, bgcolor: 'background.paper' } as const;
