import { useTranslate } from 'ra-core';
import type { DialogProps } from '#app/parts/dialog.ts';
import { queryBySalesCode } from '#domain/lookups.ts';
import { QueryDialog } from './QueryDialog.tsx';

/** What stands behind a sales code, or behind all that begin so. Rule: parts#queries. */
export default function SalesCodeQueryDialog(props: DialogProps) {
  const translate = useTranslate();
  return (
    <QueryDialog
      {...props}
      call={queryBySalesCode}
      asks={{ label: translate('serials.query.salesCode'), field: 'salesCode' }}
      toInput={(salesCode) => ({ salesCode })}
      columns={[
        { name: 'salesCode', label: translate('serials.query.salesCode'), cell: (it) => it.salesCode },
        { name: 'alias', label: translate('serials.query.alias'), cell: (it) => it.alias },
        { name: 'name', label: translate('serials.query.description'), cell: (it) => it.name },
      ]}
    />
  );
}
