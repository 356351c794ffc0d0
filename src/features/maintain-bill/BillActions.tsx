import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Close from '@mui/icons-material/Close';
import { useTranslate } from 'ra-core';
import { FeatureDialog } from '#app/engine/ActionDialog.tsx';
import { isOfferedFor } from '#app/engine/actions.ts';
import { useAction } from '#app/engine/useAction.ts';
import type { Row, ToolbarButton } from '#app/engine/wire.ts';
import { groupedCount } from '#app/fields/format.ts';
import type { Matching } from '#app/parts/dialog.ts';
import { IconAction } from '#app/parts/IconAction.tsx';
import { WorkFooter } from '#app/parts/WorkFrame.tsx';
import { useToolbar } from '#app/shell/pageNames.ts';

interface Props {
  bill: Row;
  /** The selected items, of whichever of its lines. */
  rows: readonly Row[];
  onClear: () => void;
  onDone: () => void;
}

const items = 'rmaMaintainBillLineItemList';
const bills = 'rmaMaintainBillList';
const nothingElse: Matching = { total: 0, query: {}, condition: null, sort: {}, columns: [] };

/** What can be done with the selected units, and the closing of their bill: what this user may. Rule: bills#detail. */
export function BillActions({ bill, rows, onClear, onDone }: Props) {
  const translate = useTranslate();
  const ofItems = useToolbar(items).data ?? [];
  const closing = (useToolbar(bills).data ?? []).filter((it) => it.btnNo === 'terminate');
  const onItems = useAction(items);
  const onBill = useAction(bills);
  const after = ofItems.findIndex((it) => it.btnNo === 'buyOut') + 1 || ofItems.length;
  const buttons = ofItems.toSpliced(after, 0, ...closing);
  if (buttons.length === 0) return null;

  const isOff = (it: ToolbarButton) => {
    if (closing.includes(it)) return !isOfferedFor(it, [bill]);
    return rows.length === 1 && !isOfferedFor(it, rows);
  };
  // The bill is closed from its units as well: without one of them nothing is done.
  const choose = (it: ToolbarButton) =>
    closing.includes(it) ? onBill.act(it, rows.length > 0 ? [bill] : []) : onItems.act(it, rows);
  const rest = { matching: nothingElse, onDone };
  return (
    <WorkFooter>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, minWidth: 0, whiteSpace: 'nowrap' }}>
        <IconAction label={translate('shell.list.unselect')} Icon={Close} size={16} onClick={onClear} />
        {/* Beside each other on a phone, else one over the other, so that the buttons stay where they are. */}
        <Box
          sx={{ display: 'flex', flexDirection: { md: 'column' }, columnGap: 2, minWidth: 0, minHeight: { md: 36 } }}
        >
          <Box role="status" sx={{ fontSize: 13, lineHeight: '20px', fontWeight: 600, color: 'primary.main' }}>
            {translate('shell.list.selected', { count: groupedCount(rows.length) })}
          </Box>
          {rows.length === 0 && (
            <Box
              component="span"
              sx={{ fontSize: 12, lineHeight: { xs: '20px', md: '16px' }, color: 'text.secondary' }}
            >
              {translate('stations.billAction.how')}
            </Box>
          )}
        </Box>
      </Box>
      <Box
        role="group"
        aria-label={translate('stations.billAction.bar')}
        sx={{
          display: 'flex',
          flexWrap: { xs: 'nowrap', md: 'wrap' },
          gap: 2,
          minWidth: 0,
          width: { xs: 1, md: 'auto' },
          // On a phone they lie in one line that is pushed along; its edge must not cut the buttons' own.
          overflowX: { xs: 'auto', md: 'visible' },
          py: 0.5,
          ml: { md: 'auto' },
        }}
      >
        {buttons.map((it) => (
          <Button
            key={it.id}
            variant="outlined"
            color={it.tone === 'danger' ? 'error' : 'primary'}
            disabled={isOff(it)}
            onClick={() => choose(it)}
            sx={{ whiteSpace: 'nowrap', flexShrink: 0 }}
          >
            {it.btnName}
          </Button>
        ))}
      </Box>
      {onItems.dialog && <FeatureDialog {...rest} menuNo={items} open={onItems.dialog} onClose={onItems.closeDialog} />}
      {onBill.dialog && <FeatureDialog {...rest} menuNo={bills} open={onBill.dialog} onClose={onBill.closeDialog} />}
    </WorkFooter>
  );
}
