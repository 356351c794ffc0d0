import { useNavigate } from 'react-router-dom';
import { useTranslate } from 'ra-core';
import Divider from '@mui/material/Divider';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { parsePageAddress } from '#app/shell/pageAddress.ts';
import { usePageNames } from '#app/shell/pageNames.ts';
import { HOME, openedTabs, type Tab } from '#app/shell/tabs.ts';

interface TabMenuProps {
  at: { key: string; anchor: { top: number; left: number } } | null;
  current: string;
  onLeave: () => void;
  onClose: (keys: string[], stayWith?: string) => void;
}

/** What the context menu of a tab and the bar's own menu both offer: every open page, close others, close all. */
export function TabMenu({ at, current, onLeave, onClose }: TabMenuProps) {
  const translate = useTranslate();
  const navigate = useNavigate();
  const tabs = openedTabs();
  const key = at?.key ?? current;
  const after = (action: () => void) => () => {
    onLeave();
    action();
  };
  const others = tabs.map((it) => it.key).filter((it) => it !== key && it !== HOME);
  const all = tabs.map((it) => it.key).filter((it) => it !== HOME);
  return (
    <Menu open={at !== null} onClose={onLeave} anchorReference="anchorPosition" anchorPosition={at?.anchor}>
      {key !== HOME && <MenuItem onClick={after(() => onClose([key]))}>{translate('shell.tabs.closeThis')}</MenuItem>}
      <MenuItem disabled={others.length === 0} onClick={after(() => onClose(others, key))}>
        {translate('shell.tabs.closeOthers')}
      </MenuItem>
      <MenuItem disabled={all.length === 0} onClick={after(() => onClose(all, HOME))}>
        {translate('shell.tabs.closeAll')}
      </MenuItem>
      <Divider />
      {tabs.map((it) => (
        <MenuItem key={it.key} selected={it.key === current} onClick={after(() => void navigate(it.address))}>
          <TabTitle tab={it} />
        </MenuItem>
      ))}
    </Menu>
  );
}

function TabTitle({ tab }: { tab: Tab }) {
  return usePageNames(parsePageAddress(tab.key)).title;
}
