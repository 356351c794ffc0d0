import { useContext, useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useTranslate } from 'ra-core';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { ShellContext } from '#app/shell/shellContext.ts';
import { HOME } from '#app/shell/tabs.ts';

const SECONDS = 5;

/** 401, 404, 500: a code, a message, the way home, and after five seconds one page back. Rule: screens#error-pages. */
export function ErrorPage({ code }: { code: '401' | '404' | '500' }) {
  const translate = useTranslate();
  const navigate = useNavigate();
  const { key } = useLocation();
  const isInShell = useContext(ShellContext);
  const [left, setLeft] = useState(SECONDS);

  useEffect(() => {
    const timer = setInterval(() => setLeft((it) => it - 1), 1000);
    return () => clearInterval(timer);
  }, []);

  useEffect(() => {
    if (left > 0) return;
    // The first page of a visit has nothing behind it, also when it stands in place of the refused one.
    const isFirst = key === 'default' || window.history.state?.idx === 0;
    if (isFirst) void navigate(HOME, { replace: true });
    else void navigate(-1);
  }, [left, key, navigate]);

  return (
    <Box
      component={isInShell ? 'div' : 'main'}
      sx={{
        minHeight: '100%',
        height: '100dvh',
        maxHeight: '100%',
        display: 'flex',
        flexDirection: 'column',
        alignItems: 'center',
        justifyContent: 'center',
        gap: 2,
        p: 4,
        textAlign: 'center',
      }}
    >
      <Box sx={{ fontSize: 72, lineHeight: 1, fontWeight: 600, color: 'primary.main' }}>{code}</Box>
      <Box component={isInShell ? 'h2' : 'h1'} sx={{ m: 0, fontSize: 18 }}>
        {translate(`shell.error.${code}`)}
      </Box>
      <Box aria-live="off" sx={{ color: 'text.secondary', fontVariantNumeric: 'tabular-nums' }}>
        {translate('shell.error.countdown', { seconds: Math.max(left, 0) })}
      </Box>
      <Button variant="contained" size="medium" onClick={() => void navigate(HOME)} sx={{ mt: 2 }}>
        {translate('shell.error.home')}
      </Button>
    </Box>
  );
}
