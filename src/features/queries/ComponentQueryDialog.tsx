import { useTranslate } from 'ra-core';
import type { DialogProps } from '#app/parts/dialog.ts';
import { SnLink } from '#app/parts/SnLink.tsx';
import { Moment } from '#app/parts/cells.tsx';
import type { DataOf } from '#domain/call.ts';
import { componentQuery } from '#domain/lookups.ts';
import { QueryDialog, type QueryColumn } from './QueryDialog.tsx';

type AssemblyRecord = DataOf<typeof componentQuery>['items'][number];

const MOST_BOARDS = 8;
const linked = (sn: string | null | undefined) => (sn ? <SnLink sn={sn} /> : null);

/** In which devices an SN was, or what a device was made of, at each change; all parts in one row. Rule: parts#queries. */
export default function ComponentQueryDialog(props: DialogProps) {
  const translate = useTranslate();
  const column = (name: string, cell: QueryColumn<AssemblyRecord>['cell'], number?: number) => ({
    ...{ name: `${name}${number ?? ''}`, label: translate(`serials.query.${name}`, { number }), cell },
  });
  return (
    <QueryDialog
      {...props}
      width="charts"
      call={componentQuery}
      asks={{ label: translate('serials.query.any'), field: 'componentSn' }}
      toInput={(componentSN) => ({ componentSN })}
      columns={[
        column('device', (it) => linked(it.assemblySn)),
        column('bindingTime', (it) => it.bindingTime !== null && <Moment at={it.bindingTime} withTime />),
        column('power', (it) => linked(it.powerSn)),
        column('controls', (it) => linked(it.controlSn)),
        ...Array.from({ length: MOST_BOARDS }, (_, i) => [
          column('board', (it) => linked(it.hashBoardList[i]), i + 1),
          column('boardQrCode', (it) => it.qrCodeNumList[i], i + 1),
        ]).flat(),
        column('site', (it) => it.siteCode),
        column('createBy', (it) => it.createBy),
      ]}
    />
  );
}
