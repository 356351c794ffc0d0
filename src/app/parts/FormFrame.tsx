import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslate } from 'ra-core';
import { Reading } from '#app/parts/Reading.tsx';
import { commandOf } from '#app/parts/scan/commands.ts';
import { hasOverlay, isInOverlay } from '#app/parts/scan/editable.ts';
import { StationTitle } from '#app/parts/scan/StationTitle.tsx';
import { useNotifyRefusal } from '#app/parts/scan/useRefusal.ts';
import { useTabCommand } from '#app/parts/scan/useTabCommand.ts';
import { useWedge } from '#app/parts/scan/useWedge.ts';
import type { TabsProps } from '#app/parts/StationTabs.tsx';
import { WorkFooter, WorkFrame } from '#app/parts/WorkFrame.tsx';
import { isEnter } from '#app/parts/enter.ts';
import type { Primary } from '#app/parts/scan/BottomBar.tsx';

interface Props {
  menuNo: string;
  title: string;
  primary: Primary;
  /** Why the last submit was refused. */
  problem: string;
  aside?: ReactNode;
  /** Above everything: which tab, which bill. */
  before?: ReactNode;
  /** Other actions of this page, quieter. */
  more?: ReactNode;
  /** In place of the one button, where the page is opened for a choice of two; `lead` as the one button does it. */
  buttons?: (lead: () => void) => ReactNode;
  /** Of a record: how it stands, in place of the title alone. */
  head?: ReactNode;
  /** The record is not yet read: its shape stands in place of what it holds. */
  isReading?: boolean;
  wide?: boolean;
  /** The tabs that command barcodes turn to; with them the page has a command card. */
  tabs?: TabsProps;
  /** Of a page that is a station of its own, which may stand alone, and what came of the last scan in it. */
  kiosk?: { isKiosk: boolean; toggle: () => void };
  verdict?: ReactNode;
  /** Where what is scanned goes while the focus is on nothing. */
  scanField?: RefObject<HTMLInputElement | null>;
  children: ReactNode;
}

/** The frame of a page with a form and one action: fields on the left, facts on the right, Ctrl+Enter submits. */
export function FormFrame({
  menuNo,
  title,
  primary,
  problem,
  aside,
  before,
  more,
  buttons,
  head,
  isReading = false,
  wide = false,
  tabs,
  kiosk,
  verdict,
  scanField = noField,
  children,
}: Props) {
  const [unread, setUnread] = useState('');
  const message = problem || unread;
  const { frame, alert, lead, stay } = useFocusOnError(message);
  const press = () => {
    lead();
    primary.press();
  };
  useSubmitKeys({ ...primary, press });
  return (
    <WorkFrame
      ref={frame}
      onInput={stay}
      title={
        head ? (
          <Box sx={{ p: 4, pt: 3, pb: 0 }}>{head}</Box>
        ) : (
          <StationTitle
            menuNo={menuNo}
            title={title}
            tabs={tabs}
            card={tabs && { tabs }}
            kiosk={kiosk && { isOn: kiosk.isKiosk, toggle: kiosk.toggle }}
          />
        )
      }
      lead={verdict}
      aside={aside}
      footer={
        <WorkFooter>
          <Box sx={{ flex: 1 }} />
          {more}
          {buttons ? (
            buttons(lead)
          ) : (
            <Button
              variant="contained"
              size="medium"
              title="Ctrl+Enter"
              data-primary=""
              disabled={primary.disabled}
              onClick={press}
              sx={{ minWidth: 160, width: { xs: 1, sm: 'auto' } }}
            >
              {primary.label}
            </Button>
          )}
        </WorkFooter>
      }
    >
      <Box
        sx={{
          ...{ display: 'flex', flexDirection: 'column', gap: 3, minWidth: 0 },
          ...(kiosk?.isKiosk ? largeFieldsSx : { maxWidth: wide ? undefined : 640 }),
        }}
      >
        {tabs && <Commands tabs={tabs} primary={{ ...primary, press }} field={scanField} onUnread={setUnread} />}
        {before}
        <Box ref={alert} role="alert" sx={{ '&:empty': { mb: -3 } }}>
          {message && (
            <Alert severity="error" sx={{ py: 0 }}>
              {message}
            </Alert>
          )}
        </Box>
        {isReading ? <Reading /> : children}
      </Box>
    </WorkFrame>
  );
}

