import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { LOGIN } from '#app/authProvider.ts';
import type { Ticket } from '#app/sessionCalls.ts';

/**
 * A ticket of the single sign-on in the address signs in at once, and leaves the address before anything else sees it.
 * What is left of the address is the service that it was issued for. True while it is on its way.
 * Rule: sessions#single-sign-on.
 */
export function useTicket(signIn: (ticket: Ticket) => Promise<unknown>): boolean {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const [isOnItsWay, setIsOnItsWay] = useState(false);
  const latest = useRef(signIn);
  const used = useRef('');
  useEffect(() => {
    latest.current = signIn;
  });
  useEffect(() => {
    const { ticket, rest } = ticketIn(search);
    if (!ticket || used.current === ticket || pathname !== LOGIN) return;
    used.current = ticket;
    void navigate(pathname + rest, { replace: true });
    setIsOnItsWay(true);
    const loginUrl = window.location.origin + pathname + rest;
    void latest.current({ loginUrl, ticket }).finally(() => setIsOnItsWay(false));
  }, [pathname, search, navigate]);
  return isOnItsWay;
}

/** The single sign-on appends its ticket; everything before it stays letter by letter. */
function ticketIn(search: string): { ticket: string; rest: string } {
  const ticket = new URLSearchParams(search).get('ticket') ?? '';
  const parts = search.replace(/^\?/, '').split('&');
  const others = parts.filter((it) => it !== '' && !it.startsWith('ticket='));
  return { ticket, rest: others.length > 0 ? `?${others.join('&')}` : '' };
}
