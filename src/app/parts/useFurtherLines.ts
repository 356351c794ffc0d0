import { useMemo } from 'react';
import { useGetList } from 'ra-core';
import type { LinesView, Row } from '#app/engine/wire.ts';
import { useLater } from '#app/parts/useLater.ts';

interface Sought {
  module: string;
  view: LinesView;
  /** Those that came with the bill. */
  rows: readonly Row[];
  /** What the others are found by. */
  field: string;
  sought: string;
  most: number;
}

/** Of a long bill only the first lines came with it: the others are found by what they are called. Rule: lists#long-bills. */
export function useFurtherLines({ module, view, rows, field, sought, most }: Sought): readonly Row[] {
  const text = useLater(sought.trim());
  const { total, by = '' } = view;
  const { data = [] } = useGetList<Row>(
    module,
    {
      filter: { [by]: rows[0]?.[by], [field]: text },
      pagination: { page: 1, perPage: most },
      sort: { field: 'id', order: 'ASC' },
    },
    { enabled: total !== undefined && text !== '' },
  );
  return useMemo(() => {
    const known = new Set(rows.map((it) => it.id));
    return text === '' ? [] : data.filter((it) => !known.has(it.id));
  }, [data, rows, text]);
}
