import { useState } from 'react';
import { useLogout, useTranslate } from 'ra-core';
import Avatar from '@mui/material/Avatar';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Divider from '@mui/material/Divider';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import KeyboardArrowDown from '@mui/icons-material/KeyboardArrowDown';
import KeyOutlined from '@mui/icons-material/KeyOutlined';
import LogoutOutlined from '@mui/icons-material/LogoutOutlined';
import { fileAddress } from '#app/fileAddress.ts';
import { useUser } from '#app/session.ts';
import { useIsPhone } from '#app/shell/appearance.ts';

export function UserMenu({ onChangePassword }: { onChangePassword: () => void }) {
  const translate = useTranslate();
  const logout = useLogout();
  const isPhone = useIsPhone();
  const user = useUser();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const name = user?.userName ?? '';
  const after = (action: () => unknown) => () => {
    setAnchor(null);
    action();
  };
  return (
    <>
      <Button
        variant="text"
        color="inherit"
        aria-label={isPhone ? translate('shell.user.menu', { name }) : undefined}
        aria-haspopup="menu"
        onClick={(event) => setAnchor(event.currentTarget)}
        endIcon={isPhone ? undefined : <KeyboardArrowDown />}
        sx={{ gap: 2, minWidth: 0, fontWeight: 400 }}
      >
        <Avatar
          aria-hidden
          src={fileAddress(user?.avatar ?? '')}
          sx={{ width: 24, height: 24, fontSize: 12, fontWeight: 600, bgcolor: 'primary.main' }}
        >
          {name.slice(0, 1).toUpperCase()}
        </Avatar>
        {!isPhone && name}
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        <Box sx={{ px: 4, py: 2, minWidth: 180 }}>
          <Box sx={{ fontWeight: 600, fontSize: 13 }}>{name}</Box>
          <Box sx={{ color: 'text.secondary', fontSize: 12 }}>
            {[user?.userId, user?.siteName || user?.siteId].filter(Boolean).join(' · ')}
          </Box>
        </Box>
        <Divider />
        <MenuItem onClick={after(onChangePassword)} sx={{ gap: 2 }}>
          <KeyOutlined fontSize="small" />
          {translate('shell.user.changePassword')}
        </MenuItem>
        <MenuItem onClick={after(() => logout())} sx={{ gap: 2 }}>
          <LogoutOutlined fontSize="small" />
          {translate('shell.user.logout')}
        </MenuItem>
      </Menu>
    </>
  );
}
