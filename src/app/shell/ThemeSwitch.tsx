import { useTranslate } from 'ra-core';
import IconButton from '@mui/material/IconButton';
import DarkModeOutlined from '@mui/icons-material/DarkModeOutlined';
import LightModeOutlined from '@mui/icons-material/LightModeOutlined';
import { useAppearance } from '#app/shell/appearance.ts';

export function ThemeSwitch() {
  const translate = useTranslate();
  const { isDark, toggle } = useAppearance();
  const label = translate(isDark ? 'shell.theme.light' : 'shell.theme.dark');
  return (
    <IconButton aria-label={label} title={label} onClick={toggle} size="small">
      {isDark ? <LightModeOutlined fontSize="small" /> : <DarkModeOutlined fontSize="small" />}
    </IconButton>
  );
}
