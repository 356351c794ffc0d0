import { useState } from 'react';
import { useListContext, useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Close from '@mui/icons-material/Close';
import MoreHoriz from '@mui/icons-material/MoreHoriz';
import Refresh from '@mui/icons-material/Refresh';
import { ActionDialog } from '#app/engine/ActionDialog.tsx';
import { DeleteDialog } from '#app/engine/DeleteDialog.tsx';
import { isOfferedFor } from '#app/engine/actions.ts';
import { useAction } from '#app/engine/useAction.ts';
import { ViewOptions } from '#app/engine/ViewOptions.tsx';
import type { Row, ToolbarButton } from '#app/engine/wire.ts';
import { useIsPhone } from '#app/shell/appearance.ts';

interface ToolbarProps {
  menuNo: string;
  title: string;
  buttons: readonly ToolbarButton[];
  rows: readonly Row[];
}

/** Title and buttons on one line: exactly the buttons that the server gave; what does not fit waits in a menu. */
export function Toolbar({ menuNo, title, buttons, rows }: ToolbarProps) {
  const translate = useTranslate();
  const isPhone = useIsPhone();
  const { selectedIds, onUnselectItems, refetch, total, error } = useListContext();
  const selected = rows.filter((it) => selectedIds.includes(it.id));
  const { act, deleting, stopDeleting, dialog, closeDialog } = useAction(menuNo, selected);
  const room = isPhone ? 1 : 5;
  const direct = buttons.length > room ? byTone(buttons).slice(0, room) : byTone(buttons);
  const rest = byTone(buttons).slice(direct.length);

  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, minHeight: 32, flexWrap: isPhone ? 'wrap' : 'nowrap' }}>
      <Box component="h1" sx={{ m: 0, fontSize: 18, lineHeight: '28px', fontWeight: 600, whiteSpace: 'nowrap' }}>
        {title}
      </Box>
      {total !== undefined && !error && (
        <Box component="span" sx={{ color: 'text.secondary', fontSize: 13, fontVariantNumeric: 'tabular-nums' }}>
          {total.toLocaleString('en-US')}
        </Box>
      )}
      <Box sx={{ ml: 'auto', display: 'flex', alignItems: 'center', gap: 2 }}>
        {selectedIds.length > 0 && (
          <Box
            role="status"
            sx={{ display: 'flex', alignItems: 'center', fontSize: 13, color: 'primary.main', whiteSpace: 'nowrap' }}
          >
            {translate('shell.list.selected', { count: selectedIds.length })}
            <IconButton
              size="small"
              aria-label={translate('shell.list.unselect')}
              title={translate('shell.list.unselect')}
              onClick={() => onUnselectItems()}
            >
              <Close sx={{ fontSize: 16 }} />
            </IconButton>
          </Box>
        )}
        {direct.map((it) => (
          <ActionButton key={it.id} button={it} selected={selected} onClick={() => act(it)} />
        ))}
        {rest.length > 0 && <Overflow buttons={rest} selected={selected} onChoose={act} />}
        <IconButton
          size="small"
          aria-label={translate('shell.list.refresh')}
          title={translate('shell.list.refresh')}
          onClick={() => void refetch()}
        >
          <Refresh fontSize="small" />
        </IconButton>
        {!isPhone && <ViewOptions />}
      </Box>
      {deleting && <DeleteDialog menuNo={menuNo} rows={selected} many={deleting === 'many'} onClose={stopDeleting} />}
      {dialog && <ActionDialog menuNo={menuNo} open={dialog} isForAll={false} onClose={closeDialog} />}
    </Box>
  );
}

/** The one that matters first, the dangerous ones last; otherwise in the server's order. */
function byTone(buttons: readonly ToolbarButton[]): ToolbarButton[] {
  const rank = (it: ToolbarButton) => (it.tone === 'primary' ? 0 : it.tone === 'danger' ? 2 : 1);
  return [...buttons].sort((a, b) => rank(a) - rank(b));
}

interface ActionButtonProps {
  button: ToolbarButton;
  selected: readonly Row[];
  onClick: () => void;
}

function ActionButton({ button, selected, onClick }: ActionButtonProps) {
  const translate = useTranslate();
  const isOff = selected.length > 0 && !isOfferedFor(button, selected);
  return (
    <span title={isOff ? translate('shell.list.notForRow') : undefined}>
      <Button
        variant={button.tone === 'primary' ? 'contained' : 'outlined'}
        color={button.tone === 'danger' ? 'error' : 'primary'}
        disabled={isOff}
        onClick={onClick}
        sx={{ whiteSpace: 'nowrap' }}
      >
        {button.btnName}
      </Button>
    </span>
  );
}

interface OverflowProps {
  buttons: readonly ToolbarButton[];
  selected: readonly Row[];
  onChoose: (button: ToolbarButton) => void;
}

function Overflow({ buttons, selected, onChoose }: OverflowProps) {
  const translate = useTranslate();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <IconButton
        size="small"
        aria-label={translate('shell.list.more')}
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <MoreHoriz fontSize="small" />
      </IconButton>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {buttons.map((it) => (
          <MenuItem
            key={it.id}
            disabled={selected.length > 0 && !isOfferedFor(it, selected)}
            onClick={() => {
              setAnchor(null);
              onChoose(it);
            }}
            sx={{ color: it.tone === 'danger' ? 'error.main' : undefined }}
          >
            {it.btnName}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
