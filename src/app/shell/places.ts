import { useQuery } from '@tanstack/react-query';
import { useDataProvider, useTranslate } from 'ra-core';
import type { EngineProvider } from '#app/dataProvider.ts';
import { trailOf } from '#app/engine/module.ts';
import { type MenuEntry, useLanguage, useMenu } from '#app/session.ts';

/** An address of the shell taken apart: `/{menuNo}`, `/{menuNo}/{view}/{id}`, or a page of the house itself. */
export interface Place {
  /** What a tab is known by: a list and its dialogs are one tab, every other view is one of its own. */
  key: string;
  menuNo: string;
  view: string;
  id: string;
}

/** Dialogs over a list, not places of their own. */
const dialogs = ['create', 'modify'];

export function placeOf(pathname: string): Place {
  const [menuNo = '', view = '', ...rest] = pathname.split('/').filter(Boolean).map(decodeURIComponent);
  const id = rest.join('/');
  const key = view && !dialogs.includes(view) ? `/${[menuNo, view, id].filter(Boolean).join('/')}` : `/${menuNo}`;
  return { key, menuNo, view, id };
}

const ownPages: Record<string, string> = { home: 'shell.home.title', changePassword: 'shell.password.title' };
const ownViews: Record<string, string> = {
  detail: 'shell.view.detail',
  create: 'shell.view.create',
  modify: 'shell.view.modify',
};

export interface PlaceNames {
  /** The groups of the menu above it. */
  groups: MenuEntry[];
  entry: string;
  /** Empty on the list itself. */
  view: string;
  id: string;
  /** Short, for a tab. */
  title: string;
  /** A page of the house or of this user's menu. */
  isKnown: boolean;
}

/** How a place is called in the present language; a station's name is that of the button that opens it. */
export function usePlaceNames(place: Place): PlaceNames {
  const translate = useTranslate();
  const trail = trailOf(place.menuNo, useMenu() ?? []);
  const viewKey = ownViews[place.view];
  const buttons = useToolbar(place.menuNo, place.view !== '' && !viewKey && trail.length > 0);
  const ownPage = ownPages[place.menuNo];
  const entry = ownPage ? translate(ownPage) : (trail.at(-1)?.menuName ?? place.menuNo);
  const button = buttons.data?.find((it) => it.btnScript === place.view)?.btnName;
  const view = viewKey ? translate(viewKey) : (button ?? '');
  const isListTab = place.key === `/${place.menuNo}`;
  const title = isListTab ? entry : [viewKey ? entry : view || entry, place.id].filter(Boolean).join(' ');
  return { groups: trail.slice(0, -1), entry, view, id: place.id, title, isKnown: !!ownPage || trail.length > 0 };
}

/** The buttons that the server gives this user for a list. */
export function useToolbar(menuNo: string, enabled = true) {
  const provider = useDataProvider<EngineProvider>();
  const language = useLanguage();
  return useQuery({
    queryKey: [menuNo, 'toolbar', language],
    queryFn: () => provider.toolbar(menuNo),
    enabled,
    staleTime: 5 * 60_000,
  });
}
