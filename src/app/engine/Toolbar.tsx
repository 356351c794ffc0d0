import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { useListContext, useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import MoreHoriz from '@mui/icons-material/MoreHoriz';
import Refresh from '@mui/icons-material/Refresh';
import { inOrder, misfitsOf, needsRow } from '#app/engine/actions.ts';
import { BulkBar } from '#app/engine/list/BulkBar.tsx';
import { ViewsMenu } from '#app/engine/list/ViewsMenu.tsx';
import type { ListMeta } from '#app/engine/listMeta.ts';
import type { Act } from '#app/engine/useAction.ts';
import { ViewOptions } from '#app/engine/ViewOptions.tsx';
import type { Row, ToolbarButton } from '#app/engine/wire.ts';
import { groupedCount, textOf, listed } from '#app/fields/format.ts';
import { IconAction } from '#app/parts/IconAction.tsx';
import { useIsPhone, useIsTablet } from '#app/shell/appearance.ts';

interface ToolbarProps {
  /** What stands first while no row is selected: the tabs of the list, or its count. */
  head: ReactNode;
  /** The search, and what it was searched by. */
  children: ReactNode;
  buttons: readonly ToolbarButton[];
  /** The selected rows of this page. */
  selected: readonly Row[];
  /** Several rows may be selected: the line then turns into the bulk bar. */
  multiple: boolean;
  isForAll: boolean;
  onAll: (to: boolean) => void;
  act: Act;
  /** What stands on the line is known: until then only what keeps its place does. Rule: lists#toolbar. */
  isKnown: boolean;
  isSearchKnown: boolean;
}

/** The views and the way to read again, which a phone has room for beside the tabs; the search and the button that matters stand below. */
const BESIDE = 96;
/** The room of the longest count, so that nothing moves when it comes. */
const COUNT = 56;

/**
 * All about a list on one line: its tabs, its search, and exactly the buttons that the server gave; what does not fit
 * waits in a menu, and what is done to rows until one is selected. Then the same line is about them.
 */
export function Toolbar({ head, children, buttons, selected, multiple, isForAll, onAll, act, ...its }: ToolbarProps) {
  const { isKnown, isSearchKnown } = its;
  const translate = useTranslate();
  const isPhone = useIsPhone();
  const isTablet = useIsTablet();
  const { onUnselectItems, refetch, total, meta } = useListContext();
  const { tabs, groups } = (meta ?? {}) as ListMeta;
  const whyNot = useWhyNot(selected);
  const isBulk = multiple && selected.length > 0;
  const isSelecting = selected.length > 0;
  const hintOf = (it: ToolbarButton) =>
    isForAll && !it.all && needsRow(it) ? translate('shell.list.notForRow') : whyNot(it);
  const ordered = inOrder(buttons, isSelecting);
  const isCrowded = (tabs ?? groups) !== undefined;
  const room = isPhone ? 1 : isSelecting ? (isTablet ? 2 : 4) : isCrowded ? (isTablet ? 1 : 2) : isTablet ? 2 : 5;
  // A phone has room for one: one that can be done with the selected rows.
  const first = isPhone && isSelecting ? ordered.find((it) => needsRow(it) && hintOf(it) === undefined) : undefined;
  const sorted = first ? [first, ...ordered.filter((it) => it !== first)] : ordered;
  const count = isBulk ? Math.min(room, sorted.filter(needsRow).length) : room;
  const names = sorted.map((it) => it.btnName).join();
  const { line, fitting } = useFitting(count, names, isKnown && isSearchKnown);
  const direct = sorted.slice(0, fitting);
  const rest = sorted.slice(fitting);
  const choose = (it: ToolbarButton) => act(it, selected, isForAll);
  const again = <IconAction label={translate('shell.list.refresh')} Icon={Refresh} onClick={() => void refetch()} />;

  return (
    <Box
      ref={line}
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 2,
        minHeight: 32,
        // A search that is opened takes a line of its own.
        flexWrap: { xs: 'wrap', md: 'nowrap' },
        '&:has([role=search] [aria-expanded=true])': { flexWrap: 'wrap' },
        // A tablet has room for the bulk bar or for the search.
        ...(isSelecting && isTablet && { '& > [role=search]': { display: 'none' } }),
        // The bulk bar is told by its colour; it takes the same room.
        ...(isSelecting && { bgcolor: 'action.selected', borderRadius: 1, mx: -1, px: 1 }),
      }}
    >
      <Box
        sx={{
          display: 'flex',
          minWidth: 0,
          // The tabs come after the rows, and their counts change: what stands behind them stays where it is.
          flex: isPhone ? `1 1 calc(100% - ${BESIDE}px)` : isCrowded && !isSelecting ? '1 1 0' : '0 1 auto',
          '&:has([data-list-count])': { flexShrink: 0, minWidth: isPhone ? 0 : COUNT },
        }}
      >
        {isSelecting ? (
          <BulkBar
            count={selected.length}
            total={total ?? 0}
            offersAll={isBulk && buttons.some((it) => it.all) && (total ?? 0) > selected.length}
            isForAll={isForAll}
            onAll={onAll}
            onClear={() => onUnselectItems()}
          />
        ) : (
          isKnown && head
        )}
      </Box>
      {!isSelecting && isKnown && isSearchKnown && <ViewsMenu />}
      {isPhone && again}
      {isKnown && children}
      <Box sx={{ ml: 'auto', display: 'flex', alignItems: 'center', gap: 2 }}>
        {(isKnown ? direct : []).map((it) => (
          <ActionButton key={it.id} button={it} hint={hintOf(it)} onClick={() => choose(it)} />
        ))}
        {isKnown && rest.length > 0 && <Overflow buttons={rest} hintOf={hintOf} onChoose={choose} />}
        {!isPhone && again}
        {!isPhone && <ViewOptions />}
      </Box>
    </Box>
  );
}

