import { useState } from 'react';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslate } from 'ra-core';
import { Link } from 'react-router-dom';
import { FeatureDialog } from '#app/engine/ActionDialog.tsx';
import { nothingElse } from '#app/engine/RowActions.tsx';
import type { OpenDialog } from '#app/engine/useAction.ts';
import type { Row } from '#app/engine/wire.ts';
import { useLabelOf } from '#app/parts/optionLabels.ts';
import { OperateStatus } from '#domain/enums.ts';
import type { HoldEndName, OnTheSpotActionName } from '#domain/nextActions.ts';
import type { Life } from './SnLocation.tsx';

interface Props {
  life: Life;
  /** The step that a rollback would undo. */
  step: string;
  /** The life is being read anew: what was offered until now may be offered no longer. */
  isOld: boolean;
  onDone: () => void;
}

interface DialogTarget {
  /** The list to which the dialog belongs. */
  menuNo: string;
  key: string;
  /** Rarely meant, so that it stands back; `danger` besides where it takes back or ends something. */
  tone?: 'quiet' | 'danger';
}
const ofItem = (script: string, tone?: DialogTarget['tone']): DialogTarget => ({
  menuNo: 'rmaMaintainBillLineItemList',
  key: `rmaMaintainBillLineItem:${script}`,
  ...(tone && { tone }),
});

type Next = Life['next'][number];
/** What ends the hold of a bill and is no station's. */
type SpotName = OnTheSpotActionName | Exclude<HoldEndName, 'receiverAccept' | 'outsourcingAccept'>;

/** What is done on the spot, by the dialog of the list where it is done as well. */
const dialogs: Readonly<Record<SpotName, DialogTarget>> = {
  rebind: { menuNo: 'rmaDeliverBillList', key: 'rmaDeliverBill:rebind' },
  supplementCheckPicture: ofItem('supplementCheckPicture'),
  editDeliver: ofItem('editDeliver'),
  replaceSaleCode: ofItem('replaceSaleCode'),
  updateSiteId: ofItem('updateSiteId'),
  moveBill: ofItem('moveBill'),
  storeStart: { menuNo: 'rmaStoreBillList', key: 'rmaStoreBill:storeStart' },
  rollbackToPreliminaryTest: ofItem('rollbackToPreliminaryTest', 'danger'),
  buyOut: ofItem('buyOut', 'danger'),
  modifyNode: { menuNo: 'rmaInventoryList', key: 'rmaInventory:modifyIvyId', tone: 'quiet' },
  rollback: { menuNo: 'rmaTransactionList', key: '*:rollback', tone: 'danger' },
  returnTransfer: { menuNo: 'rmaStockTransferBillList', key: 'rmaStockTransferBill:returnTransfer', tone: 'danger' },
  cancelScrapRepair: { menuNo: 'rmaScrapRepairBillList', key: 'rmaScrapRepairBill:cancelScrapRepair', tone: 'danger' },
};

/** The row that a dialog would get from its list: the step to undo, the bill that holds the unit, or the item for which it stands. */
function toDialogRow(action: string, { sn, unit, item, lastStepId }: Life): Row {
  if (action === 'rollback') return { id: lastStepId ?? 0, sn, operateStatus: OperateStatus.Normal };
  if (action === 'returnTransfer') return { id: 0, sktbId: unit?.heldBy ?? '' };
  if (action === 'cancelScrapRepair') return { id: 0, srbId: unit?.heldBy ?? '' };
  return { ...unit, ...item, id: item?.id ?? 0, sn, receiveSn: sn };
}

const rowSx = { display: 'flex', flexWrap: 'wrap', gap: 2 } as const;

/** What this user may do with the unit next: each a button that leads to the page that does it, or does it here. */
export function SnNextActions({ life, step, isOld, onDone }: Props) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  const [opened, setOpened] = useState<{ menuNo: string; open: OpenDialog } | null>(null);
  const nameOf = (action: string) =>
    translate(`stations.history.do.${action}`, { step: labelOf('workflowSteps', step) }).trim();

  const open = (action: string, { menuNo, key }: DialogTarget) => {
    const button = { id: action, btnNo: action, btnName: nameOf(action), btnScript: action };
    setOpened({ menuNo, open: { key, button, rows: [toDialogRow(action, life)], isForAll: false } });
  };
  const buttonOf = ({ action, address }: Next) => {
    if (address !== null) {
      return (
        <Button key={action} size="medium" variant="contained" component={Link} to={address}>
          {nameOf(action)}
        </Button>
      );
    }
    const dialog = dialogs[action as SpotName];
    return (
      <Button
        key={action}
        size="medium"
        variant={dialog.tone ? 'text' : 'outlined'}
        color={dialog.tone === 'danger' ? 'error' : 'primary'}
        onClick={() => open(action, dialog)}
        sx={dialog.tone && { px: 2, minWidth: 0 }}
      >
        {nameOf(action)}
      </Button>
    );
  };
  const isQuiet = ({ action, address }: Next) => address === null && dialogs[action as SpotName].tone !== undefined;
  const usual = life.next.filter((it) => !isQuiet(it));
  const quiet = life.next.filter(isQuiet);
  return (
    <>
      {/* Out of sight, yet in its place and with the focus, until it is known to be true. */}
      <Box aria-busy={isOld} sx={isOld ? { opacity: 0, pointerEvents: 'none' } : null}>
        {life.next.length === 0 ? (
          <Box sx={{ color: 'text.secondary' }}>{translate('stations.history.nothingNext')}</Box>
        ) : (
          <Box
            role="group"
            aria-label={translate('stations.history.next')}
            sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 4, rowGap: 2 }}
          >
            {usual.length > 0 && <Box sx={rowSx}>{usual.map(buttonOf)}</Box>}
            {/* Their words begin where the boxes of the others do. */}
            {quiet.length > 0 && <Box sx={{ ...rowSx, ml: -2 }}>{quiet.map(buttonOf)}</Box>}
          </Box>
        )}
      </Box>
      {opened && (
        <FeatureDialog
          menuNo={opened.menuNo}
          open={opened.open}
          matching={nothingElse}
          onDone={onDone}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}
