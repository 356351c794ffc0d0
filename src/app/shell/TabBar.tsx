import { useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import ChevronLeft from '@mui/icons-material/ChevronLeft';
import ChevronRight from '@mui/icons-material/ChevronRight';
import Close from '@mui/icons-material/Close';
import ExpandMore from '@mui/icons-material/ExpandMore';
import { useIsPhone } from '#app/shell/appearance.ts';
import { Breadcrumb } from '#app/shell/Breadcrumb.tsx';
import { useChosenInSight } from '#app/parts/useChosenInSight.ts';
import { parsePageAddress } from '#app/shell/pageAddress.ts';
import { usePageNames } from '#app/shell/pageNames.ts';
import { TabMenu } from '#app/shell/TabMenu.tsx';
import { HOME, type Tab, useTabs } from '#app/shell/tabs.ts';
import { useTabClosing } from '#app/shell/useTabClosing.tsx';

const SCROLL_STEP = 240;

interface MenuAt {
  key: string;
  anchor: { top: number; left: number };
}

/** The opened pages, one tab each; home stays. On a phone the heading, and how many pages there are. Rule: screens#shell. */
export function TabBar() {
  const translate = useTranslate();
  const tabs = useTabs();
  const current = parsePageAddress(useLocation().pathname).key;
  const strip = useRef<HTMLDivElement>(null);
  const [menuAt, setMenuAt] = useState<MenuAt | null>(null);
  const { close, confirmation } = useTabClosing(current);
  const isPhone = useIsPhone();
  const overflows = useOverflow(strip, tabs.length);
  const scroll = (by: number) => strip.current?.scrollBy({ left: by });
  const openMenuUnder = (event: React.MouseEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    setMenuAt({ key: current, anchor: { top: box.bottom, left: box.left } });
  };

  useChosenInSight(strip, current, isPhone ? 0 : tabs.length);

  return (
    <Box
      {...(!isPhone && { component: 'nav', 'aria-label': translate('shell.tabs.label') })}
      sx={{
        height: 32,
        flex: 'none',
        display: 'flex',
        alignItems: 'stretch',
        bgcolor: 'background.paper',
        borderBottom: 1,
        borderColor: 'divider',
      }}
    >
      {isPhone ? (
        <>
          <Box sx={{ flex: 1, minWidth: 0, pl: 4 }}>
            <Breadcrumb />
          </Box>
          <Switcher count={tabs.length} onOpen={openMenuUnder} />
        </>
      ) : (
        <>
          {overflows && (
            <Arrow label={translate('shell.tabs.left')} Icon={ChevronLeft} onClick={() => scroll(-SCROLL_STEP)} />
          )}
          <Box
            ref={strip}
            sx={{ display: 'flex', flex: 1, minWidth: 0, overflowX: 'auto', scrollbarWidth: 'none', pl: 1 }}
          >
            {tabs.map((it) => (
              <TabItem
                key={it.key}
                tab={it}
                isCurrent={it.key === current}
                onClose={() => close([it.key])}
                onMenu={(left, top) => setMenuAt({ key: it.key, anchor: { left, top } })}
              />
            ))}
          </Box>
          {overflows && (
            <Arrow label={translate('shell.tabs.right')} Icon={ChevronRight} onClick={() => scroll(SCROLL_STEP)} />
          )}
          <IconButton
            aria-label={translate('shell.tabs.menu')}
            aria-haspopup="menu"
            size="small"
            onClick={openMenuUnder}
            sx={{ alignSelf: 'center', mx: 1 }}
          >
            <ExpandMore fontSize="small" />
          </IconButton>
        </>
      )}
      <TabMenu at={menuAt} current={current} onLeave={() => setMenuAt(null)} onClose={close} />
      {confirmation}
    </Box>
  );
}

interface TabItemProps {
  tab: Tab;
  isCurrent: boolean;
  onClose: () => void;
  onMenu: (left: number, top: number) => void;
}

function TabItem({ tab, isCurrent, onClose, onMenu }: TabItemProps) {
  const translate = useTranslate();
  const { title } = usePageNames(parsePageAddress(tab.key));
  const isHome = tab.key === HOME;
  return (
    <Box
      onContextMenu={(event) => {
        event.preventDefault();
        onMenu(event.clientX, event.clientY);
      }}
      onMouseDown={(event) => event.button === 1 && event.preventDefault()}
      onAuxClick={(event) => event.button === 1 && !isHome && onClose()}
      onKeyDown={(event) => event.key === 'Delete' && !isHome && onClose()}
      sx={{
        display: 'flex',
        alignItems: 'center',
        flex: 'none',
        maxWidth: 280,
        px: 2,
        fontSize: 13,
        borderBottom: 2,
        borderColor: isCurrent ? 'primary.main' : 'transparent',
        color: isCurrent ? 'primary.main' : 'text.secondary',
        '&:hover': { color: isCurrent ? 'primary.main' : 'text.primary' },
        '& a': { color: 'inherit', textDecoration: 'none', overflow: 'hidden', textOverflow: 'ellipsis', px: 1 },
        whiteSpace: 'nowrap',
      }}
    >
      <Link to={tab.address} title={title} aria-current={isCurrent ? 'page' : undefined}>
        {title}
      </Link>
      {!isHome && (
        <IconButton
          aria-label={translate('shell.tabs.close', { title })}
          onClick={onClose}
          size="small"
          sx={{ width: 24, height: 24, p: 0 }}
        >
          <Close sx={{ fontSize: 14 }} />
        </IconButton>
      )}
    </Box>
  );
}

function Switcher({ count, onOpen }: { count: number; onOpen: (event: React.MouseEvent<HTMLElement>) => void }) {
  const translate = useTranslate();
  return (
    <Box component="nav" aria-label={translate('shell.tabs.label')}>
      <Button
        variant="text"
        color="inherit"
        aria-label={`${translate('shell.tabs.menu')}: ${count}`}
        title={translate('shell.tabs.menu')}
        aria-haspopup="menu"
        endIcon={<ExpandMore />}
        onClick={onOpen}
        sx={{ height: 31, minWidth: 0, borderRadius: 0, px: 3, color: 'text.secondary', fontWeight: 400 }}
      >
        {count}
      </Button>
    </Box>
  );
}

function Arrow({ label, Icon, onClick }: { label: string; Icon: typeof ChevronLeft; onClick: () => void }) {
  return (
    <IconButton aria-label={label} size="small" onClick={onClick} sx={{ alignSelf: 'center' }}>
      <Icon fontSize="small" />
    </IconButton>
  );
}

function useOverflow(strip: React.RefObject<HTMLDivElement | null>, count: number): boolean {
  const [overflows, setOverflows] = useState(false);
  useEffect(() => {
    const measure = () => setOverflows(!!strip.current && strip.current.scrollWidth > strip.current.clientWidth + 1);
    const forget = afterLayout(measure);
    window.addEventListener('resize', measure);
    return () => {
      forget();
      window.removeEventListener('resize', measure);
    };
  }, [strip, count]);
  return overflows;
}

/** Once the frame is laid out: asked earlier, the browser lays out the whole page once more for it. */
function afterLayout(measure: () => void): () => void {
  const frame = requestAnimationFrame(() => setTimeout(measure));
  return () => cancelAnimationFrame(frame);
}
