import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type Location, Route, Routes, useLocation } from 'react-router-dom';
import Box from '@mui/material/Box';
import { type CachedPage, updateCachedPages } from '#app/shell/cachedPages.ts';
import { parsePageAddress } from '#app/shell/pageAddress.ts';
import { Resting } from '#app/shell/Resting.tsx';
import { showTab, useTabs } from '#app/shell/tabs.ts';

/**
 * The page in front, and behind it those of the other tabs: their state, selection, scroll and what is typed in them
 * stay, their effects rest. Each sees the address that it was left at. Rule: screens#shell.
 */
export function CachedPages({ children }: { children: ReactNode }) {
  const location = useLocation();
  const tabs = useTabs();
  const [cached, setCached] = useState<readonly CachedPage[]>([]);
  const pages = updateCachedPages(cached, location, tabs);
  if (pages !== cached) setCached(pages);
  const { key } = parsePageAddress(location.pathname);
  // Before the pages behind say farewell.
  useLayoutEffect(() => showTab(key), [key]);
  return pages.map((it) => (
    <Resting key={it.key} isShown={it.key === key}>
      <Page name={it.key} location={it.location}>
        {children}
      </Page>
    </Resting>
  ));
}

function Page({ name, location, children }: { name: string; location: Location; children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  useScrollRestoration(frame);
  // What a page places absolutely is placed, and scrolls, within it: the window itself never scrolls.
  return (
    <Box ref={frame} data-page={name} sx={{ position: 'relative', height: '100%', overflow: 'auto' }}>
      <Routes location={location}>
        <Route path="*" element={children} />
      </Routes>
    </Box>
  );
}

/** What is not displayed forgets how far it was scrolled; this remembers it, for the page and everything in it. */
function useScrollRestoration(frame: React.RefObject<HTMLElement | null>): void {
  const scrolled = useRef(new Map<Element, { top: number; left: number }>());
  useLayoutEffect(() => {
    for (const [element, { top, left }] of scrolled.current) {
      if (!element.isConnected) scrolled.current.delete(element);
      else if (element.scrollTop !== top || element.scrollLeft !== left) {
        element.scrollTop = top;
        element.scrollLeft = left;
      }
    }
  }, []);
  useEffect(() => {
    const page = frame.current;
    const onScroll = ({ target }: Event) => {
      if (!(target instanceof Element) || target.getClientRects().length === 0) return;
      scrolled.current.set(target, { top: target.scrollTop, left: target.scrollLeft });
    };
    page?.addEventListener('scroll', onScroll, true);
    return () => page?.removeEventListener('scroll', onScroll, true);
  }, [frame]);
}
