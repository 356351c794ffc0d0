import { useEffect, useRef, useState } from 'react';
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query';
import { dequal } from 'dequal/lite';
import type { InputOf } from '#domain/call.ts';
import type { DefinitionChange } from '#domain/definition/change.ts';
import { useProblemOf } from '#app/notify.ts';
import { readAnew } from '#app/queryClient.ts';
import { CallError, isRefusal, send } from '#app/send.ts';
import { checkDraft, readDraft, saveChange } from './contract.ts';

const PAUSE_MS = 400;

/** The ids of roles by code. */
export type Roles = Readonly<Record<string, number>>;

interface Conflict {
  version: number;
  change: DefinitionChange | null;
  roles?: Roles;
  updateBy?: string;
}

interface DraftChange {
  change: DefinitionChange;
  /** When it was saved last, epoch ms; 0 before. */
  savedAt: number;
  isSaving: boolean;
  problem: string;
  /** Somebody saved the same module meanwhile. */
  conflict: Conflict | null;
  edit: (to: DefinitionChange) => void;
  /** Goes on with mine over the other's, or with the other's. */
  settle: (with_: 'mine' | 'theirs') => void;
}

interface Given {
  module: string;
  version: number;
  change: DefinitionChange;
  /** Who the roles are whose rights it gives. */
  meant?: Roles;
  /** Those whose rights are set from now on, as they are shown. */
  roles?: readonly { roleId: string; id: number }[];
  /** The draft that it goes into, made with the first change where there is none. */
  draftId: () => Promise<number>;
}

const saving = { mutationKey: [saveChange.path] };

/** Whether something that was edited a moment ago is on its way: what is shown of a draft is not yet what it is. */
export const useIsSaving = (): boolean => useIsMutating(saving) > 0;

/** A role is the one that was shown when its rights were set last, whoever has its code by now. */
function meantBy(
  { rights = {} }: DefinitionChange,
  before: DefinitionChange,
  { meant, roles }: { meant: Roles; roles: readonly { roleId: string; id: number }[] },
): Roles {
  const idOf = (code: string): number | undefined =>
    dequal(rights[code], before.rights?.[code]) ? meant[code] : roles.find((it) => it.roleId === code)?.id;
  return Object.fromEntries(
    Object.keys(rights).flatMap((code) => {
      const id = idOf(code);
      return id === undefined ? [] : [[code, id]];
    }),
  );
}

/** What a draft changes of a module: edited here at once, and saved a moment after the last change. Rule: definitions#drafts. */
export function useDraftChange({
  module,
  version: first,
  change: given,
  meant: givenRoles = {},
  roles = [],
  draftId,
}: Given): DraftChange {
  const problemOf = useProblemOf();
  const client = useQueryClient();
  /** Whoever looks at the draft sees it as it is now, also if he came before it was saved. */
  const showAnew = () => {
    for (const shown of [readDraft.path, checkDraft.path, 'sysDraftList']) void readAnew(client, { queryKey: [shown] });
  };
  const { mutateAsync: save } = useMutation({
    ...saving,
    networkMode: 'always',
    mutationFn: (input: InputOf<typeof saveChange>) => send(saveChange, input, { outlivesPage: true }),
    onSettled: () => showAnew(),
  });
  const [change, setChange] = useState(given);
  const [savedAt, setSavedAt] = useState(0);
  const [isSaving, setSaving] = useState(false);
  const [problem, setProblem] = useState('');
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const version = useRef(first);
  const meant = useRef(givenRoles);
  const due = useRef<DefinitionChange | null>(null);
  const running = useRef<Promise<void> | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  const saveDue = async () => {
    while (due.current) {
      const next = due.current;
      due.current = null;
      setSaving(true);
      try {
        const id = await draftId();
        const isEmpty = Object.keys(next).length === 0;
        if (isEmpty && version.current === 0) continue;
        const own = { draftId: id, module, version: version.current };
        const written = isEmpty ? null : (next as Record<string, unknown>);
        const answer = await save({ ...own, change: written, roles: meant.current });
        version.current = answer.version;
        setProblem('');
        setSavedAt(Date.now());
      } catch (error) {
        if (isRefusal(error, 'stale') && error instanceof CallError) setConflict(error.data as Conflict);
        else setProblem(problemOf(error));
      } finally {
        setSaving(false);
      }
    }
  };
  const flush = () => {
    clearTimeout(timer.current);
    running.current = (running.current ?? Promise.resolve()).then(saveDue);
  };
  const edit = (to: DefinitionChange) => {
    meant.current = meantBy(to, change, { meant: meant.current, roles });
    setChange(to);
    due.current = to;
    clearTimeout(timer.current);
    timer.current = setTimeout(flush, PAUSE_MS);
  };
  const settle = (with_: 'mine' | 'theirs') => {
    if (!conflict) return;
    version.current = conflict.version;
    setConflict(null);
    if (with_ === 'mine') edit(change);
    else {
      setChange(conflict.change ?? {});
      meant.current = conflict.roles ?? {};
      setSavedAt(Date.now());
      showAnew();
    }
  };
  const last = useRef(flush);
  last.current = flush;
  // Whoever leaves, or loads the page anew, has saved what he typed.
  useEffect(() => {
    const leave = () => {
      if (due.current) last.current();
    };
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, []);
  return { change, savedAt, isSaving, problem, conflict, edit, settle };
}
