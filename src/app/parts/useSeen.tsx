import { useContext, useState, type ReactNode } from 'react';
import { ListContext } from 'ra-core';
import type { ListMeta } from '#app/engine/listMeta.ts';
import type { Detail, Row } from '#app/engine/wire.ts';
import { ChangedSince } from '#app/parts/ChangedSince.tsx';
import { isRefusal, sendTo } from '#app/send.ts';

/** What is refused where the row may have changed since. */
const changes = ['stale', 'billState', 'rowState', 'onlyWhile'] as const;

interface Seen {
  /** As it was seen last. */
  row: Row | undefined;
  /** Goes with the decision: which state of the row was seen. */
  version: number;
  /** Told of a refusal: where the row has changed since, it is read as it stands now. Whether it has. */
  failed: (error: unknown) => Promise<boolean>;
  /** The old and the new, once a decision was refused for it. */
  notice: ReactNode;
}

/**
 * What somebody decides about, as it was shown. Where a decision is refused because the row has changed, nothing counts as
 * seen before they have looked again: a page is then read anew, a dialog goes on with the row that it has shown.
 * Rule: writing#what-was-seen.
 */
export function useSeen(module: string, shown: Row | undefined, reload?: () => void): Seen {
  // Over a list, whose rows it shows.
  const { labels } = (useContext(ListContext)?.meta ?? {}) as ListMeta;
  const [looked, setLooked] = useState<Detail>();
  const [changed, setChanged] = useState<{ then: Row; now: Detail }>();
  const row = looked ?? shown;
  const failed = async (error: unknown) => {
    if (!changes.some((it) => isRefusal(error, it)) || !row) return false;
    const call = { method: 'GET', path: `/api/${module}/queryById.json`, writes: false } as const;
    // What can't be read any more is told by the refusal itself.
    const now = await sendTo<Detail>(call, { id: row.id }).catch(() => undefined);
    if (!now || now['version'] === row['version']) return false;
    setChanged({ then: row, now });
    return true;
  };
  const look = () => {
    if (reload) reload();
    else setLooked(changed?.now);
    setChanged(undefined);
  };
  return {
    row,
    version: Number(row?.['version']),
    failed,
    notice: changed && <ChangedSince {...changed} labels={labels} onLook={look} />,
  };
}
