import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { FeatureDialog } from '#app/engine/ActionDialog.tsx';
import { isOfferedFor } from '#app/engine/actions.ts';
import { useAction } from '#app/engine/useAction.ts';
import type { Row } from '#app/engine/wire.ts';
import type { Matching } from '#app/parts/dialog.ts';
import { useToolbar } from '#app/shell/pageNames.ts';

interface Props {
  /** Whose buttons: the list that these rows would stand in. */
  menuNo: string;
  /** The row that is chosen in the table; none yet. */
  rows: readonly Row[];
  onDone: () => void;
}

/** For a dialog over something that is no list. */
export const nothingElse: Matching = { total: 0, query: {}, condition: null, sort: {}, columns: [] };

/** The row actions of a module over a table that is no list page: the same buttons, rights and dialogs as there. */
export function RowActions({ menuNo, rows, onDone }: Props) {
  const buttons = (useToolbar(menuNo).data ?? []).filter((it) => it.rows === 1);
  const { act, dialog, closeDialog } = useAction(menuNo);
  if (buttons.length === 0) return null;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, p: 2 }}>
      {buttons.map((it) => (
        <Button
          key={it.id}
          variant="outlined"
          color={it.tone === 'danger' ? 'error' : 'primary'}
          disabled={rows.length > 0 && !isOfferedFor(it, rows)}
          onClick={() => act(it, rows)}
        >
          {it.btnName}
        </Button>
      ))}
      {dialog && (
        <FeatureDialog menuNo={menuNo} open={dialog} matching={nothingElse} onDone={onDone} onClose={closeDialog} />
      )}
    </Box>
  );
}
