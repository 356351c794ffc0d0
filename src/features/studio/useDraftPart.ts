import { useEffect, useMemo, useRef } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import type { DataOf } from '#domain/call.ts';
import type { DefinitionChange } from '#domain/definition/change.ts';
import type { Definition } from '#domain/definition/grammar.ts';
import { validateChange } from '#domain/definition/validateChange.ts';
import { useLookup } from '#app/parts/useLookup.ts';
import { readAnew } from '#app/queryClient.ts';
import { sendTo } from '#app/send.ts';
import { checkDraft, openDrafts, readModule } from './contract.ts';
import { useDraftChange, type Roles } from './useDraftChange.ts';

/** What the editors of a draft's parts are given. */
export interface GivenPart {
  model: DataOf<typeof readModule>;
  /** 0 where the first change makes one. */
  draftId: number;
  part: { version: number; change: Record<string, unknown>; roles: Roles } | undefined;
}

type Found = DataOf<typeof checkDraft>['problems'];
type Contents = DataOf<typeof checkDraft>['contents'];
export interface DraftPart extends ReturnType<typeof useDraftChange> {
  draftId: number;
  found: Found;
  /** What is still there under the names of what it makes. */
  contents: Contents;
  /** When what was saved last was checked: a preview looks anew; 0 before. */
  checkedAt: number;
  /** What is wrong with the draft is known, as far as it goes. */
  isChecked: boolean;
}

/** What a draft changes of a module or of the menu, with what is wrong with it; the first change makes the draft. */
export function useDraftPart({ model, draftId, part }: GivenPart, label: string): DraftPart {
  const translate = useTranslate();
  const client = useQueryClient();
  const made = useRef(draftId);
  const editing = useDraftChange({
    module: model.module,
    version: part?.version ?? 0,
    change: part?.change ?? {},
    meant: part?.roles ?? {},
    roles: model.roles,
    draftId: async () => {
      if (made.current > 0) return made.current;
      const { id } = await sendTo<{ id: number }>(
        { method: 'POST', path: '/api/sysDraft/create.json', writes: true },
        { name: translate('studio.configure.draftName', { label }) },
      );
      made.current = id;
      void readAnew(client, { queryKey: [openDrafts.path] });
      return id;
    },
  });
  const { found, contents, at } = useProblems(model, editing.change, made.current);
  const isOther = found.some(({ rule }) => rule === 'roleAnother' || rule === 'noRole');
  // Whoever sets the rights anew sets those of the roles that are there now.
  useEffect(() => {
    if (isOther) void readAnew(client, { queryKey: [readModule.path] });
  }, [client, isOther]);
  const isOfSaved = editing.savedAt > 0 && at >= editing.savedAt;
  return { ...editing, draftId: made.current, found, contents, checkedAt: isOfSaved ? at : 0, isChecked: at > 0 };
}

/** What is wrong: at once what the change alone shows, and of the whole what the server finds once it is saved. */
function useProblems(
  model: GivenPart['model'],
  change: DefinitionChange,
  draftId: number,
): { found: Found; contents: Contents; at: number } {
  const { module } = model;
  const own = useMemo(() => {
    if (Object.keys(change).length === 0) return [];
    const standing = {
      current: (model.current ?? undefined) as Definition | undefined,
      shipped: (model.shipped ?? undefined) as Definition | undefined,
    };
    return validateChange(standing, model.module, change).map(({ where, path = '', name = '', ...it }) => ({
      ...it,
      ...{ module: where, path, name },
    }));
  }, [change, model]);
  const { data, dataUpdatedAt } = useLookup(checkDraft, { id: draftId }, { enabled: draftId > 0, staleTime: 0 });
  const found = own.length > 0 ? own : (data?.problems ?? []).filter((it) => it.module === module);
  const contents = (data?.contents ?? []).filter((it) => it.module === module);
  return { found, contents, at: dataUpdatedAt };
}
