import { memo, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import ListSubheader from '@mui/material/ListSubheader';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Tooltip from '@mui/material/Tooltip';
import ExpandMore from '@mui/icons-material/ExpandMore';
import HomeOutlined from '@mui/icons-material/HomeOutlined';
import { leavesOf, findTrail } from '#app/engine/module.ts';
import { type MenuEntry, useMenu } from '#app/session.ts';
import { MenuIcon } from '#app/shell/icons.tsx';
import { Logo } from '#app/shell/Logo.tsx';
import { parsePageAddress } from '#app/shell/pageAddress.ts';
import { findTabAddress, HOME } from '#app/shell/tabs.ts';
import { menuWidth } from '#app/shell/menuWidth.ts';
import { cutSx, MOTION_MS } from '#app/theme.ts';

/** The menu as the server sent it, up to three levels, 200 wide or 64. Rule: screens#shell. */
export function SideMenu({ collapsed, onLeave }: { collapsed: boolean; onLeave?: () => void }) {
  const translate = useTranslate();
  const menu = useMenu() ?? [];
  const { menuNo } = parsePageAddress(useLocation().pathname);
  const active = findTrail(menuNo, menu).map((it) => it.menuNo);
  return (
    <Box
      component="nav"
      aria-label={translate('shell.menu.label')}
      sx={{
        width: menuWidth(collapsed),
        height: '100%',
        display: 'flex',
        flexDirection: 'column',
        bgcolor: 'background.paper',
        transition: `width ${MOTION_MS}ms`,
        overflow: 'hidden',
      }}
    >
      <Logo collapsed={collapsed} />
      <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 2, overflowY: 'auto', overflowX: 'hidden', flex: 1 }}>
        <li>
          <Leaf
            menuNo="home"
            to={findTabAddress(HOME)}
            name={translate('shell.home.title')}
            isActive={menuNo === 'home'}
            collapsed={collapsed}
            onLeave={onLeave}
          />
        </li>
        {menu.map((it) => (
          <li key={it.menuNo}>
            <Node entry={it} level={1} active={active} collapsed={collapsed} onLeave={onLeave} />
          </li>
        ))}
      </Box>
    </Box>
  );
}

interface NodeProps {
  entry: MenuEntry;
  level: number;
  active: string[];
  collapsed: boolean;
  onLeave?: () => void;
}

function Node(props: NodeProps) {
  const { entry, level, active, collapsed, onLeave } = props;
  if (!entry.children?.length) {
    const { menuNo, menuName: name, icon } = entry;
    return (
      <Leaf
        {...{ menuNo, name, icon, level, collapsed, onLeave }}
        to={findTabAddress(`/${menuNo}`)}
        isActive={active.includes(menuNo)}
      />
    );
  }
  return collapsed ? <FlyOut {...props} /> : <Group {...props} />;
}

function Group({ entry, level, active, onLeave }: NodeProps) {
  const isActive = active.includes(entry.menuNo);
  const [choice, setChoice] = useState<boolean | null>(null);
  const isOpen = choice ?? (isActive || (level === 1 && active.length === 0 && entry.menuNo === 'workflow'));
  return (
    <>
      <GroupHead name={entry.menuName} icon={entry.icon} level={level} isOpen={isOpen} onOpen={setChoice} />
      {isOpen && (
        <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
          {entry.children?.map((it) => (
            <li key={it.menuNo}>
              <Node entry={it} level={level + 1} active={active} collapsed={false} onLeave={onLeave} />
            </li>
          ))}
        </Box>
      )}
    </>
  );
}

interface GroupHeadProps {
  name: string;
  icon?: string;
  level: number;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
}

