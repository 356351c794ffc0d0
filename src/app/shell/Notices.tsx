import { useEffect } from 'react';
import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { copyText } from '#app/fields/copyText.ts';
import { type Notice, notices, useOpenNotices } from '#app/notify.ts';
import { monospace } from '#app/theme.ts';

/** The stack of notices, newest below; each closes itself after its time, errors only by hand. */
export function Notices() {
  const translate = useTranslate();
  const open = useOpenNotices();
  return (
    <Box
      role="region"
      aria-label={translate('shell.notice.region')}
      sx={{
        position: 'fixed',
        top: 92,
        right: 16,
        zIndex: (theme) => theme.zIndex.snackbar,
        width: 'min(380px, calc(100vw - 32px))',
        display: 'flex',
        flexDirection: 'column',
        gap: 2,
        pointerEvents: 'none',
      }}
    >
      {open.map((it) => (
        <NoticeItem key={it.id} notice={it} />
      ))}
    </Box>
  );
}

function NoticeItem({ notice }: { notice: Notice }) {
  const translate = useTranslate();
  const { id, duration, settle } = notice;
  useEffect(() => {
    if (duration === null) return;
    const timer = setTimeout(() => notices.close(id), duration);
    return () => clearTimeout(timer);
  }, [id, duration]);
  useEffect(() => {
    if (!settle) return;
    // It is not done yet: who leaves now is asked.
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [settle]);
  return (
    <Alert
      severity={notice.kind}
      variant="outlined"
      role={notice.kind === 'success' || notice.kind === 'info' ? 'status' : 'alert'}
      onClose={() => notices.close(id)}
      closeText={translate('shell.notice.close')}
      sx={{ bgcolor: 'background.paper', boxShadow: 4, pointerEvents: 'auto', overflowWrap: 'anywhere' }}
    >
      {notice.body ? <AlertTitle sx={{ fontSize: 13, mb: 0.5 }}>{notice.title}</AlertTitle> : notice.title}
      {notice.body}
      {settle && (
        <Button size="small" variant="text" onClick={() => notices.close(id, true)} sx={{ minWidth: 0, py: 0, ml: 2 }}>
          {translate('ra.action.undo')}
        </Button>
      )}
      {notice.requestId && <RequestNumber number={notice.requestId} />}
    </Alert>
  );
}

/** By this number the server's log knows what went wrong. */
function RequestNumber({ number }: { number: string }) {
  const translate = useTranslate();
  const copy = () => void copyText(number, translate('shell.list.copied', { text: number }));
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, mt: 1, fontSize: 12 }}>
      <span>
        {translate('shell.notice.request')}{' '}
        <Box component="code" sx={{ fontFamily: monospace }}>
          {number}
        </Box>
      </span>
      <Button size="small" variant="text" onClick={copy} sx={{ minWidth: 0, py: 0 }}>
        {translate('shell.list.copy')}
      </Button>
    </Box>
  );
}
