import { useState } from 'react';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import MoreHoriz from '@mui/icons-material/MoreHoriz';
import { useTranslate } from 'ra-core';
import { FeatureDialog } from '#app/engine/ActionDialog.tsx';
import { isOfferedFor } from '#app/engine/actions.ts';
import { statusOf } from '#app/engine/factsOf.tsx';
import { nothingElse } from '#app/engine/RowActions.tsx';
import { useAction } from '#app/engine/useAction.ts';
import type { Detail, Row, ToolbarButton } from '#app/engine/wire.ts';
import { textOf, listed } from '#app/fields/format.ts';
import { useLabelOf } from '#app/parts/optionLabels.ts';
import { PageHead } from '#app/parts/PageHead.tsx';
import { useAge } from '#app/parts/useAge.ts';
import { useToolbar } from '#app/shell/pageNames.ts';
import type { DataOf } from '#domain/call.ts';
import { BillStatus } from '#domain/enums.ts';
import { isWaybill } from '#domain/waybill.ts';
import type { billProgress } from './contract.ts';

export type Bill = Detail & { mtbId: string; rmaMaintainBillLineList?: Row[] };

interface Props {
  menuNo: string;
  isReading: boolean;
  bill: Bill | undefined;
  progress: DataOf<typeof billProgress> | undefined;
  onDone: () => void;
}

/** So many of the bill's own actions stand beside each other; the others wait in a menu. */
const DIRECT = 2;

/** What the bill is, whose, what was promised and what has become of it; and what is done with it as a whole. */
export function BillHead({ menuNo, isReading, bill, progress, onDone }: Props) {
  const translate = useTranslate();
  const facts = useFacts(bill, progress);
  const { act, dialog, closeDialog } = useAction(menuNo);
  const buttons = (useToolbar(menuNo).data ?? []).filter((it) => it.rows === 1 && it.btnNo !== 'detail');
  if (!bill) return <PageHead isReading={isReading} menuNo={menuNo} />;
  const isOff = (it: ToolbarButton) => !isOfferedFor(it, [bill]);
  const plain = buttons.filter((it) => it.tone !== 'danger');
  const direct = [...plain.slice(0, DIRECT), ...buttons.filter((it) => it.tone === 'danger')];
  return (
    <>
      <PageHead
        status={statusOf(bill.view, bill)}
        facts={facts}
        menuNo={menuNo}
        actions={direct.map((it) => ({
          label: it.btnName,
          tone: it.tone === 'danger' ? 'danger' : 'plain',
          disabled: isOff(it),
          onPress: () => act(it, [bill]),
        }))}
      >
        <MoreActions
          label={translate('stations.maintainBill.more')}
          buttons={plain.slice(DIRECT)}
          isOff={isOff}
          onChoose={(it) => act(it, [bill])}
        />
      </PageHead>
      {dialog && (
        <FeatureDialog menuNo={menuNo} open={dialog} matching={nothingElse} onDone={onDone} onClose={closeDialog} />
      )}
    </>
  );
}

/** Whose it is, how it came and left, what was promised, and for how long it has been here. */
function useFacts(bill: Bill | undefined, progress: Props['progress']) {
  const translate = useTranslate();
  const labelOf = useLabelOf();
  const age = useAge();
  if (!bill) return [];
  const { fields, labels } = bill.view;
  const said = (name: string) => {
    const column = fields.find((it) => it.name === name);
    return column ? textOf(column, bill[name], labels) : '';
  };
  const lines = bill.rmaMaintainBillLineList ?? [];
  const sum = (name: string) => lines.reduce((all, it) => all + (Number(it[name]) || 0), 0);
  const packages = Number(bill['receivePackageCount'] ?? 0);
  const isOver = bill['billStatus'] === BillStatus.Finished;
  const word = (key: string) => translate(`stations.maintainBill.head.${key}`);
  return [
    { label: word('customer'), value: said('userName') },
    { label: word('site'), value: said('siteId') },
    { label: word('inbound'), value: [said('receiveShipId'), said('receiveShipNo')].filter(Boolean).join(' ') },
    {
      label: word('outbound'),
      value: listed((progress?.shipments ?? []).map((it) => it.deliverShipNo).filter(isWaybill)),
    },
    {
      label: word('declared'),
      value: [
        translate('stations.maintainBill.head.received', { count: sum('count'), received: sum('receiveCount') }),
        packages > 0 && translate('stations.maintainBill.head.packages', { smart_count: packages }),
        ...(progress?.warranties ?? []).map((it) => `${labelOf('warranty', it.warranty)} ${it.count}`),
      ]
        .filter(Boolean)
        .join(' · '),
    },
    { label: word('age'), value: isOver ? '' : age(Number(bill['createTime'])) },
  ];
}

interface MoreProps {
  label: string;
  buttons: readonly ToolbarButton[];
  isOff: (it: ToolbarButton) => boolean;
  onChoose: (it: ToolbarButton) => void;
}

function MoreActions({ label, buttons, isOff, onChoose }: MoreProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  if (buttons.length === 0) return null;
  return (
    <>
      <IconButton
        size="small"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <MoreHoriz />
      </IconButton>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {buttons.map((it) => (
          <MenuItem
            key={it.id}
            disabled={isOff(it)}
            onClick={() => {
              setAnchor(null);
              onChoose(it);
            }}
          >
            {it.btnName}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
