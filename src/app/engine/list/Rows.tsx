import { lazy, Suspense, useMemo, useState } from 'react';
import { useListContext } from 'ra-core';
import { RowCards } from '#app/engine/list/RowCards.tsx';
import { useColumnHandling } from '#app/engine/list/useColumnHandling.ts';
import type { ListLook } from '#app/engine/list/useListView.ts';
import type { MenuPosition, RowHandling } from '#app/engine/list/useRows.ts';
import { ListInstead } from '#app/engine/ListInstead.tsx';
import type { ListMeta } from '#app/engine/listMeta.ts';
import { countFitting, FILL, pageSize } from '#app/engine/pageSize.ts';
import { RowTable } from '#app/engine/RowTable.tsx';
import type { Column, Row } from '#app/engine/wire.ts';
import { useObservable } from '#app/observable.ts';
import { useIsPhone } from '#app/shell/appearance.ts';
import { densities, type Density } from '#app/theme.ts';

const ColumnMenu = lazy(() => import('#app/engine/list/ColumnMenu.tsx'));

const none: Column[] = [];

interface RowsProps extends RowHandling {
  menuNo: string;
  look: ListLook;
  rows: readonly Row[];
  previewedId: number | null;
}

/** The list's rows as a table, on a phone as cards; or what is said in their place. */
export function Rows({ menuNo, look, rows, previewedId, ...on }: RowsProps) {
  const list = useListContext<Row>();
  const isPhone = useIsPhone();
  const meta = (list.meta ?? {}) as ListMeta;
  const { handling, widths } = useColumnHandling(look);
  const [menu, setMenu] = useState<{ column: string; at: MenuPosition } | null>(null);
  const ofHead = useMemo(
    () => ({ ...handling, onMenu: (column: string, at: MenuPosition) => setMenu({ column, at }) }),
    [handling],
  );
  const rowHeight = densities[look.density];
  const fills = useObservable(pageSize) === FILL;
  const common = {
    columns: look.isOpening ? none : look.columns,
    rows,
    named: meta.named,
    labels: meta.labels,
    label: meta.tableName ?? menuNo,
    linkOf: meta.link ? (row: Row) => `/${menuNo}/detail/${row.id}` : undefined,
    instead: rows.length > 0 ? undefined : <ListInstead rowHeight={rowHeight} isOpening={look.isOpening} />,
    ...on,
  };
  if (isPhone) return <RowCards {...common} />;
  return (
    <>
      <RowTable
        {...common}
        maxHeight={Math.max(meta.maxHeight ?? 540, fills ? heightOfFilled(look.density, meta) : 0)}
        rowHeight={rowHeight}
        sort={list.sort}
        onSort={meta.most ? undefined : list.setSort}
        widths={widths}
        handling={ofHead}
        totals={meta.totals}
        previewedId={previewedId}
        count={list.total}
        before={(list.page - 1) * list.perPage}
      />
      <Suspense fallback={null}>
        {menu && <ColumnMenu {...menu} menuNo={menuNo} look={look} onClose={() => setMenu(null)} />}
      </Suspense>
    </>
  );
}

/** With its headings, and the line of sums where it has one. */
const heightOfFilled = (density: Density, { totals }: ListMeta): number =>
  (countFitting(density) + (totals ? 1 : 0)) * densities[density] + HEAD;
const HEAD = 34;
