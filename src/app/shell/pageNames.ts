import { useEffect } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useDataProvider, useTranslate } from 'ra-core';
import type { EngineProvider } from '#app/dataProvider.ts';
import { findEntry, findTrail } from '#app/engine/module.ts';
import { createObservable, useObservable } from '#app/observable.ts';
import { type MenuEntry, useLanguage, useMenu } from '#app/session.ts';
import type { PageAddress } from '#app/shell/pageAddress.ts';
import { useTabs } from '#app/shell/tabs.ts';

const ownPages: Record<string, string> = {
  home: 'shell.home.title',
  changePassword: 'shell.password.title',
  error_logger_page: 'shell.errorLog.title',
};
const ownViews: Record<string, string> = {
  detail: 'shell.view.detail',
  create: 'shell.view.create',
  modify: 'shell.view.modify',
};

interface PageNames {
  /** The groups of the menu above it. */
  groups: MenuEntry[];
  entry: string;
  /** One record of the list. */
  one: string;
  /** Empty on the list itself. */
  view: string;
  /** What its record is called; empty while only the number of its row is known, and for a form over its list. */
  record: string;
  /** Short, for a tab. */
  title: string;
  /** A page of the product or of this user's menu. */
  isKnown: boolean;
}

/** What stands behind a verb is not written large again, unless it is an abbreviation. */
const inTitle = (name: string): string =>
  /^[A-Z][a-z /]/.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name;

const rowId = /^\d{1,10}$/;

/** Lists that stand in no menu are called as their answer calls them. */
const unlistedNames = createObservable<Readonly<Record<string, string>>>({});

export function useUnlistedName(menuNo: string, name: string | undefined): void {
  const isListed = findEntry(menuNo, useMenu() ?? []) !== undefined;
  useEffect(() => {
    if (name && !isListed) unlistedNames.set({ ...unlistedNames.get(), [menuNo]: name });
  }, [menuNo, name, isListed]);
}

/** How a place is called in the present language; a station's name is that of the button that opens it. */
export function usePageNames(page: PageAddress): PageNames {
  const translate = useTranslate();
  const trail = findTrail(page.menuNo, useMenu() ?? []);
  const viewKey = ownViews[page.view];
  const name = useTabs().find((it) => it.key === page.key)?.name;
  const unlisted = useObservable(unlistedNames)[page.menuNo];
  const ownPage = ownPages[page.menuNo];
  // Where nothing has a name, the product has.
  const entry = ownPage ? translate(ownPage) : (trail.at(-1)?.menuName ?? unlisted ?? translate('shell.title'));
  const one = trail.at(-1)?.recordName ?? entry;
  const view = viewKey ? translate(viewKey, { name: inTitle(one) }) : (trail.at(-1)?.views?.[page.view] ?? '');
  const isListTab = page.key === `/${page.menuNo}`;
  const kind = viewKey ? one : view || one;
  // A number may say itself what it is of.
  const words = name?.startsWith(kind) ? [name] : [kind, name ?? page.id];
  const title = isListTab ? entry : words.filter(Boolean).join(' ');
  const record = isListTab ? '' : (name ?? (rowId.test(page.id) ? '' : page.id));
  return {
    groups: trail.slice(0, -1),
    entry,
    one,
    view,
    record,
    title,
    isKnown: !!ownPage || trail.length > 0,
  };
}

/** The buttons that the server gives this user for a list. */
export function useToolbar(menuNo: string) {
  const provider = useDataProvider<EngineProvider>();
  const language = useLanguage();
  return useQuery({
    queryKey: [menuNo, 'toolbar', language],
    queryFn: () => provider.toolbar(menuNo),
    staleTime: 5 * 60_000,
  });
}
