import Box from '@mui/material/Box';
import InfoOutlined from '@mui/icons-material/InfoOutlined';
import { useTranslate } from 'ra-core';

/** Where a file ends up that takes its time. */
export function DownloadHint() {
  const translate = useTranslate();
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, fontSize: 13, color: 'text.secondary' }}>
      <InfoOutlined sx={{ fontSize: 16 }} aria-hidden />
      {translate('shell.download.hint')}
    </Box>
  );
}
