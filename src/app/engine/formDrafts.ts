import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { FormValues } from '#app/engine/formRules.ts';
import { useUser } from '#app/session.ts';

/** What somebody typed into a form and has not saved. */
export interface Draft {
  /** When it was typed, epoch ms. */
  at: number;
  /** The version of the record that it was typed over. */
  version?: number;
  /** Only what differs from what the form started with, never a password. */
  values: FormValues;
}

interface Drafts extends DBSchema {
  drafts: { key: string; value: Draft };
}

let opened: Promise<IDBPDatabase<Drafts>> | undefined;
// Where a browser has no such store, opening it throws at once.
const openDrafts = async () =>
  (opened ??= openDB<Drafts>('reflow-drafts', 1, { upgrade: (fresh) => void fresh.createObjectStore('drafts') }));

/** A draft belongs to its user and record: nobody else at this browser is shown it. A sign-out leaves it. */
const keyOf = (userId: string, menuNo: string, id: string) => JSON.stringify([userId, menuNo, id]);

// What can't be kept is only lost with the page, as without drafts.
const quietly = (work: Promise<unknown>) => void work.catch(() => undefined);

const PAUSE = 200;

/**
 * The draft of a form: `undefined` until this browser's store has answered, `null` when there is none. `keep` remembers
 * what is typed, shortly after it is typed and at the latest when the page goes; `forget` ends it.
 */
export function useFormDraft(menuNo: string, id = '') {
  // The user of when the form was opened: an expired session has none, and the draft stays theirs.
  const user = useUser();
  const [userId, setUserId] = useState(user?.userId ?? '');
  if (userId === '' && user) setUserId(user.userId);
  const key = useMemo(() => keyOf(userId, menuNo, id), [userId, menuNo, id]);
  const [draft, setDraft] = useState<Draft | null | undefined>(undefined);
  const waiting = useRef<{ draft: Draft | null; timer: ReturnType<typeof setTimeout> } | null>(null);

  const write = useCallback(() => {
    const next = waiting.current;
    if (!next) return;
    clearTimeout(next.timer);
    waiting.current = null;
    const { draft: it } = next;
    quietly(openDrafts().then((db): Promise<unknown> => (it ? db.put('drafts', it, key) : db.delete('drafts', key))));
  }, [key]);

  useEffect(() => {
    if (userId === '') return;
    let gone = false;
    const onRead = (saved: Draft | undefined) => {
      if (!gone) setDraft(saved ?? null);
    };
    openDrafts()
      .then((db) => db.get('drafts', key))
      .then(onRead, () => onRead(undefined));
    window.addEventListener('pagehide', write);
    return () => {
      gone = true;
      window.removeEventListener('pagehide', write);
      write();
    };
  }, [userId, key, write]);

  const later = useCallback(
    (next: Draft | null) => {
      if (waiting.current) clearTimeout(waiting.current.timer);
      waiting.current = { draft: next, timer: setTimeout(write, PAUSE) };
    },
    [write],
  );
  const save = useCallback(
    (values: FormValues, version?: number) =>
      later(Object.keys(values).length > 0 ? { at: Date.now(), version, values } : null),
    [later],
  );
  const discard = useCallback(() => {
    later(null);
    write();
  }, [later, write]);
  return { draft, save, discard };
}
