import { memo } from 'react';
import { useNavigate } from 'react-router-dom';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import MenuIcon from '@mui/icons-material/Menu';
import MenuOpenOutlined from '@mui/icons-material/MenuOpenOutlined';
import { JobsButton } from '#app/jobs/JobsButton.tsx';
import { useIsPhone } from '#app/shell/appearance.ts';
import { Breadcrumb } from '#app/shell/Breadcrumb.tsx';
import { ErrorIcon } from '#app/shell/ErrorIcon.tsx';
import { LanguageSwitch } from '#app/shell/LanguageSwitch.tsx';
import { PaletteButton } from '#app/shell/PaletteButton.tsx';
import { ThemeSwitch } from '#app/shell/ThemeSwitch.tsx';
import { UserMenu } from '#app/shell/UserMenu.tsx';
import { WorkshopClock } from '#app/shell/WorkshopClock.tsx';

/** Drawn anew by what changes in it, not by every address. */
export const TopBar = memo(function TopBar({ menuIsNarrow, onMenu }: { menuIsNarrow: boolean; onMenu: () => void }) {
  const translate = useTranslate();
  const navigate = useNavigate();
  const isPhone = useIsPhone();
  const label = translate(menuIsNarrow ? 'ra.action.open_menu' : 'ra.action.close_menu');
  return (
    <Box
      component="header"
      sx={{
        height: 40,
        flex: 'none',
        display: 'flex',
        alignItems: 'center',
        gap: 1,
        px: 2,
        bgcolor: 'background.paper',
        borderBottom: 1,
        borderColor: 'divider',
      }}
    >
      <Tooltip title={label}>
        <IconButton aria-label={label} onClick={onMenu} size="small">
          {menuIsNarrow ? <MenuIcon fontSize="small" /> : <MenuOpenOutlined fontSize="small" />}
        </IconButton>
      </Tooltip>
      {/* On a phone it stands below, where there is room for it. */}
      <Box sx={{ flex: 1, minWidth: 0 }}>{!isPhone && <Breadcrumb />}</Box>
      <WorkshopClock />
      <PaletteButton />
      <LanguageSwitch />
      {!isPhone && <ThemeSwitch />}
      <JobsButton />
      <ErrorIcon />
      <UserMenu onChangePassword={() => void navigate('/changePassword')} />
    </Box>
  );
});
