import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';

/** The mark: a loop that comes back to where it began. */
export function Mark({ size = 24 }: { size?: number }) {
  return (
    <Box
      component="svg"
      viewBox="0 0 24 24"
      aria-hidden
      sx={{ width: size, height: size, flex: 'none', color: 'primary.main' }}
    >
      <rect width="24" height="24" rx="6" fill="currentColor" />
      <path
        d="M17.5 9.5A6 6 0 1 0 18 12.5M17.8 5.8v3.9h-3.9"
        fill="none"
        stroke="#fff"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </Box>
  );
}

export function Logo({ collapsed }: { collapsed: boolean }) {
  const translate = useTranslate();
  return (
    <Box
      sx={{
        height: 48,
        flex: 'none',
        display: 'flex',
        alignItems: 'center',
        gap: 2,
        px: collapsed ? 0 : 4,
        justifyContent: collapsed ? 'center' : 'flex-start',
      }}
    >
      <Mark />
      {!collapsed && (
        <Box component="span" sx={{ fontSize: 13, fontWeight: 600, lineHeight: '16px' }}>
          {translate('shell.title')}
        </Box>
      )}
    </Box>
  );
}
