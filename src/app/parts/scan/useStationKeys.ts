import { useEffect, useLayoutEffect, useRef } from 'react';
import { hasOverlay, isTextField } from '#app/parts/scan/editable.ts';
import { isShortcut } from '#app/shell/shortcuts.ts';

const names = ['submitScans', 'undo', 'closeVerdict'] as const;

interface StationKeys {
  submit: () => void;
  undo: () => void;
  closeVerdict: () => void;
}

/** Ctrl+Enter submits, Ctrl+Z takes the last scan back, Esc closes the verdict; nothing while a dialog is open. */
export function useStationKeys(keys: StationKeys): void {
  const latest = useRef(keys);
  useLayoutEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const shortcut = names.find((it) => isShortcut(event, it));
      if (!shortcut || event.defaultPrevented || hasOverlay()) return;
      if (shortcut === 'submitScans') act(event, latest.current.submit);
      if (shortcut === 'undo' && !isBeingWritten(event.target)) act(event, latest.current.undo);
      if (shortcut === 'closeVerdict') latest.current.closeVerdict();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

function act(event: KeyboardEvent, action: () => void): void {
  event.preventDefault();
  action();
}

/** In a field that holds text, Ctrl+Z takes back letters. */
const isBeingWritten = (target: EventTarget | null): boolean => isTextField(target) && target.value !== '';
