import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import CircularProgress from '@mui/material/CircularProgress';
import type { Ticket } from '#app/sessionCalls.ts';
import { useTicket } from '#app/sign-in/useTicket.ts';

/** Signs in by the ticket of the address, and says so while that is on its way; only who comes with one loads it. */
export default function TicketSignIn({ signIn }: { signIn: (ticket: Ticket) => Promise<unknown> }) {
  const translate = useTranslate();
  if (!useTicket(signIn)) return null;
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 3, color: 'text.secondary' }}>
      <CircularProgress size={18} />
      {translate('shell.login.signingIn')}
    </Box>
  );
}
