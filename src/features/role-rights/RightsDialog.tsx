import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { nodesOf, type RightNode } from '#domain/rightTree.ts';
import { useNotices, useReasonOf } from '#app/notify.ts';
import { ActionModal } from '#app/parts/ActionModal.tsx';
import { RightTree } from '#app/parts/RightTree.tsx';
import type { DialogProps } from '#app/parts/dialog.ts';
import { isRefusal, send } from '#app/send.ts';
import { useLanguage } from '#app/session.ts';
import { rightModify, toRightModify } from './contract.ts';
import { checkedAnew, joined, parted } from './rules.ts';

/** What a role may do, as a tree of checkboxes: menus and, below them, buttons. Rule: rights#role-tree. */
export default function RightsDialog({ button, rows: [row], onDone, onClose }: DialogProps) {
  const translate = useTranslate();
  const notices = useNotices();
  const reasonOf = useReasonOf();
  const lang = useLanguage();
  const roleId = String(row?.['roleId'] ?? '');
  const shown = { roleId, ...(row && { id: Number(row.id) }) };
  const { data, error, refetch } = useQuery({
    queryKey: ['adminRole', 'toRightModify', roleId, lang],
    queryFn: () => send(toRightModify, shown),
    staleTime: Infinity,
    gcTime: 0,
  });
  const [changed, setChanged] = useState<ReadonlySet<string> | null>(null);
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState('');
  const tree = (data?.items ?? []) as RightNode[];
  const shownIds = data?.rightIds ?? '';
  const checked = changed ?? new Set(parted(shownIds));
  const rights = nodesOf(tree).filter((it) => it.id.includes(':'));

  const save = async () => {
    setSending(true);
    setProblem('');
    try {
      await send(rightModify, { ...shown, shown: shownIds, rightIds: joined(checked) }, { form: true });
      notices.success(translate('bills.rights.saved'));
      onDone();
      onClose();
    } catch (no) {
      const again = isRefusal(no, 'stale') ? await refetch() : undefined;
      const now = again?.isSuccess ? again.data.rightIds : undefined;
      if (now !== undefined) setChanged(checkedAnew(parted(now), checked, new Set(parted(shownIds))));
      setProblem(now === undefined ? reasonOf(no) : translate('bills.rights.changed'));
      setSending(false);
    }
  };
  return (
    <ActionModal
      title={`${button.btnName} · ${String(row?.[lang === 'zh' ? 'name' : 'nameEn'] ?? roleId)}`}
      action={translate('bills.rights.save')}
      sending={sending}
      disabled={!data || changed === null}
      problem={problem || (error ? reasonOf(error) : '')}
      onSubmit={() => void save()}
      onClose={onClose}
    >
      <Box sx={{ color: 'text.secondary', minHeight: 20 }} aria-live="polite">
        {data &&
          translate('bills.rights.count', {
            count: rights.filter((it) => checked.has(it.id)).length,
            all: rights.length,
          })}
      </Box>
      <Box sx={{ height: 'min(56vh, 540px)', overflow: 'auto', border: 1, borderColor: 'divider', borderRadius: 1 }}>
        {!data && !error && <Skeleton variant="rectangular" height="100%" />}
        <RightTree label={button.btnName} tree={tree} checked={checked} onChange={setChanged} />
      </Box>
    </ActionModal>
  );
}
