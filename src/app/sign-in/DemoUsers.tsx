import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { Captcha } from '#app/sessionCalls.ts';

interface DemoUsersProps {
  users: Captcha['demoUsers'];
  onChoose: (userId: string) => void;
}

/** Whom a visitor may try the demonstration as; offered only where the server names them. */
export default function DemoUsers({ users, onChoose }: DemoUsersProps) {
  const translate = useTranslate();
  return (
    <Box sx={{ borderTop: 1, borderColor: 'divider', pt: 4 }}>
      <Box sx={{ fontSize: 12, color: 'text.secondary', mb: 2 }}>{translate('shell.login.demo')}</Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5 }}>
        {users.map((it) => (
          <Button
            key={it.userId}
            title={it.userName}
            size="small"
            variant="outlined"
            color="inherit"
            onClick={() => onChoose(it.userId)}
            sx={{ minWidth: 0, px: 2, py: 0.5, fontSize: 12, fontWeight: 400, borderRadius: 8, borderColor: 'divider' }}
          >
            {it.userId}
          </Button>
        ))}
      </Box>
    </Box>
  );
}
