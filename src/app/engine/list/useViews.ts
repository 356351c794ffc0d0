import { useCallback, useEffect, useMemo } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import type { DataOf } from '#domain/call.ts';
import {
  createView,
  deleteView,
  saveListSetting,
  readViews,
  updateView,
  type ColumnChoice,
  type ListView,
  type ViewState,
} from '#domain/listView.ts';
import { useNotices } from '#app/notify.ts';
import { readAnew } from '#app/queryClient.ts';
import { send } from '#app/send.ts';
import { useLanguage } from '#app/session.ts';

type Answer = DataOf<typeof readViews>;
/** The role, and which one it was when it was chosen. */
type SharedWith = { roleId: string | null; role?: number };

const nothing: Answer = { items: [], columns: [], defaultId: null, roles: [] };
/** A drag of a column's edge is kept once, when it rests. */
const REST = 600;

/** The saved views of a list and the user's own columns: read once, changed at once, kept on the server behind. */
export function useViews(module: string) {
  const translate = useTranslate();
  const notices = useNotices();
  const client = useQueryClient();
  const language = useLanguage();
  const key = useMemo(() => ['views', module, language], [module, language]);
  const { data, isPending, error } = useQuery({
    queryKey: key,
    queryFn: () => send(readViews, { module }),
    staleTime: 5 * 60_000,
  });
  const change = useCallback(
    (by: (before: Answer) => Answer) => client.setQueryData<Answer>(key, (before) => by(before ?? nothing)),
    [client, key],
  );
  const failed = useCallback(
    (it: unknown) => notices.failed(translate('lists.columns.title'), it),
    [notices, translate],
  );

  const saveColumns = useCallback(
    (columns: ColumnChoice[]) => {
      change((before) => ({ ...before, columns }));
      scheduleSave(module, columns, failed);
    },
    [change, module, failed],
  );
  // What was dragged a moment ago is not lost with the page.
  useEffect(() => () => saveNow(module), [module]);

  const actions = useMemo(() => {
    const put = (view: ListView) =>
      change((before) => ({
        ...before,
        items: [...before.items.filter((it) => it.id !== view.id), view].sort(byName),
      }));
    return {
      add: async (name: string, shared: SharedWith, state: ViewState) => {
        const view = await send(createView, { module, name, state, ...(shared.roleId !== null && shared) });
        put(view);
        return view;
      },
      update: async (view: ListView, to: Partial<SharedWith> & { name?: string; state?: ViewState }) => {
        const changed = await send(updateView, { id: view.id, version: view.version, ...to });
        put(changed);
        return changed;
      },
      remove: async ({ id }: ListView) => {
        await send(deleteView, { id });
        change((before) => ({
          ...before,
          items: before.items.filter((it) => it.id !== id),
          defaultId: before.defaultId === id ? null : before.defaultId,
        }));
      },
      openWith: async (defaultId: number | null) => {
        await send(saveListSetting, { module, defaultId });
        change((before) => ({ ...before, defaultId }));
      },
      readAgain: () => readAnew(client, { queryKey: key }),
    };
  }, [change, client, key, module]);

  return { ...(data ?? nothing), isReady: !isPending, error, saveColumns, ...actions };
}

export type Views = ReturnType<typeof useViews>;

/** One's own before those of others, by name. */
const byName = (a: ListView, b: ListView) =>
  Number(b.isOwn) - Number(a.isOwn) || a.name.localeCompare(b.name) || a.id - b.id;

const waiting = new Map<string, { timer: ReturnType<typeof setTimeout>; save: () => void }>();

function scheduleSave(module: string, columns: ColumnChoice[], onFail: (error: unknown) => void): void {
  clearTimeout(waiting.get(module)?.timer);
  const save = () => {
    waiting.delete(module);
    send(saveListSetting, { module, columns }, { outlivesPage: true }).catch(onFail);
  };
  waiting.set(module, { timer: setTimeout(save, REST), save });
}

function saveNow(module: string): void {
  const it = waiting.get(module);
  if (!it) return;
  clearTimeout(it.timer);
  it.save();
}

// What was arranged a moment before the page is left or loaded anew is saved as well.
window.addEventListener('pagehide', () => [...waiting.keys()].forEach(saveNow));
