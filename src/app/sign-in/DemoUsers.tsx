import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import type { Captcha } from '#app/sessionCalls.ts';

interface DemoUsersProps {
  users: Captcha['demoUsers'];
  onChoose: (userId: string) => void;
}

/** Whom a visitor may try the demonstration as; offered only where the server names them. */
export function DemoUsers({ users, onChoose }: DemoUsersProps) {
  const translate = useTranslate();
  return (
    <Box sx={{ borderTop: 1, borderColor: 'divider', pt: 4 }}>
      <Box sx={{ fontSize: 12, color: 'text.secondary', mb: 2 }}>{translate('shell.login.demo')}</Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5 }}>
        {users.map((it) => (
          <Chip
            key={it.userId}
            label={it.userId}
            title={it.userName}
            size="small"
            variant="outlined"
            onClick={() => onChoose(it.userId)}
          />
        ))}
      </Box>
    </Box>
  );
}
