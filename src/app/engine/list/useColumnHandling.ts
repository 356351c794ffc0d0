import { useMemo } from 'react';
import type { ColumnHandling } from '#app/engine/list/HeadCell.tsx';
import { changed, moved } from '#app/engine/list/columns.ts';
import type { ListLook } from '#app/engine/list/useListView.ts';

/** What the headings do to the arrangement; places are counted among the columns that are shown. */
export function useColumnHandling({ arranged, arrange }: ListLook) {
  const handling = useMemo((): ColumnHandling => {
    const findPosition = (name: string) => arranged.findIndex((it) => it.column.name === name);
    return {
      onWidth: (name, width) => arrange(changed(arranged, name, { width: width ?? undefined })),
      onMove: (name, onto) => arrange(moved(arranged, name, findPosition(onto))),
      onStep: (name, by) => {
        const shown = arranged.filter((it) => !it.hidden);
        const next = shown[shown.findIndex((it) => it.column.name === name) + by];
        if (next) arrange(moved(arranged, name, findPosition(next.column.name)));
      },
    };
  }, [arranged, arrange]);
  const widths = useMemo(
    () =>
      Object.fromEntries(
        arranged.flatMap(({ column, width }) => (width === undefined ? [] : [[column.name, width] as const])),
      ),
    [arranged],
  );
  return { handling, widths };
}
