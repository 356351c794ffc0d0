import * as calls from '#domain/listView.ts';
import { route, type Route } from '#server/route.ts';
import { addView, changeView, saveSetting, readListViews, removeView } from '#server/views/views.ts';

/** Saved views of lists, a resource of the product. Rule: lists#saved-views. */
export const viewRoutes: readonly Route[] = [
  route(calls.readViews, readListViews, { previews: true }),
  route(calls.createView, addView),
  route(calls.updateView, changeView),
  route(calls.deleteView, removeView),
  route(calls.saveListSetting, saveSetting),
];
