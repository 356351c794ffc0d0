import { type ComponentType, lazy, type LazyExoticComponent } from 'react';
import { useLocation } from 'react-router-dom';
import { useResourceContext } from 'ra-core';
import { findEntry, moduleOf } from '#app/engine/module.ts';
import { useFeatures, type Features } from '#app/features.ts';
import type { PageProps } from '#app/parts/page.ts';
import { parts } from '#app/preload.ts';
import { useMenu } from '#app/session.ts';
import { ErrorPage } from '#app/shell/ErrorPage.tsx';
import { Access } from '#app/shell/Guard.tsx';
import { parsePageAddress } from '#app/shell/pageAddress.ts';

const ListPage = lazy(parts.list);
const DetailPage = lazy(parts.detail);

/** The views of one menu entry: its list with the dialogs over it, a record's detail, the pages that features bring. */
export function ModuleRoutes() {
  const menuNo = useResourceContext() ?? '';
  const menu = useMenu() ?? [];
  const module = moduleOf(menuNo, menu);
  const { view, id } = parsePageAddress(useLocation().pathname);
  const list = findEntry(menuNo, menu)?.access ?? [menuNo, `${module}:list`];
  const { pages, recordPages } = useFeatures();
  const name = `${module}:${view || 'list'}`;
  const FeaturePage = featurePage(pages, name);

  if (FeaturePage && (id || !recordPages.has(name))) {
    return (
      <Access list={view === '' || view === 'detail' ? list : [`${module}:${view}`]}>
        <FeaturePage key={id} menuNo={menuNo} id={id || undefined} />
      </Access>
    );
  }
  if (view === '' || view === 'create' || (view === 'modify' && id)) {
    return (
      <Access list={list}>
        <ListPage key={menuNo} menuNo={menuNo} dialog={view === '' ? undefined : { view, id }} />
      </Access>
    );
  }
  if (view === 'detail' && id) {
    return (
      <Access list={list}>
        <DetailPage key={id} menuNo={menuNo} id={id} />
      </Access>
    );
  }
  return <ErrorPage code="404" />;
}

type FeaturePage = LazyExoticComponent<ComponentType<PageProps>>;
const opened = new Map<string, FeaturePage>();

/** A page that a feature brings for this view, or instead of the list. Each is wrapped once, so that showing it again keeps what it holds. */
function featurePage(pages: Features['pages'], name: string): FeaturePage | undefined {
  const load = pages[name];
  if (!load) return undefined;
  const page = opened.get(name) ?? lazy(load);
  opened.set(name, page);
  return page;
}