const GroupHead = memo(function GroupHead({ name, icon, level, isOpen, onOpen }: GroupHeadProps) {
  return (
    <ButtonBase aria-expanded={isOpen} onClick={() => onOpen(!isOpen)} sx={rowSx(level, false)}>
      {level === 1 && <MenuIcon name={icon} />}
      <Words text={name} strong={level === 1} />
      <ExpandMore
        aria-hidden
        sx={{ fontSize: 18, mr: -1, color: 'text.disabled', transform: isOpen ? 'none' : 'rotate(-90deg)' }}
      />
    </ButtonBase>
  );
});

/** A group of the narrow menu: its picture, and what it holds beside it. */
function FlyOut({ entry, active }: NodeProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const navigate = useNavigate();
  const isActive = active.includes(entry.menuNo);
  const open = (to: MenuEntry) => {
    setAnchor(null);
    void navigate(findTabAddress(`/${to.menuNo}`));
  };
  return (
    <>
      <Tooltip title={entry.menuName} placement="right">
        <ButtonBase
          aria-label={entry.menuName}
          aria-haspopup="menu"
          onClick={(event) => setAnchor(event.currentTarget)}
          sx={rowSx(1, isActive, true)}
        >
          <MenuIcon name={entry.icon} />
        </ButtonBase>
      </Tooltip>
      <Menu
        anchorEl={anchor}
        open={anchor !== null}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'top', horizontal: 'right' }}
        slotProps={{ list: { dense: true, 'aria-label': entry.menuName } }}
      >
        <ListSubheader sx={{ lineHeight: '32px', bgcolor: 'inherit' }}>{entry.menuName}</ListSubheader>
        {leavesOf(entry.children ?? [], 2).map((it) => (
          <MenuItem key={it.menuNo} selected={active.includes(it.menuNo)} onClick={() => open(it)}>
            {it.menuName}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}

interface LeafProps {
  menuNo: string;
  /** Where the user was in it, if it is open. */
  to: string;
  name: string;
  icon?: string;
  level?: number;
  isActive: boolean;
  collapsed: boolean;
  onLeave?: () => void;
}

/** Drawn anew only when it becomes the active one or stops being it: a menu has dozens of them. */
const Leaf = memo(function Leaf({ menuNo, to, name, icon, level = 1, isActive, collapsed, onLeave }: LeafProps) {
  const link = (
    <ButtonBase
      component={Link}
      to={to}
      onClick={onLeave}
      aria-current={isActive ? 'page' : undefined}
      aria-label={collapsed ? name : undefined}
      // It has nothing at its end: its name has the room.
      sx={{ ...rowSx(level, isActive, collapsed), ...(level > 1 && !collapsed && { pr: 0 }) }}
    >
      {menuNo === 'home' ? <HomeOutlined sx={{ fontSize: 20 }} aria-hidden /> : level === 1 && <MenuIcon name={icon} />}
      {!collapsed && <Words text={name} strong={false} />}
    </ButtonBase>
  );
  if (!collapsed) return link;
  return (
    <Tooltip title={name} placement="right">
      {link}
    </Tooltip>
  );
});

function Words({ text, strong }: { text: string; strong: boolean }) {
  return (
    <Box
      component="span"
      title={text}
      sx={{
        flex: 1,
        textAlign: 'left',
        ...cutSx,
        fontWeight: strong ? 600 : 400,
      }}
    >
      {text}
    </Box>
  );
}

function rowSx(level: number, isActive: boolean, collapsed = false) {
  return {
    width: '100%',
    height: level === 1 ? 36 : 32,
    px: 2,
    pl: collapsed ? 2 : level === 1 ? 2 : level === 2 ? 9 : 12,
    gap: 2,
    justifyContent: collapsed ? 'center' : 'flex-start',
    borderRadius: 1,
    fontSize: 13,
    color: isActive ? 'primary.main' : 'text.primary',
    bgcolor: isActive ? 'action.selected' : 'transparent',
    fontWeight: isActive ? 600 : 400,
    '&:hover': { bgcolor: isActive ? 'action.selected' : 'action.hover' },
  };
}
