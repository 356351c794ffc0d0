import { Link } from 'react-router-dom';
import { useTranslate } from 'ra-core';
import Divider from '@mui/material/Divider';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { isOfferedFor, needsRow } from '#app/engine/actions.ts';
import type { MenuPosition } from '#app/engine/list/useRows.ts';
import type { Row, ToolbarButton } from '#app/engine/wire.ts';

interface RowMenuProps {
  menuNo: string;
  row: Row;
  at: MenuPosition;
  buttons: readonly ToolbarButton[];
  /** The row has a page of its own that the list leads to. */
  canOpen: boolean;
  onAct: (button: ToolbarButton, row: Row) => void;
  onPreview: (row: Row) => void;
  onClose: () => void;
}

/** What the toolbar offers for a row, where the row is. */
export default function RowMenu({ menuNo, row, at, buttons, canOpen, onAct, onPreview, onClose }: RowMenuProps) {
  const translate = useTranslate();
  const ofRow = buttons.filter(needsRow);
  const close = (then: () => void) => () => {
    onClose();
    then();
  };
  return (
    <Menu open onClose={onClose} anchorReference="anchorPosition" anchorPosition={at}>
      {canOpen && (
        <MenuItem component={Link} to={`/${menuNo}/detail/${row.id}`} onClick={onClose}>
          {translate('lists.preview.open')}
        </MenuItem>
      )}
      <MenuItem onClick={close(() => onPreview(row))}>{translate('lists.row.preview')}</MenuItem>
      {ofRow.length > 0 && <Divider />}
      {ofRow.map((it) => (
        <MenuItem
          key={it.id}
          disabled={!isOfferedFor(it, [row])}
          onClick={close(() => onAct(it, row))}
          sx={{ color: it.tone === 'danger' ? 'error.main' : undefined }}
        >
          {it.btnName}
        </MenuItem>
      ))}
    </Menu>
  );
}
