import { useEffect, useRef } from 'react';
import { useTranslate } from 'ra-core';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { copyText } from '#app/fields/copyText.ts';
import { type Notice, notices, useOpenNotices } from '#app/notify.ts';
import { useToken } from '#app/session.ts';
import { useIsPhone, useSideMenu } from '#app/shell/appearance.ts';
import { useIsKiosk } from '#app/shell/kiosk.ts';
import { menuWidth } from '#app/shell/menuWidth.ts';
import { monospace, NOTICE_ROOM } from '#app/theme.ts';

/** The room of the search and the icons on the right of the top bar. */
const ICONS = 480;
/** No higher than the two bars of the frame, which they stand over: two of one line. */
const MOST_HIGH = 70;
/** A station that stands alone has one line there. */
const KIOSK_HIGH = 44;
/** The languages and the theme at the top of the sign-in. */
const SIGN_IN_BAR = 56;

/**
 * The notices, newest first; each closes itself after its time, errors only by hand. They stand over the bars at the
 * top, beside what one opens there, and never over the page: what is needed next is not under them. Rule: screens#notices.
 */
export function Notices() {
  const translate = useTranslate();
  const open = useOpenNotices();
  const isPhone = useIsPhone();
  const { collapsed } = useSideMenu();
  const isSignedIn = useToken() !== '';
  // Behind the button that opens and closes the menu.
  const isKiosk = useIsKiosk();
  // At the sign-in, between the buttons at the top and the card, which makes room for them.
  const above = { top: SIGN_IN_BAR, left: '50%', transform: 'translateX(-50%)', maxHeight: '40vh' };
  const left = isKiosk ? 16 : (isPhone ? 0 : menuWidth(collapsed)) + 48;
  return (
    <Box
      role="region"
      aria-label={translate('shell.notice.region')}
      sx={{
        position: 'fixed',
        top: 2,
        left,
        zIndex: (theme) => theme.zIndex.snackbar,
        width: `min(640px, calc(100vw - ${left}px - ${isPhone ? 8 : ICONS}px))`,
        maxHeight: isKiosk ? KIOSK_HIGH : MOST_HIGH,
        ...(isPhone && { 'body:has(.MuiDialog-root) &': { maxHeight: NOTICE_ROOM - 4 } }),
        ...(!isSignedIn && { ...above, width: 'min(640px, calc(100vw - 16px))' }),
        overflowY: 'auto',
        display: 'flex',
        flexDirection: 'column',
        gap: 0.5,
        borderRadius: 1,
        // What floats is not cut off by the room for it.
        ...(open.length > 0 && { boxShadow: 4 }),
      }}
    >
      {open.toReversed().map((it) => (
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
      sx={{
        flex: 'none',
        bgcolor: 'background.paper',
        overflowWrap: 'anywhere',
        px: 3,
        py: 0,
        lineHeight: '18px',
        '& .MuiAlert-icon': { py: 1.5, mr: 2, fontSize: 20 },
        '& .MuiAlert-message': { py: '7px', flex: 1 },
        '& .MuiAlert-action': { p: 0, mr: -1.5 },
      }}
    >
      {notice.body ? (
        <>
          <Box component="strong" sx={{ fontWeight: 600, mr: 2 }}>
            {notice.title}
          </Box>
          <span>{notice.body}</span>
        </>
      ) : (
        notice.title
      )}
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
  const shown = useRef<HTMLElement>(null);
  const said = {
    done: translate('shell.list.copied', { text: number }),
    failed: translate('shell.list.notCopied', { text: number }),
  };
  const copy = () => void copyText(number, said, shown.current);
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, mt: 0, fontSize: 12 }}>
      <span>
        {translate('shell.notice.request')}{' '}
        <Box component="code" ref={shown} sx={{ fontFamily: monospace }}>
          {number}
        </Box>
      </span>
      <Button size="small" variant="text" onClick={copy} sx={{ minWidth: 0, py: 0 }}>
        {translate('shell.list.copy')}
      </Button>
    </Box>
  );
}
