import { useRef } from 'react';
import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { copyText } from '#app/fields/copyText.ts';
import { ReadModal } from '#app/parts/Modal.tsx';
import { codeSx } from '#app/theme.ts';

/** The secret, this once. Rule: sessions#services. */
export function SecretModal({ title, secret, onClose }: { title: string; secret: string; onClose: () => void }) {
  const translate = useTranslate();
  const shown = useRef<HTMLElement>(null);
  const said = { done: translate('shell.serviceToken.copied'), failed: translate('shell.serviceToken.notCopied') };
  return (
    <ReadModal title={title} onClose={onClose}>
      <Alert severity="warning">{translate('shell.serviceToken.once')}</Alert>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 3, flexWrap: 'wrap' }}>
        <Box
          component="code"
          ref={shown}
          aria-label={translate('shell.serviceToken.secret')}
          sx={{ ...codeSx, overflowWrap: 'anywhere', userSelect: 'all' }}
        >
          {secret}
        </Box>
        <Button variant="outlined" onClick={() => void copyText(secret, said, shown.current)}>
          {translate('shell.serviceToken.copy')}
        </Button>
      </Box>
      <Box sx={{ color: 'text.secondary' }}>{translate('shell.serviceToken.use')}</Box>
    </ReadModal>
  );
}