/** How many of the buttons stand on the line: as many as are meant to, and fewer where it would run out of the window. */
function useFitting(most: number, names: string, isKnown: boolean) {
  const line = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(0);
  const [wanted, setWanted] = useState(0);
  const key = `${most} ${room} ${names}`;
  const [tried, setTried] = useState({ key, fitting: most });
  const fitting = tried.key === key ? tried.fitting : most;
  useEffect(() => {
    const it = line.current;
    if (!it) return undefined;
    const watch = new ResizeObserver(() => {
      setRoom(it.clientWidth);
      setWanted(it.scrollWidth);
    });
    for (const part of [it, ...it.children]) watch.observe(part);
    return () => watch.disconnect();
  }, [isKnown]);
  // Before it is painted, so that nothing is seen to move.
  useLayoutEffect(() => {
    const it = line.current;
    if (it && fitting > 0 && it.scrollWidth > it.clientWidth) setTried({ key, fitting: fitting - 1 });
  }, [key, fitting, wanted]);
  return { line, fitting };
}

/** How many rows the list has, where no tabs say it. */
export function ListCount() {
  const { total, error } = useListContext();
  return (
    <Box
      component="span"
      data-list-count=""
      sx={{ color: 'text.secondary', fontSize: 13, fontVariantNumeric: 'tabular-nums' }}
    >
      {total !== undefined && !error ? groupedCount(total) : ''}
    </Box>
  );
}

/** Why a button is not for the selected rows: how many of them are wrong, and what they are; nothing where it is for all. */
function useWhyNot(selected: readonly Row[]) {
  const translate = useTranslate();
  const { meta } = useListContext();
  const { columns = [], labels } = (meta ?? {}) as ListMeta;
  return (button: ToolbarButton): string | undefined => {
    const misfits = misfitsOf(button, selected);
    if (!misfits) return undefined;
    const count = selected.length;
    if (misfits.field === '') return translate('lists.bulk.onlyOne', { count });
    const column = columns.find((it) => it.name === misfits.field);
    if (!column) return translate('shell.list.notForRow');
    const values = listed([...new Set(misfits.rows.map((it) => textOf(column, it[misfits.field], labels)))]);
    const why = translate('lists.bulk.isNow', { field: column.label, values });
    return count === 1 ? why : translate('lists.bulk.misfits', { wrong: misfits.rows.length, count, why });
  };
}

interface ActionButtonProps {
  button: ToolbarButton;
  /** Why it can't be pressed now. */
  hint: string | undefined;
  onClick: () => void;
}

function ActionButton({ button, hint, onClick }: ActionButtonProps) {
  return (
    <span title={hint}>
      <Button
        variant={button.tone === 'primary' ? 'contained' : 'outlined'}
        color={button.tone === 'danger' ? 'error' : 'primary'}
        disabled={hint !== undefined}
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
  hintOf: (button: ToolbarButton) => string | undefined;
  onChoose: (button: ToolbarButton) => void;
}

function Overflow({ buttons, hintOf, onChoose }: OverflowProps) {
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
            disabled={hintOf(it) !== undefined}
            onClick={() => {
              setAnchor(null);
              onChoose(it);
            }}
            sx={{ display: 'block', color: it.tone === 'danger' ? 'error.main' : undefined }}
          >
            {it.btnName}
            {hintOf(it) && (
              <Box component="small" aria-hidden sx={{ display: 'block', fontSize: 11, lineHeight: '14px' }}>
                {hintOf(it)}
              </Box>
            )}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
