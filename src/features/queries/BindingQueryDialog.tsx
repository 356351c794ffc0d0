import { useTranslate } from 'ra-core';
import type { DialogProps } from '#app/parts/dialog.ts';
import { SnLink } from '#app/parts/SnLink.tsx';
import { queryComponentBySn } from '#domain/lookups.ts';
import { QueryDialog } from './QueryDialog.tsx';

/** What a device is made of now. Rule: parts#queries. */
export default function BindingQueryDialog(props: DialogProps) {
  const translate = useTranslate();
  return (
    <QueryDialog
      {...props}
      call={queryComponentBySn}
      asks={{ label: translate('serials.query.device'), field: 'deviceSn' }}
      toInput={(sn) => ({ sn })}
      columns={[
        { name: 'label', label: translate('serials.query.partType'), cell: (it) => it.label },
        { name: 'componentSn', label: translate('serials.query.partSn'), cell: (it) => <SnLink sn={it.componentSn} /> },
        { name: 'qrCodeNum', label: translate('serials.query.qrCode'), cell: (it) => it.qrCodeNum },
        { name: 'name', label: translate('serials.query.item'), cell: (it) => it.name },
      ]}
    />
  );
}
