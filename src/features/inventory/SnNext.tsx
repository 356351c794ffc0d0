import { useState } from 'react';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslate } from 'ra-core';
import { Link } from 'react-router-dom';
import { FeatureDialog } from '#app/engine/ActionDialog.tsx';
import { nothingElse } from '#app/engine/RowActions.tsx';
import type { OpenDialog } from '#app/engine/useAction.ts';
import { useLabelOf } from '#app/parts/optionLabels.ts';
import { OperateStatus } from '#domain/enums.ts';
import type { Life } from './SnWhere.tsx';

interface Props {
  life: Life;
  /** The step that a rollback would undo. */
  step: string;
  onDone: () => void;
}

/** What is done on the spot: the dialog, and the list to which it belongs. */
const dialogs: Readonly<Record<string, { menuNo: string; key: string }>> = {
  modifyNode: { menuNo: 'rmaInventoryList', key: 'rmaInventory:modifyIvyId' },
  rollback: { menuNo: 'rmaTransactionList', key: '*:rollback' },
};

/** What this user may do with the unit next: each a button that leads to the page that does it, or does it here. */
export function SnNext({ life, step, onDone }: Props) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  const [opened, setOpened] = useState<{ menuNo: string; open: OpenDialog } | null>(null);
  const nameOf = (action: string) =>
    translate(`stations.history.do.${action}`, { step: labelOf('workflowSteps', step) }).trim();

  const open = (action: string) => {
    const dialog = dialogs[action];
    if (!dialog) return;
    const button = { id: action, btnNo: action, btnName: nameOf(action), btnScript: action };
    const row = { id: life.lastStepId ?? 0, sn: life.sn, operateStatus: OperateStatus.Normal };
    setOpened({ menuNo: dialog.menuNo, open: { key: dialog.key, button, rows: [row], isForAll: false } });
  };
  if (life.next.length === 0) {
    return <Box sx={{ color: 'text.secondary' }}>{translate('stations.history.nothingNext')}</Box>;
  }
  return (
    <Box
      role="group"
      aria-label={translate('stations.history.next')}
      sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}
    >
      {life.next.map(({ action, address }) =>
        address === null ? (
          <Button
            key={action}
            size="medium"
            variant="outlined"
            color={action === 'rollback' ? 'error' : 'primary'}
            onClick={() => open(action)}
          >
            {nameOf(action)}
          </Button>
        ) : (
          <Button key={action} size="medium" variant="contained" component={Link} to={address}>
            {nameOf(action)}
          </Button>
        ),
      )}
      {opened && (
        <FeatureDialog
          menuNo={opened.menuNo}
          open={opened.open}
          matching={nothingElse}
          onDone={onDone}
          onClose={() => setOpened(null)}
        />
      )}
    </Box>
  );
}
