import { useState } from 'react';
import { useListContext, useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import MoreHoriz from '@mui/icons-material/MoreHoriz';
import Refresh from '@mui/icons-material/Refresh';
import { isOfferedFor, needsRow } from '#app/engine/actions.ts';
import { BulkBar } from '#app/engine/list/BulkBar.tsx';
import { ViewsMenu } from '#app/engine/list/ViewsMenu.tsx';
import type { Act } from '#app/engine/useAction.ts';
import { ViewOptions } from '#app/engine/ViewOptions.tsx';
import type { Row, ToolbarButton } from '#app/engine/wire.ts';
import { groupedCount } from '#app/fields/format.ts';
import { IconAction } from '#app/parts/IconAction.tsx';
import { useIsPhone, useIsTablet } from '#app/shell/appearance.ts';

interface ToolbarProps {
  title: string;
  buttons: readonly ToolbarButton[];
  /** The selected rows of this page. */
  selected: readonly Row[];
  /** Several rows may be selected: the line then turns into the bulk bar. */
  multiple: boolean;
  isForAll: boolean;
  onAll: (to: boolean) => void;
  act: Act;
}

/**
 * Title and buttons on one line: exactly the buttons that the server gave; what does not fit waits in a menu. With rows
 * selected the same line is about them.
 */
export function Toolbar({ title, buttons, selected, multiple, isForAll, onAll, act }: ToolbarProps) {
  const translate = useTranslate();
  const isPhone = useIsPhone();
  const isTablet = useIsTablet();
  const { selectedIds, onUnselectItems, refetch, total, error } = useListContext();
  const isBulk = multiple && selectedIds.length > 0;
  const isOff = (it: ToolbarButton) =>
    (selected.length > 0 && !isOfferedFor(it, selected)) || (isForAll && !it.all && needsRow(it));
  const toned = byTone(buttons, isBulk);
  const room = isPhone ? 1 : isTablet ? 4 : 5;
  // A phone has room for one: one that can be done with the selected rows.
  const first = isPhone && isBulk ? toned.find((it) => needsRow(it) && !isOff(it)) : undefined;
  const sorted = first ? [first, ...toned.filter((it) => it !== first)] : toned;
  const count = isBulk ? Math.min(room, sorted.filter(needsRow).length) : room;
  const direct = sorted.slice(0, count);
  const rest = sorted.slice(count);
  const choose = (it: ToolbarButton) => act(it, selected, isForAll);

  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 2,
        minHeight: 32,
        flexWrap: isPhone ? 'wrap' : 'nowrap',
        // The bulk bar is told by its colour; it takes the same room.
        ...(isBulk && { bgcolor: 'action.selected', borderRadius: 1, mx: -1, px: 1 }),
      }}
    >
      {isBulk ? (
        <BulkBar
          count={selectedIds.length}
          total={total ?? 0}
          offersAll={buttons.some((it) => it.all) && (total ?? 0) > selectedIds.length}
          isForAll={isForAll}
          onAll={onAll}
          onClear={() => onUnselectItems()}
        />
      ) : (
        <Title title={title} total={error ? undefined : total} />
      )}
      <ViewsMenu />
      <Box sx={{ ml: 'auto', display: 'flex', alignItems: 'center', gap: 2 }}>
        {direct.map((it) => (
          <ActionButton key={it.id} button={it} isOff={isOff(it)} onClick={() => choose(it)} />
        ))}
        {rest.length > 0 && <Overflow buttons={rest} isOff={isOff} onChoose={choose} />}
        <IconAction label={translate('shell.list.refresh')} Icon={Refresh} onClick={() => void refetch()} />
        {!isPhone && <ViewOptions />}
      </Box>
    </Box>
  );
}

function Title({ title, total }: { title: string; total: number | undefined }) {
  return (
    <>
      <Box
        component="h1"
        sx={{ m: 0, fontSize: 18, lineHeight: '28px', fontWeight: 600, whiteSpace: 'nowrap', minHeight: 28 }}
      >
        {title}
      </Box>
      {total !== undefined && (
        <Box component="span" sx={{ color: 'text.secondary', fontSize: 13, fontVariantNumeric: 'tabular-nums' }}>
          {groupedCount(total)}
        </Box>
      )}
    </>
  );
}

/** The one that matters first, the dangerous ones last, otherwise in the server's order; over rows, theirs before the list's. */
function byTone(buttons: readonly ToolbarButton[], isBulk: boolean): ToolbarButton[] {
  const tone = (it: ToolbarButton) => (it.tone === 'primary' ? 0 : it.tone === 'danger' ? 2 : 1);
  const rank = (it: ToolbarButton) => (isBulk && !needsRow(it) ? 10 : 0) + tone(it);
  return [...buttons].sort((a, b) => rank(a) - rank(b));
}

interface ActionButtonProps {
  button: ToolbarButton;
  isOff: boolean;
  onClick: () => void;
}

function ActionButton({ button, isOff, onClick }: ActionButtonProps) {
  const translate = useTranslate();
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
  isOff: (button: ToolbarButton) => boolean;
  onChoose: (button: ToolbarButton) => void;
}

function Overflow({ buttons, isOff, onChoose }: OverflowProps) {
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
            disabled={isOff(it)}
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
