import { useCallback } from 'react';
import useMediaQuery from '@mui/material/useMediaQuery';
import { createStoredChoice, useObservable } from '#app/observable.ts';
import { darkTheme, lightTheme, type Density } from '#app/theme.ts';

const densityNames: Density[] = ['compact', 'normal', 'comfortable'];
const mode = createStoredChoice('theme', ['light', 'dark', 'system'], 'system');
const density = createStoredChoice<Density>('density', densityNames, 'normal');
const menuState = createStoredChoice('sideMenu', ['open', 'collapsed', 'auto'], 'auto');

/** Light or dark: what the user chose, else what the system prefers. */
export function useAppearance() {
  const chosen = useObservable(mode);
  const systemIsDark = useMediaQuery('(prefers-color-scheme: dark)', { noSsr: true });
  const isDark = chosen === 'dark' || (chosen === 'system' && systemIsDark);
  return {
    theme: isDark ? darkTheme() : lightTheme(),
    isDark,
    toggle: () => mode.set(isDark ? 'light' : 'dark'),
  };
}

export const useDensity = () => ({ density: useObservable(density), densities: densityNames, setDensity: density.set });

/** The side menu is 200 wide, or 64: as the user left it, else by the room there is. */
export function useSideMenu() {
  const state = useObservable(menuState);
  const isRoomy = useMediaQuery('(min-width: 1200px)', { noSsr: true });
  const collapsed = state === 'collapsed' || (state === 'auto' && !isRoomy);
  const toggle = useCallback(() => menuState.set(collapsed ? 'open' : 'collapsed'), [collapsed]);
  return { collapsed, toggle };
}

/** Between a phone and a desk: what stands in one line gets along with less. */
export const useIsTablet = () => useMediaQuery('(min-width: 768px) and (max-width: 1199px)', { noSsr: true });

/** On a phone the menu is a drawer and the tab bar a switcher. */
export const useIsPhone = () => useMediaQuery('(max-width: 767px)', { noSsr: true });
