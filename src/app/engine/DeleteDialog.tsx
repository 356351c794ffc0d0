import { useDelete, useDeleteMany, useListContext, useTranslate } from 'ra-core';
import { rowName } from '#app/engine/list/BodyRow.tsx';
import { columnsOf, type ListMeta } from '#app/engine/listMeta.ts';
import { moduleOf } from '#app/engine/module.ts';
import type { Row } from '#app/engine/wire.ts';
import { useNotices } from '#app/notify.ts';
import { Confirm } from '#app/parts/Confirm.tsx';
import { useSeen } from '#app/parts/useSeen.tsx';

interface DeleteDialogProps {
  menuNo: string;
  rows: readonly Row[];
  many: boolean;
  onClose: () => void;
}

/** Deleting asks first; afterwards the list is read again. Rule: lists#deleting. */
export default function DeleteDialog({ menuNo, rows, many, onClose }: DeleteDialogProps) {
  const translate = useTranslate();
  const notices = useNotices();
  const { meta, onUnselectItems, refetch } = useListContext<Row>();
  const [deleteOne, one] = useDelete<Row>();
  const [deleteMany, several] = useDeleteMany<Row>();
  // One alone can be looked at again; of several, each goes as the list has shown it.
  const { row: first, failed, notice } = useSeen(moduleOf(menuNo), rows[0]);
  const done = {
    onSuccess: () => {
      notices.success(translate('shell.delete.done'));
      onUnselectItems();
      void refetch();
      onClose();
    },
    onError: async (error: unknown) => {
      if (!many && (await failed(error))) return;
      notices.failed(translate('shell.delete.action'), error);
      onClose();
    },
  };
  const confirm = () => {
    const versions = Object.fromEntries(rows.map((it) => [it.id, it['version']]));
    if (many) void deleteMany(menuNo, { ids: rows.map((it) => it.id), meta: { versions } }, done);
    else if (first) void deleteOne(menuNo, { id: first.id, previousData: first }, done);
  };
  const { named, labels, ...rest } = (meta ?? {}) as ListMeta;
  const name = first ? rowName(named ?? columnsOf(rest).slice(0, 1), first, labels) : '';
  const title = many && rows.length > 1 ? 'shell.delete.titleMany' : 'shell.delete.title';
  return (
    <Confirm
      open
      danger
      busy={one.isPending || several.isPending}
      title={translate(title, { name, count: rows.length })}
      action={translate('shell.delete.action')}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {notice}
      {translate('shell.delete.body')}
    </Confirm>
  );
}
