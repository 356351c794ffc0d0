import { lazy, Suspense, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useLabelRules } from '#app/parts/scan/useLabelRules.ts';
import { parsePageAddress } from '#app/shell/pageAddress.ts';
import { openedTabs } from '#app/shell/tabs.ts';
import { createObservable, useObservable } from '#app/observable.ts';
import { useSnScan } from '#app/shell/useSnScan.ts';
import { useShortcuts } from '#app/shell/useShortcuts.ts';
import { useTabClosing } from '#app/shell/useTabClosing.tsx';

const Palette = lazy(() => import('#app/palette/Palette.tsx'));
const ShortcutSheet = lazy(() => import('#app/shell/ShortcutSheet.tsx'));

const palette = createObservable(false);
export const openPalette = (): void => palette.set(true);

/** What any page can call up by keys: the palette, the sheet of shortcuts, the next tab, an SN's page by a scan. */
export function Overlays() {
  const navigate = useNavigate();
  const current = parsePageAddress(useLocation().pathname).key;
  const paletteIsOpen = useObservable(palette);
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
