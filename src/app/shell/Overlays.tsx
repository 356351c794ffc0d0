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

/** What is looked for in it from the start, while it is open. */
const palette = createObservable<string | null>(null);
const offer = (text: string): void => palette.set(text);
export const openPalette = (): void => offer('');

/** What any page can call up by keys: the palette, the sheet of shortcuts, the next tab, an SN's page by a scan. */
export function Overlays() {
  const navigate = useNavigate();
  const current = parsePageAddress(useLocation().pathname).key;
  const sought = useObservable(palette);
  const [sheetIsOpen, setSheetIsOpen] = useState(false);
  const { close, confirmation } = useTabClosing(current);
  const step = (by: number) => {
    const tabs = openedTabs();
    const at = tabs.findIndex((it) => it.key === current);
    const next = tabs[(at + by + tabs.length) % tabs.length];
    if (next) void navigate(next.address);
  };
  useLabelRules();
  useSnScan(offer);
  useShortcuts({
    palette: openPalette,
    sheet: () => setSheetIsOpen(true),
    nextTab: () => step(1),
    previousTab: () => step(-1),
    closeTab: () => close([current]),
  });
  return (
    <Suspense fallback={null}>
      {sought !== null && <Palette sought={sought} onClose={() => palette.set(null)} />}
      {sheetIsOpen && <ShortcutSheet onClose={() => setSheetIsOpen(false)} />}
      {confirmation}
    </Suspense>
  );
}
