import { lazy, Suspense, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useLabelRules } from '#app/parts/scan/useLabelRules.ts';
import { placeOf } from '#app/shell/place.ts';
import { openedTabs } from '#app/shell/tabs.ts';
import { storeOf, useValue } from '#app/store.ts';
import { useSnScan } from '#app/shell/useSnScan.ts';
import { useShortcuts } from '#app/shell/useShortcuts.ts';
import { useTabClosing } from '#app/shell/useTabClosing.tsx';

const Palette = lazy(() => import('#app/palette/Palette.tsx'));
const ShortcutSheet = lazy(() => import('#app/shell/ShortcutSheet.tsx'));

const palette = storeOf(false);
export const openPalette = (): void => palette.set(true);

/** What any page can call up by keys: the palette, the sheet of shortcuts, the next tab, an SN's page by a scan. */
export function Overlays() {
  const navigate = useNavigate();
  const current = placeOf(useLocation().pathname).key;
  const paletteIsOpen = useValue(palette);
  const [sheetIsOpen, setSheetIsOpen] = useState(false);
  const { close, confirmation } = useTabClosing(current);
  const step = (by: number) => {
    const tabs = openedTabs();
    const at = tabs.findIndex((it) => it.key === current);
    const next = tabs[(at + by + tabs.length) % tabs.length];
    if (next) void navigate(next.address);
  };
  useLabelRules();
  useSnScan();
  useShortcuts({
    palette: openPalette,
    sheet: () => setSheetIsOpen(true),
    nextTab: () => step(1),
    previousTab: () => step(-1),
    closeTab: () => close([current]),
  });
  return (
    <Suspense fallback={null}>
      {paletteIsOpen && <Palette onClose={() => palette.set(false)} />}
      {sheetIsOpen && <ShortcutSheet onClose={() => setSheetIsOpen(false)} />}
      {confirmation}
    </Suspense>
  );
}
