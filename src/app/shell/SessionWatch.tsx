import { useEffect, useState } from 'react';
import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { currentToken, expireSession, sessionEnd } from '#app/session.ts';
import { fetchSession, prolongSession } from '#app/sessionCalls.ts';
import { useObservable } from '#app/observable.ts';

/** This long before its end a session warns. */
const WARNING_MS = 5 * 60_000;
/** Longer than this a browser's timer can't run; it is set again then. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Warns 5 minutes before the session ends; any click, key or scan prolongs it. Before it warns it asks, in the background,
 * whether another tab of the browser has prolonged it; what can't be prolonged any more says so, in time to finish.
 */
export function SessionWatch() {
  const end = useObservable(sessionEnd);
  const isNear = useIsNear(end);
  return isNear && end !== null ? <Warning end={end} /> : null;
}

function useIsNear(end: number | null): boolean {
  const [checked, setChecked] = useState<number | null>(null);
  const [, tick] = useState(0);
  useEffect(() => {
    if (end === null || checked === end) return;
    const wait = end - WARNING_MS - performance.now();
    const timer = setTimeout(
      () => {
        if (wait > LONGEST_TIMER) tick((it) => it + 1);
        else
          void fetchSession().then(
            () => setChecked(end),
            () => setChecked(end),
          );
      },
      Math.min(Math.max(wait, 0), LONGEST_TIMER),
    );
    return () => clearTimeout(timer);
  }, [end, checked]);
  return checked !== null && checked === end && end - performance.now() <= WARNING_MS + 1000;
}

function Warning({ end }: { end: number }) {
  const translate = useTranslate();
  const seconds = useSecondsTo(end);
  const isLast = useProlonging(end);
  const [isClosed, setIsClosed] = useState(false);
  const token = currentToken.get();

  useEffect(() => {
    if (seconds > 0) return;
    expireSession(token);
  }, [seconds, token]);

  if (isClosed) return null;
  const minutes = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return (
    <Box role="alertdialog" aria-labelledby="session-warning" sx={warningSx}>
      <Alert
        severity="warning"
        variant="outlined"
        role="presentation"
        sx={{ bgcolor: 'background.paper', boxShadow: 4, alignItems: 'center' }}
        action={
          isLast ? (
            <Button size="small" variant="outlined" color="inherit" onClick={() => setIsClosed(true)}>
              {translate('shell.session.understood')}
            </Button>
          ) : (
            <Button size="small" variant="contained">
              {translate('shell.session.stay')}
            </Button>
          )
        }
      >
        <span id="session-warning">
          {translate(isLast ? 'shell.session.endsForGood' : 'shell.session.ends', { time: minutes })}
        </span>
      </Alert>
    </Box>
  );
}

/** Whatever somebody does now prolongs the session; true when that no longer helps. */
function useProlonging(end: number): boolean {
  const [isLast, setIsLast] = useState(false);
  useEffect(() => {
    if (isLast) return;
    let asked = false;
    const prolong = () => {
      if (asked) return;
      asked = true;
      prolongSession().then(
        // What is left has come with the answer: a new end, unless the session is at its longest.
        () => setIsLast((sessionEnd.get() ?? 0) - performance.now() <= WARNING_MS),
        () => {
          asked = false;
        },
      );
    };
    document.addEventListener('pointerdown', prolong, true);
    document.addEventListener('keydown', prolong, true);
    return () => {
      document.removeEventListener('pointerdown', prolong, true);
      document.removeEventListener('keydown', prolong, true);
    };
  }, [end, isLast]);
  return isLast;
}

function useSecondsTo(end: number): number {
  const secondsNow = () => Math.max(0, Math.ceil((end - performance.now()) / 1000));
  const [seconds, setSeconds] = useState(secondsNow);
  useEffect(() => {
    const timer = setInterval(() => setSeconds(Math.max(0, Math.ceil((end - performance.now()) / 1000))), 1000);
    return () => clearInterval(timer);
  }, [end]);
  return seconds;
}

const warningSx = {
  position: 'fixed',
  // Above a station's bottom bar.
  bottom: 72,
  left: '50%',
  transform: 'translateX(-50%)',
  width: 'min(560px, calc(100vw - 32px))',
  zIndex: 1450,
} as const;
