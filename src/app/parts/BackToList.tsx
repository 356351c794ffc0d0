import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import ArrowBack from '@mui/icons-material/ArrowBack';
import { useTranslate } from 'ra-core';
import { useNavigate } from 'react-router-dom';
import { findTabAddress } from '#app/shell/tabs.ts';

/** First on each page that belongs to a list, at the left: to the list as it was left. On a phone its arrow alone. */
export function BackToList({ menuNo }: { menuNo: string }) {
  const translate = useTranslate();
  const navigate = useNavigate();
  const label = translate('shell.detail.back');
  return (
    <Button
      color="inherit"
      aria-label={label}
      startIcon={<ArrowBack />}
      onClick={() => void navigate(findTabAddress(`/${menuNo}`))}
      sx={{
        flex: 'none',
        color: 'text.secondary',
        minWidth: 40,
        ml: -2,
        '& .MuiButton-startIcon': { mr: { xs: 0, sm: 2 } },
      }}
    >
      <Box component="span" sx={{ display: { xs: 'none', sm: 'inline' } }}>
        {label}
      </Box>
    </Button>
  );
}
