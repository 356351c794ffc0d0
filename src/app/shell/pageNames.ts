import { useQuery } from '@tanstack/react-query';
import { useDataProvider, useTranslate } from 'ra-core';
import type { EngineProvider } from '#app/dataProvider.ts';
import { findTrail } from '#app/engine/module.ts';
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
  /** Empty on the list itself. */
  view: string;
  id: string;
  /** Short, for a tab. */
  title: string;
  /** A page of the product or of this user's menu. */
  isKnown: boolean;
}

/** How a place is called in the present language; a station's name is that of the button that opens it. */
export function usePageNames(page: PageAddress): PageNames {
  const translate = useTranslate();
  const trail = findTrail(page.menuNo, useMenu() ?? []);
  const viewKey = ownViews[page.view];
  const buttons = useToolbar(page.menuNo, page.view !== '' && !viewKey && trail.length > 0);
  const id = useTabs().find((it) => it.key === page.key)?.name ?? page.id;
  const ownPage = ownPages[page.menuNo];
  const entry = ownPage ? translate(ownPage) : (trail.at(-1)?.menuName ?? page.menuNo);
  const button = buttons.data?.find((it) => it.btnScript === page.view)?.btnName;
  const view = viewKey ? translate(viewKey) : (button ?? '');
  const isListTab = page.key === `/${page.menuNo}`;
  const title = isListTab ? entry : [viewKey ? entry : view || entry, id].filter(Boolean).join(' ');
  return { groups: trail.slice(0, -1), entry, view, id, title, isKnown: !!ownPage || trail.length > 0 };
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