/** To be read from two metres, as what is scanned. */
const largeFieldsSx = {
  '& .MuiInputBase-root': { fontSize: 24 },
  '& .MuiInputBase-root:not(.MuiInputBase-multiline)': { height: 56 },
  '& .MuiFormLabel-root': { fontSize: 18, lineHeight: '28px' },
};

/** Who presses at the end of a long page is led to what is wrong: the first such field, or the words above the form. */
function useFocusOnError(message: string) {
  const frame = useRef<HTMLDivElement>(null);
  const alert = useRef<HTMLElement>(null);
  const isLed = useRef(false);
  const wrongField = () => frame.current?.querySelector<HTMLElement>('[aria-invalid=true]');
  useEffect(() => {
    if (message !== '' && !wrongField()) alert.current?.scrollIntoView({ block: 'center' });
  }, [message]);
  // The verdict comes with the page's next rendering, or with one after the server's answer.
  useEffect(() => {
    const field = isLed.current ? wrongField() : null;
    if (!field) return;
    isLed.current = false;
    field.focus({ preventScroll: true });
    field.scrollIntoView({ block: 'center' });
  });
  return {
    frame,
    alert,
    lead: () => {
      isLed.current = true;
    },
    /** Who types on meanwhile is left there. */
    stay: () => {
      isLed.current = false;
    },
  };
}

/** A form among scanned tabs obeys the commands that it has a use for: submit, and the tabs. */
function Commands({ tabs, primary, field, onUnread }: CommandsProps) {
  const translate = useTranslate();
  const turn = useTabCommand(tabs);
  const take = (text: string) => {
    const command = commandOf(text);
    if (command === undefined || command === 'unknown') return onUnread(translate('stations.command.unknown'));
    onUnread('');
    if (command.do === 'submit') return primary.disabled ? undefined : primary.press();
    const turned = turn(command);
    if (!turned) onUnread(translate('stations.command.useless'));
    else if ('blocked' in turned) onUnread(turned.blocked);
  };
  useWedge(field, take, useNotifyRefusal(), { onlyCommands: true });
  return null;
}

interface CommandsProps {
  tabs: TabsProps;
  primary: Primary;
  field: RefObject<HTMLInputElement | null>;
  onUnread: (why: string) => void;
}

/** The page has no scan field. */
const noField = { current: null };

/** Something over the page has the focus; what is only just closing has given it back. */
const isOverPage = (target: EventTarget | null): boolean =>
  isInOverlay(target) || (target === document.body && hasOverlay());

/** Ctrl+Enter from wherever the focus is, and Enter in a field that says `data-enter="submit"`. */
function useSubmitKeys(primary: Primary): void {
  const latest = useRef(primary);
  // With the page itself: who sees what can be done may do it at once.
  useLayoutEffect(() => {
    latest.current = primary;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!isEnter(event) || event.defaultPrevented || isOverPage(event.target)) return;
      event.preventDefault();
      event.stopPropagation();
      if (!latest.current.disabled) latest.current.press();
    };
    // Before the field that has the focus, as a choice would open.
    const onChord = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && !event.shiftKey) press(event);
    };
    const onField = (event: KeyboardEvent) => {
      if (event.target instanceof HTMLElement && event.target.dataset.enter === 'submit') press(event);
    };
    window.addEventListener('keydown', onChord, true);
    window.addEventListener('keydown', onField);
    return () => {
      window.removeEventListener('keydown', onChord, true);
      window.removeEventListener('keydown', onField);
    };
  }, []);
}
